"""Room for lessons: who has to go when there are too many."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hardwon.memory import Kind, Status, Trust
from hardwon.settings import Settings
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.maintenance import room, upkeep
from hardwon.store.maintenance.room import Entry, too_many
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import Outcome, Showing
from tests.support import note, now, opened

NOW = 1_800_000_000_000
YEAR = 31_557_600_000


def entry(id: str, **fields: object) -> Entry:
    return dataclasses.replace(Entry(id, NOW), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entries", "most", "gone"),
    [
        ([], 1, []),
        ([entry("a"), entry("b")], 2, []),
        ([entry("a"), entry("b")], 0, []),
        ([entry("a", hits=1), entry("b")], 1, ["b"]),
        ([entry("a", helped=1), entry("b", hits=2)], 1, ["b"]),
        ([entry("a", hits=5, complaints=6), entry("b")], 1, ["a"]),
        # Of two that nobody needed again, the older.
        ([entry("new"), entry("old", created_at=NOW - YEAR)], 1, ["old"]),
        # Age never weighs more than one time of use.
        ([entry("new"), entry("old", created_at=NOW - 20 * YEAR, hits=2)], 1, ["new"]),
        # What came with hardwon has no age (W7).
        ([entry("learned", created_at=NOW - YEAR), entry("starter", created_at=0, source="starter")], 1, ["learned"]),
        ([entry("starter", created_at=0, source="starter", hits=9), entry("new")], 1, ["new"]),
        # Pinned ones stay, even if there are more than fit.
        ([entry("a", pinned=True), entry("b", pinned=True), entry("c", hits=9)], 1, ["c"]),
        ([entry("a", pinned=True), entry("b", pinned=True)], 1, []),
        # A person's go last.
        ([entry("person", trust=Trust.USER, created_at=0), entry("agent", hits=50)], 1, ["agent"]),
        ([entry("p", trust=Trust.USER), entry("q", trust=Trust.USER, hits=1), entry("r", hits=9)], 1, ["r", "p"]),
        # A clock that went back does not make anything useful.
        ([entry("future", created_at=NOW + YEAR), entry("b", hits=1)], 1, ["future"]),
    ],
)
def test_the_least_useful_make_room(entries: list[Entry], most: int, gone: list[str]) -> None:
    """By use, gently by age, never a pinned one."""
    assert too_many(entries, most, NOW) == gone


def limited(**fields: int) -> Settings:
    return dataclasses.replace(Settings(), skills=dataclasses.replace(Settings().skills, **fields))  # type: ignore[arg-type]


def active(store: Store) -> list[str]:
    return sorted(memory.body for memory in memories.all_memories(store) if memory.status is Status.ACTIVE)


def test_each_place_has_its_own_room(tmp_path: Path) -> None:
    """A skill in one project, a skill everywhere, what holds everywhere; archived with a reason, and restorable."""
    with opened(tmp_path, limited(max=2, global_max=3)) as store:
        for number in range(5):
            note(store, f"git {number}", now() + number, skill="git")
            note(store, f"git of p {number}", now() + number, skill="git", project="p")
            note(store, f"principle {number}", now() + number)
            note(store, f"of p {number}", project="p")
            note(store, f"raw {number}", skill="git", kind=Kind.CHECKPOINT)
        first = next(one for one in memories.all_memories(store) if one.body == "git 0")
        changes.hit(store, first.id)
        note(store, "commanded", project="p")
        assert len(room.make(store, now()).archived) == 3 + 3 + 2
        found = active(store)
        assert [body for body in found if body.startswith("git ") and " of " not in body] == ["git 0", "git 4"]
        assert [body for body in found if body.startswith("git of p")] == ["git of p 3", "git of p 4"]
        assert [body for body in found if body.startswith("principle")] == [f"principle {n}" for n in (2, 3, 4)]
        assert len([body for body in found if body.startswith("of p")]) == 5
        assert len([body for body in found if body.startswith("raw")]) == 5
        gone = next(one for one in memories.all_memories(store) if one.body == "git 1")
        assert (gone.status, gone.reason) == (Status.ARCHIVED, "made room")
        changes.undo(store, now())
        assert "commanded" not in active(store)
        changes.move(store, gone.id, Status.ACTIVE, now())
        assert "git 1" in active(store)
        assert room.make(store, now(), ["other"]).archived == ()
        assert len(room.make(store, now(), ["git"]).archived) == 1


def test_what_helped_stays(tmp_path: Path) -> None:
    """A showing after which it went well counts more than being learned again."""
    with opened(tmp_path, limited(max=1)) as store:
        helped = note(store, "helped", skill="git")
        learned = note(store, "learned again", skill="git")
        changes.hit(store, learned)
        showings.record(store, [Showing(helped, "skill", now(), 10, Outcome.HELPED)])
        room.make(store, now())
        assert active(store) == ["helped"]


def test_no_limit(tmp_path: Path) -> None:
    """0 keeps all."""
    with opened(tmp_path, limited(max=0, global_max=0)) as store:
        for number in range(5):
            note(store, f"git {number}", skill="git")
            note(store, f"principle {number}")
        assert room.make(store, now()).archived == ()


def test_upkeep_makes_room(tmp_path: Path) -> None:
    """Once an hour for everything, and after each change for what has changed."""
    with opened(tmp_path, limited(max=1)) as store:
        note(store, "one", skill="git")
        note(store, "two", now() + 5, skill="git")
        upkeep.lessons(store, now())
        assert active(store) == ["two"]
        text = (tmp_path / "skills" / "git" / "KNOWLEDGE.md").read_text()
        assert "two" in text
        assert "] one" not in text
        note(store, "three", now() + 9, skill="git")
        upkeep.run(store, now())
        assert active(store) == ["three"]
