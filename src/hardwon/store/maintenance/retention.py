"""How long the journal keeps what: by tier, by age, by its size.

A session is the unit. It is thinned when it is over and was learned from: its facts first, later its outlines, at last
all of it. What a living memory was learned from stays, so that it can be looked up; so do the beginnings of a session's
windows, as long as the session can go on. Each session has a mark up to which it was thinned: what is told again of the
time before it is not kept again, and not learned from again, for half a story teaches what never happened.

Everything happens in short transactions with pauses between them, and a run ends after so many events: others write
meanwhile, and what is left waits for the next run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon.event import Tier
from hardwon.settings import Retention
from hardwon.store.connection import Store

DAY = 86_400_000
OPEN = DAY
"""Milliseconds after its last event in which a session may still go on."""
SLACK = 60_000
"""By so much the client's own times may differ from those that hooks were heard at."""
MOST = 20_000
"""Events that one run removes."""
PORTION = 500
PAUSE = 0.002
"""Seconds between two portions, in which others may write."""
ROOM = 0.9
"""Of its bound the journal keeps when it had grown over it: else it would be over it again in an hour."""

LEVELS = {Tier.FACT: 1, Tier.OUTLINE: 2, Tier.FULL: 3}
"""In which order tiers go: a session that is thinned to one level has nothing of the levels before it."""


def ages(retention: Retention) -> dict[Tier, int]:
    """Days that each tier stays, 0 for ever. What is worth less never outlives what is worth more."""
    full = retention.journal_days
    outline = _shorter(retention.outline_days, full)
    return {Tier.FACT: _shorter(retention.fact_days, outline), Tier.OUTLINE: outline, Tier.FULL: full}


def _shorter(days: int, most: int) -> int:
    return min(days, most) if days and most else days or most


def bound(retention: Retention) -> int:
    """Bytes that the journal may take, 0 when there is no bound."""
    return retention.journal_mb * 1_000_000


@dataclass(frozen=True, slots=True)
class Size:
    entries: int = 0
    bytes: int = 0


def size(store: Store) -> Size:
    """How large the journal is, by what is counted: nothing is read for it."""
    return Size(*(store.row("select coalesce(sum(entries), 0), coalesce(sum(bytes), 0) from journal_size") or ()))


@dataclass(slots=True)
class Removed:
    """What one run took out of the journal."""

    by_age: dict[Tier, int] = field(default_factory=dict)
    """Events by the tier up to which a session was thinned."""
    by_size: dict[Tier, int] = field(default_factory=dict)
    freed: int = 0
    """Bytes."""
    complete: bool = True
    """False when there is more to remove than one run may."""

    @property
    def entries(self) -> int:
        return sum(self.by_age.values()) + sum(self.by_size.values())

    def __str__(self) -> str:
        parts = [
            f"{count} by {why} ({_NAMES[tier]})"
            for why, counts in (("age", self.by_age), ("size", self.by_size))
            for tier, count in counts.items()
        ]
        more = "" if self.complete else "; more in the next run"
        return f"removed from the journal {', '.join(parts) or 'nothing'}, {self.freed / 1_000_000:.1f} MB{more}"


_NAMES = {Tier.FACT: "facts", Tier.OUTLINE: "outlines", Tier.FULL: "all"}


def run(store: Store, now: int, most: int = MOST) -> Removed:
    """Bring the journal within what the settings allow, or nearer to it."""
    removed, before = Removed(), size(store).bytes
    left = most
    for tier, days in ages(store.settings.retention).items():
        if days:
            left -= _thin(store, tier, min(now - days * DAY, now - OPEN), removed.by_age, left)
    limit = bound(store.settings.retention)
    if limit and size(store).bytes > limit:
        for tier in LEVELS:
            left -= _thin(store, tier, now - OPEN, removed.by_size, left, int(limit * ROOM))
    _drop_sessions(store, now)
    _drop_transcripts(store, now)
    removed.freed = before - size(store).bytes
    removed.complete = left > 0
    return removed


def _thin(store: Store, tier: Tier, before: int, counts: dict[Tier, int], most: int, enough: int = 0) -> int:
    """Thin sessions that ended before a time, the oldest first, until the journal is small enough; how many events."""
    done = since = 0
    while done < most and (not enough or size(store).bytes > enough):
        found = store.row(_NEXT, (LEVELS[tier], since, before))
        if found is None:
            break
        since = found[3]
        count, whole = _thin_session(store, found, tier, most - done)
        done += count
        if count:
            counts[tier] = counts.get(tier, 0) + count
        if not whole:
            break
    return done


_NEXT = """
select row, host, id, last_at from sessions
where thinned < ? and last_at >= ? and last_at < ? and learned_to >= last_at order by last_at limit 1
"""


