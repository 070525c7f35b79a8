"""On which days a failure (or a lint rule) was met, and whether failures happen less often since they are shown.

Counted once per session and day, however often the session ran into it; kept for longer than the journal that it was
counted from. What is said of it is a count of days: who tries five times in an hour has made one mistake.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hardwon.store.connection import Store
from hardwon.store.tables.skill_loads import DAY, day_of

Happened = tuple[str, str]
"""A failure's id and the day."""


@dataclass(slots=True)
class Met:
    """The failures that one session met, by day; those that an earlier reading of it has counted are known."""

    new: set[Happened] = field(default_factory=set)
    known: set[Happened] = field(default_factory=set)
    """Also those that were recorded since."""

    def add(self, memory: str, at: int, *, known: bool) -> None:
        (self.known if known else self.new).add((memory, day_of(at)))


def record(store: Store, met: Met) -> None:
    with store.transaction():
        fresh = sorted(met.new - met.known)
        store.db.executemany(_COUNT, [(memory, day, store.device) for memory, day in fresh])
        met.known.update(fresh)


_COUNT = """
insert into recurrences (memory, day, device, count) values (?, ?, ?, 1)
on conflict (memory, day, device) do update set count = count + 1
"""


def days(store: Store, memory: str) -> dict[str, int]:
    """How many sessions met it on each day, on all devices."""
    sql = "select day, sum(count) from recurrences where memory = ? group by day order by day"
    return {day: int(count) for day, count in store.rows(sql, (memory,))}


def remove(store: Store, memory: str) -> None:
    store.db.execute("delete from recurrences where memory = ?", (memory,))


def prune(store: Store, days: int, now: int) -> int:
    """Drop what is older than this many days; 0 keeps everything."""
    if not days:
        return 0
    with store.transaction():
        store.db.execute("delete from recurrences where day < ?", (day_of(now - days * DAY),))
        return store.db.changes()


@dataclass(frozen=True, slots=True)
class Rate:
    """How often failures happened again, in the time in which they could."""

    repeats: int = 0
    weeks: float = 0.0

    @property
    def per_week(self) -> float | None:
        """Of one failure; None when no time has passed."""
        return self.repeats / self.weeks if self.weeks else None


@dataclass(frozen=True, slots=True)
class Repeats:
    this_week: int
    """Of all failures, in the last seven days."""
    before: Rate
    """Of failures that have been shown: until the day of the first showing."""
    after: Rate
    """Since then."""


def repeats(happened: Iterable[Happened], first_shown: Mapping[str, str], today: str) -> Repeats:
    """A repeat is a day on which a failure happens that has happened on an earlier one. Pure.

    The day of the first showing belongs to the time before: mostly it is shown because it has just happened.
    """
    by_failure: dict[str, set[int]] = {}
    for memory, day in happened:
        by_failure.setdefault(memory, set()).add(_number(day))
    end, this_week = _number(today), 0
    counts, spans = [0, 0], [0, 0]
    for memory, all_days in by_failure.items():
        first = min(all_days)
        again = [day for day in all_days if first < day <= end]
        this_week += sum(day > end - 7 for day in again)
        if memory not in first_shown:
            continue
        shown = min(max(first, _number(first_shown[memory])), end)
        for which, (begin, last) in enumerate(((first, shown), (shown, end))):
            counts[which] += sum(begin < day <= last for day in again)
            spans[which] += max(0, last - begin)
    return Repeats(this_week, Rate(counts[0], spans[0] / 7), Rate(counts[1], spans[1] / 7))


def _number(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal()


def measured(store: Store, now: int) -> Repeats:
    """Over all failures and days that are kept."""
    happened = store.rows(_OF_FAILURES)
    shown = {memory: day_of(at) for memory, at in store.rows(_FIRST_SHOWN)}
    return repeats(happened, shown, day_of(now))


_OF_FAILURES = """
select distinct memory, day from recurrences r
where not exists (select 1 from memories m where m.id = r.memory and m.kind != 'failure')
"""
_FIRST_SHOWN = """
select memory, min(at) from showings where memory in (select memory from recurrences) group by memory
"""
