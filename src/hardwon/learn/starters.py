"""Starter lessons become memories: on request, beside what is there and never over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Status, Trust, normalise
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.log import records, tombstones
from hardwon.store.tables import memories
from hardwon.text.skills.starters import Lesson, Starter, parse

SOURCE = "starter"


def shipped() -> dict[str, Starter]:
    """The starters that come with hardwon, by skill."""
    folder = Path(__file__).parent.parent / "starters"
    found = [parse(file.read_text(encoding="utf-8"))[0] for file in sorted(folder.glob("*.md"))]
    return {starter.skill: starter for starter in found}


@dataclass(frozen=True, slots=True)
class Planned:
    """A lesson for a skill, and why it is not added, if it isn't."""

    skill: str
    lesson: Lesson
    because: str = ""


def plan(store: Store, starter: Starter, *, asked: bool) -> list[Planned]:
    """What adding would do. A skill that has lessons of its own gets none unless it was `asked` for by its name."""
    return [one for name in starter.names for one in _plan(store, name, starter, asked)]


def _plan(store: Store, skill: str, starter: Starter, asked: bool) -> Iterator[Planned]:
    has_any = store.row("select 1 from memories where skill = ? and kind = 'lesson' limit 1", (skill,)) is not None
    known = {normalise(text) for memory in _starters(store, skill) for text in _texts(store, memory)}
    for lesson in starter.lessons:
        if normalise(lesson.text) in known or memories.same_text(store, Scope(GLOBAL, skill), lesson.text, Kind.LESSON):
            yield Planned(skill, lesson, "known")
        elif tombstones.is_buried(store, lesson.text, None):
            yield Planned(skill, lesson, "forgotten")
        elif has_any and not asked:
            yield Planned(skill, lesson, "the skill has lessons already")
        else:
            yield Planned(skill, lesson)


def add(store: Store, planned: list[Planned], now: int) -> int:
    """How many were added."""
    with store.transaction():
        noted = [changes.note(store, changes.passed(store, _draft(one)), now) for one in planned if not one.because]
    return sum(one.outcome is changes.Outcome.CREATED for one in noted)


def _draft(planned: Planned) -> Draft:
    return Draft(
        kind=Kind.LESSON,
        body=planned.lesson.text,
        scope=Scope(GLOBAL, planned.skill),
        trust=Trust.AGENT,
        source=SOURCE,
        title=planned.lesson.title,
        evidence=(planned.lesson.source,),
    )


def removable(store: Store, starter: Starter) -> list[Memory]:
    """Its lessons that are still as they were added: nobody edited, judged, pinned, moved or learned them since."""
    there = [memory for name in starter.names for memory in _starters(store, name)]
    hits = memories.hits(store, [memory.id for memory in there])
    return [memory for memory in there if not hits.get(memory.id) and _is_untouched(store, memory)]


def remove(store: Store, gone: list[Memory], now: int) -> None:
    """Take them back, as `undo` would: their history stays, and they can be added again."""
    with store.transaction():
        for memory in gone:
            for record in records.of_memory(store, memory.id):
                if record.operation == records.CREATE:
                    target = {"device": record.device, "sequence": record.sequence}
                    records.append(store, memory.id, records.UNDO, target, now)
            memories.apply(store, memory.id)


def _is_untouched(store: Store, memory: Memory) -> bool:
    operations = [record.operation for record in records.of_memory(store, memory.id)]
    changed = set(operations) - {records.CREATE, records.UNDO}
    return memory.status is Status.ACTIVE and not changed


def _starters(store: Store, skill: str) -> list[Memory]:
    """The starter lessons that a skill was given, of any status: an archived one is there, too."""
    sql = "select id from memories where skill = ? and source = ? order by id"
    found = memories.by_ids(store, [id for (id,) in store.rows(sql, (skill, SOURCE))])
    return list(found.values())


def _texts(store: Store, memory: Memory) -> list[str]:
    """What it says and what it said at first: edited it is known all the same."""
    payloads = [record.payload or {} for record in records.of_memory(store, memory.id)]
    return [memory.body, *(payload["body"] for payload in payloads if "body" in payload)]
