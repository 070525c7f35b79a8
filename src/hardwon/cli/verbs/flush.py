from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.cli.verbs import skills
from hardwon.cli.verbs.note import anchors_of
from hardwon.cli.verbs.skills import SkillName
from hardwon.clients.skills import Place as SkillPlace
from hardwon.learn import flush
from hardwon.learn.flush import Flushed, Plan
from hardwon.memories.skill_file import of_name
from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.project import Place
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import session_texts
from hardwon.text.session_texts import NotText, Problems
from hardwon.text.skills import lessons
from hardwon.text.skills.lessons import Found, Lesson


def run(
    skill: SkillName,
    summary_file: Annotated[
        Path | None, typer.Option("--summary-file", metavar="FILE", help="A summary of the session")
    ] = None,
    session_file: Annotated[
        Path | None, typer.Option("--session-file", metavar="FILE", help="The session: .md, .txt, .json or .jsonl")
    ] = None,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read the summary from standard input")] = False,
    include_checkpoints: Annotated[
        bool, typer.Option("--include-checkpoints", help="Make lessons of the waiting checkpoints, too")
    ] = False,
    keep_checkpoints: Annotated[
        bool, typer.Option("--keep-checkpoints", help="Don't archive the checkpoints that became lessons")
    ] = False,
    max_lessons: Annotated[
        int,
        typer.Option("--max-lessons", min=1, metavar="NUMBER", help="At most so many, and so many of checkpoints"),
    ] = 3,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be kept, and keep nothing")] = False,
    json: Json = False,
) -> None:
    """Keep the lessons of a session for a skill

    Example: `hardwon flush --skill lark-sync --summary-file session-summary.md`

    Reads only what stands under a heading that names lessons, in English or Chinese (`## Lessons`, `## Takeaways`,
    `## 经验沉淀`): bullets, numbered items, plain sentences. Without --include-checkpoints the checkpoints stay as they
    are; with it, those that became a lesson are archived, and `hardwon undo` brings them back.
    """
    name = skills.named(skill)
    sources = [given for given in (summary_file, session_file, Path("-") if stdin else None) if given is not None]
    if len(sources) > 1 or not (sources or include_checkpoints):
        fail("Give one of --summary-file, --session-file and --stdin.", code=2)
    problems = Problems()
    found = _read(sources[0], problems, max_lessons) if sources else Found(())
    _must_find(name, found, include_checkpoints, project, everywhere)
    if dry_run:
        with context.reading(name) as store:
            made = _planned(store, name, project, everywhere, found, include_checkpoints, max_lessons)
            _answer(store, name, made, Flushed(), problems, json, dry_run=True)
        return
    who = caller.trust()
    with context.writing(name) as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        scope = Scope(project_id, name)
        with store.transaction():
            waiting = flush.waiting(store, name, project_id) if include_checkpoints else []
            made = flush.plan(store, scope, found.lessons, waiting, max_lessons)
            made.left_over += found.left_over
            draft = _drafting(scope, who, place)
            done = flush.carry_out(store, made, draft, who, context.now(), keep_checkpoints=keep_checkpoints)
        _answer(store, name, made, done, problems, json, dry_run=False)


def _read(file: Path, problems: Problems, most: int) -> Found:
    with _opened(file) as source:
        try:
            return lessons.find(session_texts.read(source, file.suffix, problems), most)
        except NotText as error:
            fail(f"{_called(file)} {error}. Nothing was changed.")
        except OSError as error:
            fail(f"{_called(file)} can't be read: {error.strerror}.")


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    try:
        source = file.open("rb")
    except OSError as error:
        fail(f"{_called(file)} can't be read: {error.strerror}.")
    with source:
        yield source


def _called(file: Path) -> str:
    return "Standard input" if str(file) == "-" else f'"{file}"'


