from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output, quoting
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.cli.verbs import skills
from hardwon.clients.skills import Place
from hardwon.memories import legacy, skill_file
from hardwon.memory import Kind, Memory, Status
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.store.tables import memories


def run(
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The last characters of an id, four or more", show_default=False),
    ] = None,
    skill: Annotated[
        str | None,
        typer.Option("--skill", "-s", metavar="NAME", help="Show what this skill taught, and what waits for a flush"),
    ] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Show one memory whole, or all that a skill taught

    Example: `hardwon show 7f3a1c`

    With --skill: its lessons in the form of a KNOWLEDGE.md, oldest first, each with the month in which it was learned
    and `[HIT:n]`, how often it was learned again; then the checkpoints that wait for a flush.
    """
    if (id is None) == (skill is None):
        fail("Give the id of a memory, or the name of a skill with --skill.", code=2)
    if id is not None and (project is not None or everywhere):
        fail("--project and --global go with --skill: an id is one in every project.", code=2)
    if skill is not None:
        _show_skill(skills.named(skill), project, everywhere, json)
    elif id is not None:
        _show_memory(id, json)


def _show_memory(id: str, json: bool) -> None:
    with context.reading() as store:
        context.may_tell(store)
        memory = context.existing(store, id)
        hits = memories.hits(store, [memory.id]).get(memory.id, 0)
        if json:
            output.print_json(output.as_json(store, memory, hits), store)
        else:
            where = context.project_name(store, memory.scope.project)
            output.print_details(plain.details(quoting.shown(memory), where, hits, output.origin(store, memory)))


def _show_skill(name: str, project: str | None, everywhere: bool, json: bool) -> None:
    with context.reading(name) as store:
        place, scopes = context.scopes_to_tell(store, project, everywhere)
        root, cwd = (place.root, context.folder()) if place else ("", "")
        file = skill_file.of_name(name, Place(cwd, root))
        left = legacy.lessons(store, name, legacy.files(name, file.path, root))
        found, _ = memories.listed(store, memories.Filter(scopes, name, statuses=(Status.ACTIVE,)))
        found.sort(key=lambda memory: (memory.created_at, memory.id))
        lessons = [memory for memory in found if memory.kind is not Kind.CHECKPOINT]
        checkpoints = [memory for memory in found if memory.kind is Kind.CHECKPOINT]
        hits = _hits(store, lessons) | {memory.id: count for memory, count in left}
        lessons = [*(memory for memory, _ in left), *lessons]
        if json:
            items = [output.as_json(store, memory, hits.get(memory.id, 0)) for memory in lessons]
            waiting = [output.as_json(store, memory) for memory in checkpoints]
            output.print_json({"skill": name, "lessons": items, "checkpoints": waiting}, store)
    if not found and not left:
        fail(f'Nothing is known yet about the skill "{name}" here.', answered=True)
    if not json:
        _print(name, lessons, hits, checkpoints)


def _hits(store: Store, lessons: list[Memory]) -> dict[str, int]:
    """By the thousand: a statement of SQLite takes so many values and no more."""
    hits: dict[str, int] = {}
    for start in range(0, len(lessons), 1000):
        hits |= memories.hits(store, [memory.id for memory in lessons[start : start + 1000]])
    return hits


def _print(name: str, lessons: list[Memory], hits: dict[str, int], checkpoints: list[Memory]) -> None:
    print(f"# {plain.one_line(name)}\n\n## Entries")
    for memory in lessons:
        print(skills.entry(memory, hits.get(memory.id, 0)), end="")
    if checkpoints:
        print("\n## Checkpoints")
    for memory in checkpoints:
        print(skills.entry(memory), end="")
    if lessons:
        output.remark("[HIT:n]: how often it was learned again")