def _thin_session(store: Store, session: tuple[int, str, str, int], tier: Tier, most: int) -> tuple[int, bool]:
    """How many events were removed, and whether that is all of this tier."""
    row, host, id, last = session
    rows = [(entry,) for (entry,) in store.rows(_of(tier), {"session": row, "host": host, "id": id})]
    for portion in _portions(rows[:most]):
        with store.transaction():
            # With the first portion: whatever interrupts this, nothing that is gone can come back.
            mark_removed(store, host, id, last + SLACK)
            store.db.executemany("delete from journal where row = ?", portion)
        time.sleep(PAUSE)
    whole = len(rows) <= most
    if whole:
        with store.transaction():
            store.db.execute("update sessions set thinned = ? where row = ? and last_at = ?", (LEVELS[tier], row, last))
    return min(len(rows), most), whole


def _portions(rows: list[tuple[int]]) -> Iterator[list[tuple[int]]]:
    for start in range(0, len(rows), PORTION):
        yield rows[start : start + PORTION]


def mark_removed(store: Store, host: str, session: str, until: int) -> None:
    """What is told of a session up to this moment is not kept again."""
    store.db.execute(_MARK, (host, session, until))


_MARK = """
insert into removals (host, session, until) values (?, ?, ?)
on conflict (host, session) do update set until = max(until, excluded.until)
"""


def _of(tier: Tier) -> str:
    gone = ", ".join(f"'{one}'" for one in LEVELS if LEVELS[one] <= LEVELS[tier])
    windows = "" if tier is Tier.FULL else "and j.type <> 'session_started'"
    return (
        f"select j.row from journal j where j.session = :session and j.tier in ({gone}) {windows} and not {_EVIDENCE}"
    )


# What was learned from an event is kept under a key that begins with the client, and the id of the call or the prompt.
_EVIDENCE = """exists (
  select 1 from origins o join memories m on m.id = o.memory
  where o.key > :host || ':' || case
      when j.call <> '' then j.call when j.prompt <> '' then j.prompt else :id || ':' || j.at end || ':'
    and o.key < :host || ':' || case
      when j.call <> '' then j.call when j.prompt <> '' then j.prompt else :id || ':' || j.at end || ';'
    and j.type in ('tool_failed', 'tool_finished', 'prompt_submitted')
    and m.status not in ('archived', 'superseded', 'forgotten')
)"""


def _drop_sessions(store: Store, now: int) -> None:
    """Those of which nothing is left; their marks stay."""
    days = store.settings.retention.journal_days
    if not days:
        return
    with store.transaction():
        store.db.execute(
            "delete from sessions where last_at < ? and not exists (select 1 from journal where session = sessions.row)"
            " and not exists (select 1 from showings where session = sessions.row)"
            " and not exists (select 1 from session_notes where session = sessions.row)"
            " and not exists (select 1 from session_notes where before = sessions.row)"
            " and not exists (select 1 from handoffs where session = sessions.row)",
            (now - days * DAY,),
        )


def _drop_transcripts(store: Store, now: int) -> None:
    """How far a file was read that is long gone. Should it come back, it is read from its beginning: what is known has
    its id, and what was removed its mark."""
    days = store.settings.retention.journal_days
    if not days:
        return
    old = store.rows("select path, at from transcripts where at < ?", (now - days * DAY,))
    gone = [one for one in old if not os.path.lexists(one[0])]
    for start in range(0, len(gone), PORTION):
        with store.transaction():
            store.db.executemany("delete from transcripts where path = ? and at = ?", gone[start : start + PORTION])
        time.sleep(PAUSE)


def removed_to(store: Store, host: str, session: str) -> int:
    """Up to when events of a session were removed; -1 when all are there."""
    until = store.value("select until from removals where host = ? and session = ?", (host, session))
    return -1 if until is None else int(until)


def last_at(store: Store, host: str, session: str) -> int:
    """When something last happened in a session, as far as is known."""
    return int(store.value("select last_at from sessions where host = ? and id = ?", (host, session)) or 0)


def learned(store: Store, host: str, session: str, until: int) -> None:
    """A session was learned from, as far as this; only then may anything of it be removed."""
    with store.transaction():
        store.db.execute(
            "update sessions set learned_to = max(learned_to, ?) where host = ? and id = ?", (until, host, session)
        )


def unlearned(store: Store, now: int, most: int) -> list[tuple[str, str]]:
    """Sessions that are over and that nobody has learned from yet, the oldest first: a crash came between."""
    return store.rows(
        "select host, id from sessions where last_at < ? and learned_to < last_at order by last_at limit ?",
        (now - OPEN, most),
    )
