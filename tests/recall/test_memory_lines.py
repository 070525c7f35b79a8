"""Memories about the same subject: the later one first, and the line as `why` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories import Question, at_prompt, memory_lines, moments, recall
from hardwon.memories.search.batch import embed_missing
from hardwon.memory import Anchor, AnchorKind, Kind, Rejected, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories, subjects
from tests.recall.models import real
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


def said_with_history(store: Store, text: str) -> list[tuple[str, list[str]]]:
    found = recall(store, Question(text, ("*",)), NOW, limit=5, budget=10_000)
    return [(item.ranked.memory.id, [one.id for one in item.ranked.before]) for item in found.items]


def test_the_later_decision_is_said_instead(store: Store) -> None:
    """Though the earlier fits the question better, and nobody linked the two; the earlier is history behind it."""
    first, second = decide(store, EARLIER, 30), decide(store, LATER, 1)
    asked = "why are sessions stored in Redis, because it expires them?"
    assert said_with_history(store, asked) == [(second, [first])]


def test_a_question_about_the_past_is_told_both(store: Store) -> None:
    first, second = decide(store, EARLIER, 30), decide(store, LATER, 1)
    assert said(store, "why did we once store sessions in Redis?") == [second, first]
    first, second = decide(store, "We deploy to Heroku", 30), decide(store, "We moved away from Heroku to Fly.io", 1)
    assert said(store, "why did we deploy there?") == [second, first]


def test_a_memory_is_followed_to_what_has_no_word_of_the_question(store: Store) -> None:
    """And from there on."""
    first = decide(store, "We deploy to Heroku", 30)
    second = decide(store, "We moved away from Heroku: production runs on Fly.io", 20)
    third = decide(store, "We replaced Fly.io with a machine of our own, production runs there", 10)
    assert said_with_history(store, "where do we deploy?") == [(third, [first])]
    memory = memories.get(store, first)
    assert memory is not None
    assert [one.id for one in memory_lines.about_the_same(store, memory)] == [second, third]


@pytest.mark.parametrize("others", [0, 20])
def test_three_ports(tmp_path: Path, others: int) -> None:
    """The last one is said, in a home of four memories and in a larger one."""
    with opened(tmp_path / "home") as store:
        for number in range(others):
            note(store, f"Ordinary lesson about thing{number} and matter{number}", NOW - 90 * DAY)
        note(store, "Lint with ruff before a commit", NOW - 50 * DAY)
        ports = [decide(store, f"The API listens on port {port}", 40 - port % 10) for port in (8080, 8081, 8082)]
        assert said_with_history(store, "which port does the API listen on?") == [(ports[2], [ports[1], ports[0]])]


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("days", [(30, 1), (1, 30)])
def test_what_only_looks_like_it_changes_nothing(store: Store, days: tuple[int, int], embedded: bool) -> None:
    """Two decisions about one file, of near meaning: nothing says that the later took the place of the earlier."""
    file = (Anchor(AnchorKind.FILE, "src/pipeline.py"),)
    jenkins = note(
        store, "The pipeline builds images on Jenkins", NOW - days[0] * DAY, kind=Kind.DECISION, anchors=file
    )
    github = note(
        store, "Images get built by the GitHub pipeline", NOW - days[1] * DAY, kind=Kind.DECISION, anchors=file
    )
    if embedded:
        embed_missing(store, real())
    found = recall(store, Question("the pipeline on Jenkins", ("*",), anchors=file), NOW, limit=5, budget=10_000)
    assert [item.ranked.memory.id for item in found.items] == [jenkins, github]
    assert not any(item.ranked.before for item in found.items)
    memory = memories.get(store, jenkins)
    assert memory is not None
    assert memory_lines.about_the_same(store, memory) == []


def test_what_is_pinned_is_said(store: Store) -> None:
    """A person wants it said; what came later is a guess."""
    first, second = decide(store, EARLIER, 30), decide(store, LATER, 1)
    changes.edit(store, first, {"pinned": True}, NOW)
    assert set(said(store, "why are sessions stored in Redis, because it expires them?")) == {first, second}


def test_what_was_called_wrong_takes_no_place(store: Store) -> None:
    """By an agent: it is still said, beside what it would replace."""
    first, second = decide(store, EARLIER, 30), decide(store, LATER, 1)
    changes.edit(store, second, {"complaints": ["no"]}, NOW)
    assert set(said(store, "why are sessions stored in Redis, because it expires them?")) == {first, second}


def test_another_project_takes_no_place(store: Store) -> None:
    first = decide(store, EARLIER, 30)
    note(store, LATER, NOW - DAY, kind=Kind.DECISION, trust=Trust.USER, project="p-other")
    found = recall(store, Question("where are sessions stored, Redis?", ("*", "p-other")), NOW, limit=5, budget=10_000)
    assert first in [item.ranked.memory.id for item in found.items]


def test_after_compaction_the_later_one_is_said(store: Store) -> None:
    first, second = (decide(store, text, ago, kind=Kind.CONSTRAINT) for text, ago in ((EARLIER, 30), (LATER, 1)))
    told = [item.ranked.memory.id for item in moments.brief(store, "*", compacted=True)]
    assert second in told
    assert first not in told


def test_what_was_turned_down_once_is_not_held_against_who_decided_otherwise(store: Store) -> None:
    """The later decision is said in the place of the one against it."""
    turned_down = (Rejected("Redis", "lost sessions"),)
    body, when = "Sessions are stored in Postgres", NOW - 30 * DAY
    note(store, body, when, kind=Kind.DECISION, trust=Trust.USER, rejected=turned_down)
    second = decide(store, "Sessions are stored in Redis now, Postgres was too slow", 1)
    found = at_prompt.fitting(store, "let's use Redis", "*", (), NOW)
    assert [item.ranked.memory.id for item in found.items] == [second]


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


def test_of_two_lessons_the_later_one_holds(store: Store) -> None:
    """What is noted without a kind is a lesson, also when it says how something is."""
    first = decide(store, "The API listens on port 8080", 30, kind=Kind.LESSON)
    second = decide(store, "The API listens on port 9090", 1, kind=Kind.LESSON)
    third = decide(store, "The API listens only after its migrations", 2, kind=Kind.LESSON)
    found = said(store, "on which port does the API listen?")
    assert first not in found
    assert {second, third} <= set(found)
