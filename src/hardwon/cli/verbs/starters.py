from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json, Yes
from hardwon.cli.verbs.clients import DryRun
from hardwon.clients import skills
from hardwon.learn import starters
from hardwon.learn.starters import Planned
from hardwon.memory import Memory, normalise
from hardwon.redact import Redactor
from hardwon.regular_file import regular
from hardwon.store.connection import Store
from hardwon.text.skills import starters as form
from hardwon.text.skills.starters import Starter

app = group("list")

Skills = Annotated[
    list[str] | None, typer.Argument(metavar="[SKILL]...", help="One or more skills", show_default=False)
]
All = Annotated[bool, typer.Option("--all", help="Every skill that there are starter lessons for")]
MOST_BYTES = 200_000


@app.callback()
def starters_() -> None:
    """Begin a skill's memory with documented facts

    Example: `hardwon starters list`

    Without a verb it is `hardwon starters list`.
    """


@app.command("list")
def list_(json: Json = False) -> None:
    """Show which skills there are starter lessons for, and how many are kept

    Example: `hardwon starters list`
    """
    with context.reading() as store:
        found = [_about(store, starter) for starter in starters.shipped().values()]
    if json:
        output.print_json({"items": found})
        return
    for one in found:
        here = ", installed here" if one["installed"] else ""
        lessons = output.counted(one["lessons"], "lesson")
        print(f"{one['skill']:<28}{lessons}, {one['kept']} kept{here}")


def _about(store: Store, starter: Starter) -> dict[str, Any]:
    planned = [one for one in starters.plan(store, starter, asked=True) if one.skill == starter.skill]
    return {
        "skill": starter.skill,
        "also": list(starter.also),
        "lessons": len(starter.lessons),
        "kept": sum(one.because == "known" for one in planned),
        "installed": _is_installed(starter),
        "items": [{"title": one.title, "text": one.text, "source": one.source} for one in starter.lessons],
    }


@app.command()
def add(
    names: Skills = None,
    all_: All = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Keep the starter lessons of skills, everywhere

    Example: `hardwon starters add browser-use --dry-run`

    With --all a skill that has lessons of its own gets none; named, it gets those that it has not. A text that is kept
    is not kept twice, one that was forgotten stays forgotten.
    """
    chosen = _chosen(names, all_)
    with context.reading() if dry_run else context.writing() as store:
        context.scope_to_write(store, None, True, caller.trust())
        planned = [one for starter in chosen for one in starters.plan(store, starter, asked=not all_)]
        fresh = [one for one in planned if not one.because]
        if not json:
            _show(planned)
        if fresh and not dry_run and not output.confirm(f"Add {output.counted(len(fresh), 'lesson')}?", yes):
            fail("Nothing was added. Say --yes to add them without a question.")
        added = 0 if dry_run else starters.add(store, planned, context.now())
        if json:
            items = [{"skill": one.skill, "title": one.lesson.title, "skipped": one.because} for one in planned]
            output.print_json({"items": items, "added": added, "dry_run": dry_run})
        else:
            print("nothing was added, this was a dry run" if dry_run else f"added {output.counted(added, 'lesson')}")


@app.command()
def remove(
    names: Skills = None,
    all_: All = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take back the starter lessons that nobody has changed since

    Example: `hardwon starters remove browser-use --yes`

    One that was edited, judged, pinned, archived or learned again stays. They can be added again.
    """
    chosen = _chosen(names, all_)
    with context.reading() if dry_run else context.writing() as store:
        gone = [memory for starter in chosen for memory in starters.removable(store, starter)]
        if not json:
            for memory in gone:
                print(f"{memory.scope.skill}: {memory.headline}")
        if gone and not dry_run:
            if not output.confirm(f"Take back {output.counted(len(gone), 'lesson')}?", yes):
                fail("Nothing was taken back. Say --yes to do it without a question.")
            starters.remove(store, gone, context.now())
        _conclude(gone, dry_run, json)


def _conclude(gone: list[Memory], dry_run: bool, json: bool) -> None:
    if json:
        items = [{"id": memory.id, "skill": memory.scope.skill, "title": memory.title} for memory in gone]
        output.print_json({"items": items, "removed": 0 if dry_run else len(gone), "dry_run": dry_run})
    elif dry_run:
        print("nothing was taken back, this was a dry run")
    else:
        print(f"took back {output.counted(len(gone), 'lesson')}")


@app.command()
def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, or folders of them", show_default=False)
    ],
    json: Json = False,
) -> None:
    """Say what is wrong with files of starter lessons

    Example: `hardwon starters check my-skill.md`

    Leaves with status 1 when something is wrong. The form is in the guide on starter lessons.
    """
    files = [file for path in paths for file in _files(Path(path))]
    found = [(file, problem) for file in files for problem in _problems(file)]
    found += _said_twice(files)
    if json:
        items = [{"file": str(file), "line": problem.line, "says": problem.says} for file, problem in found]
        output.print_json({"files": len(files), "items": items})
    else:
        for file, problem in found:
            print(f"{file}:{problem.line}: {problem.says}")
    if found:
        wrong = output.counted(len(found), "thing")
        fail(f"{wrong} to put right in {output.counted(len(files), 'file')}.", answered=True)
    if not json:
        print(f"{output.counted(len(files), 'file')}, nothing is wrong")