def _must_find(name: str, found: Found, include_checkpoints: bool, project: str | None, everywhere: bool) -> None:
    """Before anything is written, be it only the name of a project."""
    if found.lessons:
        return
    if include_checkpoints:
        with context.reading(name) as store:
            _, scopes = context.scopes_to_read(store, project, everywhere)
            if flush.waiting(store, name, scopes[0]):
                return
    waiting = f' and no checkpoint waits for "{name}"' if include_checkpoints else ""
    what = "There is a section for lessons, but none in it" if found.sections else "No section names lessons"
    fail(
        f"{what}{waiting}; nothing was changed. Put each lesson as a bullet under a heading with one of: "
        f"{lessons.HEADINGS}."
    )


def _planned(
    store: Store, name: str, project: str | None, everywhere: bool, found: Found, checkpoints: bool, most: int
) -> Plan:
    _, scopes = context.scopes_to_read(store, project, everywhere)
    waiting = flush.waiting(store, name, scopes[0]) if checkpoints else []
    made = flush.plan(store, Scope(scopes[0], name), found.lessons, waiting, most)
    made.left_over += found.left_over
    return made


def _drafting(scope: Scope, who: Trust, place: Place | None) -> Callable[[Lesson], Draft]:
    assert scope.skill
    skill_place = SkillPlace(context.folder(), place.root) if place else SkillPlace()
    mark = of_name(scope.skill, skill_place).mark
    return lambda lesson: Draft(
        kind=Kind.LESSON,
        body=lesson.text,
        scope=scope,
        trust=who,
        source="user" if who is Trust.USER else "agent",
        title=lesson.title,
        anchors=anchors_of(lesson.text, [], place),
        skill_mark=mark,
    )


def _answer(
    store: Store, name: str, made: Plan, done: Flushed, problems: Problems, json: bool, *, dry_run: bool
) -> None:
    if json:
        answer = {
            "skill": name,
            "kept": done.kept,
            "known": done.known,
            "forgotten": done.forgotten,
            "left_over": made.left_over,
            "checkpoints": {"archived": done.archived, "waiting": made.waiting},
            "unreadable_lines": problems.lines,
            "dry_run": dry_run,
        }
        plan = {"new": _texts(made.new), "known": _texts(made.known), "checkpoints": [one.id for one in made.taken]}
        output.print_json(answer | ({"plan": plan} if dry_run else {}))
    elif dry_run:
        _print_plan(made)
    else:
        _print_done(store, done)
    for remark in _remarks(made, done, problems):
        output.remark(remark)


def _texts(found: list[Lesson]) -> list[str]:
    return [lesson.text for lesson in found]


def _print_plan(made: Plan) -> None:
    for label, found in (("new", made.new), ("known already", made.known)):
        for lesson in found:
            print(f"{label}: {skills.headline(lesson.title, lesson.text)}")
    print(
        f"{output.counted(len(made.new), 'lesson')} would be kept, {len(made.known)} counted once more"
        + (f", {output.counted(len(made.taken), 'checkpoint')} taken" if made.taken else "")
    )


def _print_done(store: Store, done: Flushed) -> None:
    found = memories.by_ids(store, [*done.kept, *done.known])
    for label, ids in (("kept", done.kept), ("known already:", done.known)):
        for id in ids:
            print(f"{label} {id[-6:]} {skills.headline(found[id].title, found[id].body)}")
    print(
        f"{output.counted(len(done.kept), 'lesson')} kept, {len(done.known)} known already"
        + (f", {output.counted(len(done.archived), 'checkpoint')} archived" if done.archived else "")
    )


def _remarks(made: Plan, done: Flushed, problems: Problems) -> Iterator[str]:
    if made.left_over:
        yield f"{output.counted(made.left_over, 'lesson')} left over: --max-lessons takes more at once"
    if made.waiting:
        yield f"{output.counted(made.waiting, 'checkpoint')} still waiting"
    if done.forgotten:
        yield f"{output.counted(done.forgotten, 'lesson')} forgotten before, and still so"
    if problems.lines:
        first = ", ".join(map(str, problems.lines[:5]))
        yield f"{output.counted(len(problems.lines), 'line')} could not be read (line {first}) and passed over"
