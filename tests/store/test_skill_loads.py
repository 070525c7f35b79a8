"""A load of a skill counts once, however many events tell of it, and stays counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType
from hardwon.memory import Status
from hardwon.paths import Home
from hardwon.redact import border
from hardwon.settings import Settings
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.erasure import forget, scrub
from hardwon.store.maintenance import repair, retention
from hardwon.store.tables import journal, showings, skill_loads
from hardwon.store.tables.showings import Outcome, Showing
from hardwon.store.tables.skill_loads import DAY, Use, day_of
from hardwon.text import tiers
from tests.support import files_with, note, opened

AT = 1_790_000_000_000
KEY = "ghp_" + "a1B2" * 9


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def loaded(tool: str = "Skill", *, skill: str = "deploy", call: str = "", prompt: str = "p1", **fields: Any) -> Event:
    base = Event(EventType.SKILL_LOADED, "claude-code", "s1", AT, tool=tool, target=skill, call=call, prompt=prompt)
    return dataclasses.replace(base, **fields)


def finished(call: str, *, prompt: str = "p1", **fields: Any) -> Event:
    return loaded(call=call, prompt=prompt, type=EventType.TOOL_FINISHED, **fields)


def heard(store: Store, *events: Event) -> int:
    """As the keeper does it: into the journal, and what is new is counted; how many loads there are then."""
    for number, event in enumerate(events):
        placed = border.clean_event(dataclasses.replace(event, at=event.at + number), store.redactor)
        if journal.append(store, placed, tiers.tier(placed)):
            skill_loads.count(store, placed)
    return sum(use.loads for use in skill_loads.uses(store, AT))


TYPED = {"tool": "prompt"}
ENDED = loaded("", prompt="", type=EventType.TURN_ENDED)


@pytest.mark.parametrize(
    ("events", "loads"),
    [
        ([loaded(call="c1")], 1),
        ([finished("c1"), loaded(call="c1")], 1),
        ([finished("c1"), loaded(call="c1"), loaded("Read", call="c2")], 1),
        ([loaded("Read", call="c1"), loaded(call="c2")], 1),
        ([loaded(call="c1"), loaded(call="c1", at=AT + 500)], 1),
        ([loaded(call="c1"), loaded(call="c2", prompt="p2")], 2),
        ([loaded(call="c1"), loaded(call="c2", session="s2")], 2),
        ([loaded(call="c1"), loaded(call="c2", agent="a1")], 2),
        ([loaded(call="c1"), finished("c1", prompt="", agent="a1")], 1),
        ([loaded(call="c1"), loaded(call="c2", skill="review")], 2),
        ([loaded(**TYPED), loaded("Read", call="c1")], 1),
        ([loaded(**TYPED), loaded(**TYPED, prompt="p2")], 2),
        ([finished("c1"), finished("c1")], 1),
        ([loaded(call="c1", prompt=""), loaded("Read", call="c2", prompt="")], 1),
        ([loaded(call="c1", prompt=""), ENDED, loaded(call="c2", prompt="")], 2),
        ([loaded(call="c1", type=EventType.SKILL_LOADING)], 0),
        ([loaded("Read", call="c1", skill="/x/SKILL.md", type=EventType.TOOL_FINISHED)], 0),
        ([loaded(call="c1", skill="")], 0),
        ([ENDED, ENDED], 0),
    ],
    ids=[
        "one", "outcome and load", "tool and file", "file and tool", "told twice", "two turns", "two sessions",
        "main and sub-agent", "the transcript tells it again", "two skills", "typed and read", "typed twice",
        "transcript twice", "no turn ids", "no turn ids, two turns", "only before it", "any other file", "no name",
        "ends of turns",
    ],
)  # fmt: skip
def test_a_load_counts_once(store: Store, events: Sequence[Event], loads: int) -> None:
    """Once per session, agent and turn, by the client's own ids where it has any."""
    assert heard(store, *events) == loads


def test_statistics(store: Store) -> None:
    """Loads in all and per day, lessons by status, showings and what helped, for each skill; most loaded first."""
    heard(store, loaded(call="c1"), loaded(call="c2", prompt="p2"), loaded(call="c3", prompt="p3", at=AT - DAY))
    heard(store, loaded(call="c4", prompt="p4", at=AT - 40 * DAY), loaded(call="c5", skill="review"))
    first, second = note(store, "Use port 8080", skill="deploy"), note(store, "Stop first", skill="deploy", project="p")
    changes.move(store, second, Status.ARCHIVED, AT)
    note(store, "Not loaded", skill="unused")
    note(store, "No skill's")
    shown = [Showing(first, "skill", AT, 5), Showing(first, "skill", AT, 5, Outcome.HELPED)]
    showings.record(store, shown)
    deploy, review, unused = skill_loads.uses(store, AT)
    assert deploy == Use(
        "deploy", loads=4, last_seen=AT + 1, active=1, archived=1, shown=2, helped=1,
        by_day={day_of(AT - DAY): 1, day_of(AT): 2},
    )  # fmt: skip
    assert (review.skill, review.loads, review.active) == ("review", 1, 0)
    assert (unused.skill, unused.loads, unused.last_seen, unused.active) == ("unused", 0, None, 1)


def test_it_outlives_the_journal(store: Store) -> None:
    """What retention drops stays counted."""
    heard(store, loaded(call="c1"))
    for host, session in retention.unlearned(store, AT + 100 * DAY, 10):
        retention.learned(store, host, session, AT + DAY)
    assert retention.run(store, AT + 100 * DAY).entries == 1
    assert journal.count(store) == 0
    assert skill_loads.uses(store, AT)[0].loads == 1


def test_a_name_with_a_secret_in_it_is_kept_without(store: Store) -> None:
    """A skill's name comes from outside like any text."""
    heard(store, loaded(call="c1", skill=f"deploy {KEY}"))
    assert KEY not in skill_loads.uses(store, AT)[0].skill
    assert not files_with(store.home.root, KEY)


def test_scrub_reaches_the_names(store: Store) -> None:
    """A rule that was added later takes its findings out of the counts, and nothing is lost or counted twice."""
    name = f"deploy {KEY}"
    cleaned = store.redactor.text(name)
    for skill, loads, last in ((name, 2, 5), (cleaned, 1, 9)):
        store.db.execute("insert into skill_loads values (?, '2026-01-01', 'd', ?, ?)", (skill, loads, last))
    assert scrub.scrub(store, dry_run=True).rows == 1
    assert len(skill_loads.uses(store, AT)) == 2
    assert scrub.scrub(store).rows == 1
    assert [(use.skill, use.loads, use.last_seen) for use in skill_loads.uses(store, AT)] == [(cleaned, 3, 9)]
    assert not files_with(store.home.root, KEY)


def test_a_forgotten_text_is_no_skills_name_either(store: Store) -> None:
    """Not one byte of it stays; other skills keep their counts."""
    text = "the-secret-project-of-the-year"
    heard(store, loaded(call="c1", skill=text), loaded(call="c2"))
    forget.forget(store, [note(store, text)], AT)
    assert [use.skill for use in skill_loads.uses(store, AT)] == ["deploy"]
    assert not files_with(store.home.root, text)


def test_it_survives_a_restore(tmp_path: Path) -> None:
    """What was counted is salvaged from a damaged file with the journal."""
    root = tmp_path / "home"
    with opened(root) as store:
        note(store, "something")
        heard(store, loaded(call="c1"))
        store.db.execute("pragma wal_checkpoint(truncate)")
    repair.restore(Home(root), Settings(), AT)
    with opened(root) as store:
        assert skill_loads.uses(store, AT)[0].loads == 1
