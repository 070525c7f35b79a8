"""Taking in what another tool has kept: read it, show what is new, ask, keep it.

Somebody wrote these files, and a repository may bring its own. Who runs this at a terminal is asked, and what they take
in is active; what an agent takes in waits in `hardwon review`, wherever the file lies.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from hardwon import git
from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.verbs import skills
from hardwon.memory import Trust
from hardwon.render.plain import one_line
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.foreign import Gathered, fireworks, knowledge_file, magic_context, taking
from hardwon.store.foreign.taking import Plan

TOOLS = ("fireworks", "magic-context")
ELSEWHERE = {
    "codememory": "what it knows of your sessions is in your client's own files, too: `hardwon learn` reads them",
    "memory-engine": "its Markdown files can be taken in one by one: `hardwon import FILE.md --everywhere`",
}
"""Tools whose stores can't be read, each with the way that there is."""
_SORTS = ("new", "known", "forgotten")


@dataclass(frozen=True, slots=True)
class Options:
    skill: str | None
    everywhere: bool
    project: str | None
    yes: bool
    dry_run: bool
    json: bool


def must_be_a_file(source: str) -> None:
    """What is no path and was meant for one of the tools is told what can be done instead."""
    name = source.lower().removeprefix("claude-")
    if source == "-" or os.sep in source or Path(source).exists() or Path(source).suffix:
        return
    if name in ELSEWHERE:
        fail(f'The store of "{source}" can\'t be read; {ELSEWHERE[name]}.', code=2)
    tools = ", ".join(TOOLS)
    fail(f'"{source}" is neither a file nor a tool that can be imported from ({tools}). Name one of these.', code=2)


def run(source: str, path: Path | None, options: Options) -> None:
    _must_fit(source, path, options)
    with output.progress("reading"):
        gathered = _gathered(source, path, options)
    with context.reading() as store:
        made = taking.plan(store, gathered.found, _target(store, options))
    if not options.json:
        _show(made)
    kept = [] if options.dry_run or not (made.new or made.known) else _take(gathered, made, options)
    if options.json:
        _print_json(gathered, made, kept, options)
    else:
        _conclude(made, kept, options)
    for remark in _remarks(gathered, made):
        output.remark(remark)
    if gathered.problems:
        count = output.counted(len(gathered.problems), "problem")
        fail(f"{count} with what was read; the rest is not affected.", answered=True)


def _must_fit(source: str, path: Path | None, options: Options) -> None:
    if options.skill is not None and options.everywhere:
        fail("--skill and --everywhere exclude each other: give one of them.", code=2)
    if source in TOOLS and (options.skill is not None or options.everywhere):
        fail(f"--skill and --everywhere go with a KNOWLEDGE.md: {source} says itself what belongs to which skill.", 2)
    if source != "magic-context" and options.project is not None:
        fail("--project goes with magic-context: the lessons of the others belong to no project.", code=2)
    if source == "magic-context" and path is None:
        fail("Which database? Try: hardwon import magic-context path/to/context.db", code=2)
    if source not in TOOLS and path is not None:
        fail(f'One file at a time: "{path}" is one too many.', code=2)


def _gathered(source: str, path: Path | None, options: Options) -> Gathered:
    if source == "fireworks":
        return _of_fireworks(path)
    if source == "magic-context":
        assert path
        try:
            return magic_context.gather(path)
        except magic_context.NotReadable as error:
            fail(f'"{path}" {error}.')
    return _of_file(Path(source), options)


def _of_fireworks(folder: Path | None) -> Gathered:
    if folder and not folder.is_dir():
        fail(f'"{folder}" is not a folder: give the one that holds the files, or none to look in the usual places.')
    gathered = fireworks.gather(folder, os.environ, Path.home())
    if not gathered.files and not gathered.problems:
        usual = ", ".join(map(str, fireworks.usual_places(os.environ, Path.home())))
        where = f'"{folder}"' if folder else f"the usual places ({usual}, ~/.claude/skills)"
        fail(f"Nothing of fireworks-skill-memory is in {where}. Looked for: {fireworks.LAYOUT}.")
    return gathered


