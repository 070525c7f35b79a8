"""Whether the time that this machine tells can be believed, before anything is removed for its age.

A clock may be a year ahead for one command. So a time that is more than a week after the last upkeep counts only when
an upkeep at least a day later tells such a time again; who was away for a month waits a day longer for what is due.
"""

from __future__ import annotations

from hardwon.store.connection import Store
from hardwon.store.log.records import clock_time

DAY = 86_400_000
JUMP = 7 * DAY


def believe(store: Store, now: int) -> bool:
    """Asked once in each upkeep, in its transaction."""
    seen = int(store.meta("clock_seen") or store.meta("upkeep_at") or 0)
    doubted = int(store.meta("clock_doubted") or now)
    if seen and now - seen > JUMP and now - doubted < DAY:
        store.set_meta("clock_seen", str(seen))
        store.set_meta("clock_doubted", str(min(doubted, now)))
        return False
    store.set_meta("clock_seen", str(now))
    store.db.execute("delete from meta where key = 'clock_doubted'")
    return True


def jumped(store: Store) -> int:
    """The days by which the clock went ahead since it was believed last; 0 when it is believed."""
    doubted = int(store.meta("clock_doubted") or 0)
    return (doubted - int(store.meta("clock_seen") or 0)) // DAY if doubted else 0


def ahead(store: Store, now: int) -> int:
    """The days by which the log is ahead of this machine's clock: something was kept while that was wrong."""
    newest = store.value("select max(clock) from records") or 0
    return max(0, clock_time(int(newest)) - now) // DAY
