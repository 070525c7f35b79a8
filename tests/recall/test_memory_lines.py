"""Memories about the same subject: the later one first, and the line as `why` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memory import Kind, Trust
from hardwon.recall import Question, memory_lines, recall
from hardwon.store import changes, memories, subjects
from hardwon.store.connection import Store
from tests.support import draft, note, opened

NOW = 1_790_000_000_000
DAY = 86_400_000
EARLIER = "Sessions are stored in Redis because it expires them"
LATER = "Sessions are stored in Postgres now, Redis lost them twice"
OTHER = "Sessions of the admin area end after ten minutes"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        for number in range(20):
            note(store, f"Ordinary lesson about thing{number} and matter{number}", NOW - 90 * DAY)
        yield store


def decide(store: Store, text: str, days_ago: int, trust: Trust = Trust.USER, kind: Kind = Kind.DECISION) -> str:
    return note(store, text, NOW - days_ago * DAY, kind=kind, trust=trust)


def said(store: Store, text: str) -> list[str]:
    found = recall(store, Question(text, ("*",)), NOW, limit=5, budget=10_000)
    return [item.ranked.memory.id for item in found.items]


def test_the_later_decision_is_said_first(store: Store) -> None:
    """Though the earlier fits the question better, and nobody linked the two."""
    first, second = decide(store, EARLIER, 30), decide(store, LATER, 1)
    found = said(store, "why are sessions stored in Redis, because it expires them?")
    assert found.index(second) < found.index(first)


@pytest.mark.parametrize(
    ("later", "trust", "kind"),
    [
        (OTHER, Trust.USER, Kind.DECISION),  # another subject
        (LATER, Trust.AGENT, Kind.DECISION),  # an agent does not overrule a person
        (LATER, Trust.USER, Kind.LESSON),  # a lesson decides nothing
    ],
)
def test_what_does_not_continue_it_changes_nothing(store: Store, later: str, trust: Trust, kind: Kind) -> None:
    first, second = decide(store, EARLIER, 30), decide(store, later, 1, trust, kind)
    found = said(store, "why are sessions stored in Redis, because it expires them?")
    assert found[0] == first
    memory = memories.get(store, second)
    assert memory is not None
    assert first not in [one.id for one in memory_lines.about_the_same(store, memory)]


def test_the_line_of_a_memory(store: Store) -> None:
    """By links, by subject and by words, oldest first."""
    first = decide(store, EARLIER, 30)
    second = decide(store, LATER, 20)
    third = decide(store, "Cookies hold everything, signed", 10)
    changes.supersede(store, second, third, NOW)
    memory = memories.get(store, second)
    assert memory is not None
    assert [one.id for one in memory_lines.about_the_same(store, memory)] == [first, third]


def test_a_subject_makes_a_line(store: Store) -> None:
    old = subjects.decide(store, draft("Blue", kind=Kind.DECISION), "button colour", NOW - DAY).noted.id
    new = subjects.decide(store, draft("Green", kind=Kind.DECISION), "Button  Colour", NOW).noted.id
    assert old is not None and new is not None  # noqa: PT018
    memory = memories.get(store, old)
    assert memory is not None
    assert [one.id for one in memory_lines.about_the_same(store, memory)] == [new]