def _of_file(file: Path, options: Options) -> Gathered:
    if not file.exists():
        fail(f'"{file}" can\'t be read: there is no such file.')
    skill = skills.named(options.skill) if options.skill is not None else knowledge_file.skill_of(file)
    if skill is None and not (options.everywhere or knowledge_file.is_global(file)):
        fail(f'Which skill is "{file}" about? Say --skill NAME, or --everywhere when it holds for every skill.', 2)
    gathered = Gathered()
    knowledge_file.read(file, None if options.everywhere else skill, gathered)
    if not gathered.files:
        fail(f"{gathered.problems[0]}.")
    return gathered


def _target(store: Store, options: Options) -> str | None:
    return None if options.project is None else projects.named(store, options.project).id


def _show(made: Plan) -> None:
    if not made.counts:
        return
    names = {name: one_line(name, 40) or "(every skill)" for name in made.counts}
    width = max(len("skill"), *map(len, names.values()))
    print(f"{'skill':<{width}}" + "".join(f"{what:>11}" for what in _SORTS))
    for name, counts in sorted(made.counts.items()):
        print(f"{names[name]:<{width}}" + "".join(f"{counts[what]:>11}" for what in _SORTS))


def _take(gathered: Gathered, made: Plan, options: Options) -> list[str]:
    question = f"Take in {output.counted(len(made.new), 'memory')}?{_warning(gathered)}"
    if made.new and not output.confirm(question, options.yes):
        _refuse(gathered)
    with context.writing() as store:
        context.scope_to_write(store, None, True, caller.trust())
        with output.progress("importing") as say:
            # Planned again: somebody may have written since.
            fresh = taking.plan(store, gathered.found, _target(store, options))
            return taking.take(
                store,
                fresh,
                context.now(),
                lambda done: say(f"{done} of {len(fresh.new)}"),
                waits=_waits(),
                accepted=options.yes or bool(made.new),
            )


def _waits() -> bool:
    return caller.trust() is not Trust.USER


def _warning(gathered: Gathered) -> str:
    """What a person should know before they say yes: others may have written what lies in a repository."""
    own = [Path.home() / name for name in (".claude", ".codex", ".ai-memory", ".agents", ".opencode", ".pi", ".config")]
    for file in map(git.resolve, gathered.files):
        if not any(file.is_relative_to(git.resolve(folder)) for folder in own) and git.find_repository(file.parent):
            return f" {one_line(str(file))} lies in a repository: read it first, others may have written it."
    return ""


def _refuse(gathered: Gathered) -> NoReturn:
    for problem in gathered.problems[:10]:
        output.remark(problem)
    fail("Nothing was changed. Say --yes to take it in without a question.")


def _conclude(made: Plan, kept: list[str], options: Options) -> None:
    if options.dry_run:
        print("nothing was changed, this was a dry run")
    elif not made.new:
        print("nothing is new: everything is known already")
    else:
        undo = "; `hardwon undo` takes them out again" if len(kept) <= taking.AT_ONCE else ""
        wait = "; they wait for a person: `hardwon review list`" if kept and _waits() else ""
        print(f"{output.counted(len(kept), 'memory')} taken in{wait or undo}")


def _print_json(gathered: Gathered, made: Plan, kept: list[str], options: Options) -> None:
    output.print_json(
        {
            "files": gathered.files,
            "skills": {name: {what: counts[what] for what in _SORTS} for name, counts in sorted(made.counts.items())},
            "memories": len(kept),
            "waiting": len(kept) if _waits() else 0,
            "known": sum(counts["known"] for counts in made.counts.values()),
            "forgotten": made.forgotten,
            "unknown_projects": dict(made.homeless),
            "rejected": gathered.problems,
            "dry_run": options.dry_run,
        }
    )


def _remarks(gathered: Gathered, made: Plan) -> list[str]:
    remarks = gathered.problems[:10]
    if len(gathered.problems) > 10:
        remarks.append(f"and {len(gathered.problems) - 10} more")
    for project, count in made.homeless.most_common(10):
        remarks.append(
            f'{output.counted(count, "lesson")} left out: the project "{project}" is not known here; '
            "--project NAME says which one it is"
        )
    return remarks
