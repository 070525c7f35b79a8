"""On which days a failure happened, and whether it happens less since it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memory import Kind
from hardwon.settings import Settings
from hardwon.settings.keys import Retention
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.maintenance import repair, upkeep
from hardwon.store.tables import recurrences, showings
from hardwon.store.tables.recurrences import Happened, Met, Rate, Repeats, repeats
from hardwon.store.tables.showings import Outcome, Showing
from hardwon.store.tables.skill_loads import DAY, day_of
from tests.support import note, now, opened

AT = 1_790_000_000_000


def on(*days: int, failure: str = "f") -> list[Happened]:
    """Days of January 2026."""
    return [(failure, day(one)) for one in days]


def day(number: int) -> str:
    return f"2026-01-{number:02}"


NONE = Rate()

MEASURED: list[tuple[str, list[Happened], dict[str, str], int, Repeats]] = [
    ("nothing", [], {}, 30, Repeats(0, NONE, NONE)),
    ("once", on(1), {}, 30, Repeats(0, NONE, NONE)),
    ("twice on one day", on(1, 1), {}, 2, Repeats(0, NONE, NONE)),
    ("again, never shown", on(1, 8), {}, 8, Repeats(1, NONE, NONE)),
    ("again long ago", on(1, 8), {}, 30, Repeats(0, NONE, NONE)),
    ("again six days ago", on(1, 8), {}, 14, Repeats(1, NONE, NONE)),
    ("again seven days ago", on(1, 8), {}, 15, Repeats(0, NONE, NONE)),
    ("shown when it came back, then no more", on(1, 8), {"f": day(8)}, 22, Repeats(0, Rate(1, 1), Rate(0, 2))),
    ("shown, and still came back", on(1, 8, 15), {"f": day(8)}, 15, Repeats(1, Rate(1, 1), Rate(1, 1))),
    ("shown on the day it was learned", on(1, 8), {"f": day(1)}, 15, Repeats(0, NONE, Rate(1, 2))),
    ("shown before it was counted here", on(8, 15), {"f": day(1)}, 15, Repeats(1, NONE, Rate(1, 1))),
    ("shown, never again", on(1), {"f": day(8)}, 15, Repeats(0, Rate(0, 1), Rate(0, 1))),
    ("shown today", on(1, 8), {"f": day(8)}, 8, Repeats(1, Rate(1, 1), NONE)),
    (
        "two failures, one of them shown",
        [*on(1, 8), *on(1, 8, 15, failure="g")],
        {"f": day(8)},
        15,
        Repeats(1, Rate(1, 1), Rate(0, 1)),
    ),
    (
        "two failures, both shown",
        [*on(1, 4, 8), *on(8, 22, failure="g")],
        {"f": day(8), "g": day(15)},
        29,
        Repeats(0, Rate(2, 2), Rate(1, 5)),
    ),
    ("from a clock that runs ahead", on(1, 20), {"f": day(25)}, 15, Repeats(0, Rate(0, 2), NONE)),
]


@pytest.mark.parametrize("row", MEASURED, ids=[row[0] for row in MEASURED])
def test_repeats(row: tuple[str, list[Happened], dict[str, str], int, Repeats]) -> None:
    """A later day counts one; before and after the first showing, with the weeks in which it could happen."""
    _, happened, shown, today, wanted = row
    assert repeats(happened, shown, day(today)) == wanted


def test_a_rate_is_per_week_of_one_failure() -> None:
    """And nothing where no time has passed."""
    assert Rate(3, 1.5).per_week == 2
    assert Rate(0, 4).per_week == 0
    assert Rate().per_week is None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def met(*events: tuple[str, int, bool]) -> Met:
    found = Met()
    for memory, at, known in events:
        found.add(memory, at, known=known)
    return found


def test_a_session_counts_once_a_day(store: Store) -> None:
    """However often it ran into it, and however often it is read; another day and another session count again."""
    recurrences.record(store, met(("f", AT, False), ("f", AT + 5, False)))
    recurrences.record(store, met(("f", AT, True), ("f", AT + 9, False)))
    recurrences.record(store, met(("f", AT + 9, False), ("f", AT, True)))
    assert recurrences.days(store, "f") == {day_of(AT): 1}
    recurrences.record(store, met(("f", AT, True), ("f", AT + DAY, False)))
    recurrences.record(store, met(("f", AT + DAY, False)))
    assert recurrences.days(store, "f") == {day_of(AT): 1, day_of(AT + DAY): 2}
    assert recurrences.days(store, "g") == {}


def test_what_is_stored_is_measured(store: Store) -> None:
    """Days of all devices, and the first showing of each."""
    for back in (20, 13):
        recurrences.record(store, met(("f", AT - back * DAY, False)))
    showings.record(store, [Showing("f", "prompt", AT - back * DAY, 9, Outcome.UNKNOWN) for back in (6, 13)])
    assert recurrences.measured(store, AT) == Repeats(0, Rate(1, 1), Rate(0, 13 / 7))


def test_forgetting_takes_showings_outcomes_and_days_along(store: Store) -> None:
    """Not even that something happened on a day is left of a forgotten memory."""
    id = note(store, "`make test` failed: the secret project's name", kind=Kind.FAILURE)
    kept = note(store, "another failure that stays", kind=Kind.FAILURE)
    for one in (id, kept):
        recurrences.record(store, met((one, AT, False)))
        showings.record(store, [Showing(one, "prompt", AT, 9, Outcome.IGNORED)])
    forget.forget(store, [id], now())
    for table in ("recurrences", "showings", "showing_counts"):
        assert [memory for (memory,) in store.rows(f"select memory from {table}")] == [kept], table


def test_days_are_kept_as_long_as_showings(tmp_path: Path) -> None:
    """What is older goes at the next upkeep."""
    settings = Settings(retention=Retention(showings_days=50))
    with opened(tmp_path, settings) as store:
        recurrences.record(store, met(*(("f", now() - back * DAY, False) for back in (10, 60))))
        upkeep.run(store, now())
        assert list(recurrences.days(store, "f")) == [day_of(now() - 10 * DAY)]
        assert recurrences.prune(store, 0, now()) == 0


def test_a_damaged_home_keeps_what_can_be_read(tmp_path: Path) -> None:
    """Days are salvaged like the journal, and the counts of showings are made anew."""
    with opened(tmp_path) as store:
        note(store, "something to copy")
        recurrences.record(store, met(("f", AT, False)))
        showings.record(store, [Showing("f", "prompt", AT, 9, Outcome.HELPED)])
        home, settings = store.home, store.settings
    repair.restore(home, settings, now())
    with opened(tmp_path) as store:
        assert recurrences.days(store, "f") == {day_of(AT): 1}
        assert showings.counts(store, ["f"])["f"].helped == 1
