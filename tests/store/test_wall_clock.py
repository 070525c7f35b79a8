"""A clock that is wrong for a while: nothing is removed for its age before the time is believed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention, upkeep, wall_clock
from hardwon.store.tables import journal, showings
from hardwon.store.tables.showings import Showing
from tests.support import opened

NOW = 1_800_000_000_000
DAY = 86_400_000
HOUR = 3_600_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """With a session of yesterday that was learned from."""
    with opened(tmp_path / "home") as one:
        for number in range(3):
            event = Event(
                EventType.TOOL_FAILED,
                "a-client",
                "s1",
                NOW - DAY + number,
                call=f"call-{number}-0123456789",
                tool="Bash",
                target="make test",
                error="boom",
            )
            journal.append(one, event, Tier.FULL)
        retention.learned(one, "a-client", "s1", NOW - DAY + 2)
        yield one


def test_a_clock_that_jumped_removes_nothing(store: Store) -> None:
    """A year ahead for a moment: the journal and what was shown stay; upkeep goes on when the clock is right again."""
    showings.record(store, [Showing("m", "prompt", NOW - DAY, 20)])
    upkeep.run(store, NOW - HOUR)
    for at in (NOW + 365 * DAY, NOW + 365 * DAY + 2 * HOUR):
        assert upkeep.due(store, at)
        upkeep.run(store, at)
    assert wall_clock.jumped(store) == 365
    assert upkeep.due(store, NOW)
    upkeep.run(store, NOW)
    assert wall_clock.jumped(store) == 0
    assert not upkeep.due(store, NOW + 60_000)
    assert journal.count(store) == 3
    assert len(showings.of_memory(store, "m")) == 1


def test_a_year_that_really_passed_is_believed_a_day_later(store: Store) -> None:
    """Who comes back to a home after a year waits a day for what is due."""
    upkeep.run(store, NOW - HOUR)
    assert upkeep.run(store, NOW + 365 * DAY) == ""
    assert upkeep.run(store, NOW + 366 * DAY) != ""
    assert journal.count(store) == 0


def test_a_database_of_before_the_jump_was_known_about_is_no_exception(store: Store) -> None:
    """It has only the stamp of its last upkeep."""
    upkeep.run(store, NOW - HOUR)
    store.db.execute("delete from meta where key like 'clock%'")
    for at in (NOW + 365 * DAY, NOW + 365 * DAY + 2 * HOUR):
        upkeep.run(store, at)
    assert journal.count(store) == 3
