from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, meaning, output, text
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.cli.verbs import skills
from hardwon.cli.verbs.skills import SkillName
from hardwon.clients.skills import Place as SkillPlace
from hardwon.memories import Item, legacy
from hardwon.memories import skills as recall
from hardwon.memories.skill_file import of_name
from hardwon.memories.skills import Wanted
from hardwon.store.connection import Store
from hardwon.store.tables import showings
from hardwon.store.tables.showings import Showing
from hardwon.text import anchors, mark, untrusted


def run(
    skill: SkillName,
    intent: Annotated[str, typer.Option("--intent", metavar="TEXT", help="What the skill is wanted for")] = "",
    top: Annotated[
        int | None,
        typer.Option("--top", min=1, max=1000, metavar="NUMBER", help="At most this many", show_default="20"),
    ] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Print what a skill taught, to put before a task

    Example: `hardwon inject --skill lark-sync --intent "sync a wiki page with images"`

    For clients without hooks: elsewhere the lessons come by themselves when the skill loads. With --intent those that
    fit come first, else the most used and newest; what holds everywhere follows. Leaves with status 1 when the skill
    has no lessons.
    """
    name = skills.named(skill)
    with context.reading(name) as store:
        place, scopes = context.scopes_to_tell(store, project, everywhere)
        file = of_name(name, SkillPlace(context.folder(), place.root) if place else SkillPlace())
        asked = text.passed(store, intent=intent)["intent"]
        meaning.query_vector(store, asked)  # the model is there when the lessons are put into order
        root, cwd = (place.root, context.folder()) if place else ("", "")
        files = legacy.files(name, file.path, root)
        wanted = Wanted(name, scopes, asked, anchors=anchors.asked_about(asked, root, cwd), files=files)
        # Who asks for more by hand wants them whole.
        budget = recall.TOKENS if top is None else 1_000_000
        found = recall.lessons(store, wanted, context.now(), file.tuning, limit=top, budget=budget)
        principles = recall.principles(store, context.now()) if found.items else []
        if found.items and store.writable:
            _remember(store, [*found.items, *principles])
    if json:
        items, general = ([_as_json(item) for item in some] for some in (found.items, principles))
        output.print_json({"skill": name, "rung": found.rung, "items": items, "principles": general}, store)
    if not found.items:
        fail(f'Nothing is known yet about the skill "{name}" here.', answered=True)
    if not json:
        print(_block(name, found.items, file.mark, principles), end="")


def _remember(store: Store, items: list[Item]) -> None:
    now = context.now()
    kept = [item for item in items if not item.ranked.memory.id.startswith(legacy.SIGN)]
    showings.record(store, [Showing(item.ranked.memory.id, "inject", now, item.tokens) for item in kept])


def _as_json(item: Item) -> dict[str, Any]:
    memory = item.ranked.memory
    return {
        "id": memory.id,
        "title": memory.title,
        "body": item.body,
        "trust": memory.trust,
        "hits": item.ranked.candidate.hits,
        "score": round(item.ranked.score, 4),
        "clipped": item.clipped,
        "created_at": memory.created_at,
    }


def _block(name: str, items: list[Item], now: str, principles: list[Item]) -> str:
    lines = "".join(_line(item, now) for item in items)
    general = "".join(_line(item, "") for item in principles)
    rest = f"\nHolds everywhere:\n{general}" if general else ""
    return _harmless(f"[hardwon: {' '.join(name.split())}]\n\nPast experience:\n{lines}{rest}")


def _line(item: Item, now: str) -> str:
    """`now` is the mark of the skill's text as it is."""
    memory = item.ranked.memory
    changed = mark.is_another(now, memory.skill_mark)
    said = f"{item.body} (the skill has changed since)" if changed else item.body
    return skills.entry(memory, item.ranked.candidate.hits, said)


def _harmless(block: str) -> str:
    """Without anything that a client could take for a part of its own frame, or of ours."""
    return untrusted.disarmed(block)
