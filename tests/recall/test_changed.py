"""Which memories count as changed since a project's last session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.memories import changed
from hardwon.memories.changed import Ended
from hardwon.memory import GLOBAL, Kind, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import journal
from tests.support import note, opened

AT = 1_790_000_000_000
HERE = "project-1"
LAST = Ended("claude-code", "s1", AT)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


def session(store: Store, id: str, at: int, project: str = HERE, host: str = "claude-code") -> None:
    event = Event(EventType.PROMPT_SUBMITTED, host, id, at, project, "/srv/app", prompt=f"p{at}", text="go on")
    assert journal.append(store, event, Tier.FULL)


@pytest.mark.parametrize(
    ("sessions", "found"),
    [
        ([], None),
        ([("now", AT)], None),
        ([("s1", AT), ("now", AT + 5)], Ended("claude-code", "s1", AT)),
        ([("s1", AT), ("s2", AT + 3), ("s1", AT + 9)], Ended("claude-code", "s1", AT + 9)),
        ([("s1", AT), ("s2", AT + 3, "project-2")], Ended("claude-code", "s1", AT)),
        ([("s1", AT), ("now", AT + 3, HERE, "codex")], Ended("codex", "now", AT + 3)),
    ],
)
def test_the_last_session(store: Store, sessions: list[tuple[Any, ...]], found: Ended | None) -> None:
    """Of this project and not this one; another client's session of the same name is another."""
    for one in sessions:
        session(store, *one)
    assert changed.last_session(store, HERE, "claude-code", "now") == found


@pytest.mark.parametrize(
    ("at", "fields", "counts"),
    [
        (AT + 1, {}, True),
        (AT, {}, False),
        (AT - 1, {}, False),
        (AT + 1, {"project": "project-2"}, False),
        (AT + 1, {"project": GLOBAL}, False),
        (AT + 1, {"skill": "deploy"}, True),
        (AT + 1, {"trust": Trust.UNTRUSTED}, False),
        (AT + 1, {"kind": Kind.CHECKPOINT}, False),
        (AT + 1, {"evidence": ("claude-code:s1:toolu_1",)}, False),
        (AT + 1, {"evidence": ("claude-code:s11:toolu_1",)}, True),
        (AT + 1, {"evidence": ("codex:s1:toolu_1",)}, True),
    ],
    ids=repr,
)
def test_what_is_new(store: Store, at: int, fields: dict[str, Any], counts: bool) -> None:
    """Of this project, after that session's end, and not what it taught itself."""
    id = note(store, "a text", at, **({"project": HERE} | fields))
    found = changed.since(store, HERE, LAST)
    assert found.count == counts
    assert [one.ranked.memory.id for one in found.newest] == [id] * counts


@pytest.mark.parametrize(
    ("status", "counts"),
    [(Status.RESOLVED, True), (Status.ARCHIVED, False), (Status.STALE, False), (Status.SUPERSEDED, False)],
)
def test_what_was_changed(store: Store, status: Status, counts: bool) -> None:
    """A task that was done meanwhile counts, what is out of sight does not."""
    id = note(store, "write the release notes", AT - 9, project=HERE, kind=Kind.TASK)
    changes.move(store, id, status, AT + 1)
    assert changed.since(store, HERE, LAST).count == counts


def test_what_the_session_taught_and_another_changed_since(store: Store) -> None:
    """It was there at its end, and is other now."""
    id = note(store, "a lesson", AT - 9, project=HERE, evidence=("claude-code:s1:toolu_1",))
    assert changed.since(store, HERE, LAST).count == 0
    changes.move(store, id, Status.RESOLVED, AT + 1)
    assert changed.since(store, HERE, LAST).count == 1


def test_the_newest_come_first_and_the_count_has_a_bound(store: Store) -> None:
    """A large import must not make a session's start slow."""
    with store.transaction():
        for number in range(changed.MOST + 5):
            note(store, f"lesson number {number}", AT + 1 + number, project=HERE)
    found = changed.since(store, HERE, LAST)
    assert found.count == changed.MOST
    bodies = [one.ranked.memory.body for one in found.newest]
    assert bodies == [f"lesson number {changed.MOST + 4 - back}" for back in range(changed.LOOKED_AT)]