def offer(yes: bool = False) -> None:
    """At the end of `setup`: a person is asked, anybody else is told, when a skill is installed that has none yet."""
    with context.reading() as store:
        chosen = [
            starter
            for starter in starters.shipped().values()
            if _is_installed(starter) and any(not one.because for one in starters.plan(store, starter, asked=False))
        ]
    if not chosen:
        return
    names = " ".join(starter.skill for starter in chosen)
    question = f"There are starter lessons, documented facts, for {names.replace(' ', ', ')}. Add them?"
    if yes or not output.confirm(question, yes=False):
        output.remark(f"starter lessons can be added at any time: `hardwon starters add {names}`")
        return
    with context.writing() as store:
        context.scope_to_write(store, None, True, caller.trust())
        planned = [one for starter in chosen for one in starters.plan(store, starter, asked=False)]
        print(f"added {output.counted(starters.add(store, planned, context.now()), 'lesson')}")


def _chosen(names: list[str] | None, all_: bool) -> list[Starter]:
    known = starters.shipped()
    if all_ == bool(names):
        fail(f"Name one or more skills, or say --all. There are starter lessons for {', '.join(known)}.", code=2)
    unknown = [name for name in names or () if name not in known]
    if unknown:
        fail(f'There are no starter lessons for "{unknown[0]}", only for {", ".join(known)}.', code=2)
    return [known[name] for name in dict.fromkeys(names or known)]


def _show(planned: list[Planned]) -> None:
    for one in planned:
        if one.because:
            output.remark(f"{one.skill}: {one.lesson.title} — not added: {one.because}")
        else:
            print(f"{one.skill}: [{one.lesson.title}] {one.lesson.text}\n    {one.lesson.source}")


def _is_installed(starter: Starter) -> bool:
    here = skills.Place(cwd=context.folder(), root=context.folder())
    return any(skills.find(name, here, os.environ) for name in starter.names)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(path.glob("*.md"))
        if not found:
            fail(f"{path} has no file that ends in .md.")
        return found
    if not path.is_file():
        fail(f"{path} is not there: give a file or a folder of starter lessons.")
    return [path]


def _read(file: Path) -> bytes:
    try:
        with open(file, "rb", opener=regular) as opened:
            return opened.read()
    except OSError as error:
        fail(f"{file} can't be read: {error.strerror}.")


def _problems(file: Path) -> list[form.Problem]:
    raw = _read(file)
    if len(raw) > MOST_BYTES:
        return [form.Problem(1, f"it has {len(raw)} bytes, {MOST_BYTES} are allowed")]
    try:
        return form.check(raw.decode("utf-8"), Redactor())
    except UnicodeDecodeError as error:
        return [form.Problem(raw[: error.start].count(b"\n") + 1, "it is not UTF-8 text")]


def _said_twice(files: list[Path]) -> list[tuple[Path, form.Problem]]:
    """The same text, or the same skill, in two files."""
    first: dict[str, Path] = {}
    found: list[tuple[Path, form.Problem]] = []
    for file in files:
        for line, what, says in _claims(file):
            if first.setdefault(what, file) != file:
                found.append((file, form.Problem(line, f"{says} {first[what]}")))
    return found


def _claims(file: Path) -> Iterator[tuple[int, str, str]]:
    starter, _ = form.parse(_read(file)[:MOST_BYTES].decode("utf-8", "replace"))
    if starter.skill:
        yield 1, f"skill {starter.skill}", f"lessons for {starter.skill} are also in"
    for lesson in starter.lessons:
        yield lesson.line, f"text {normalise(lesson.text)}", "the same is said in"
