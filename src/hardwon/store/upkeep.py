"""What has to be done now and then: retention, room for lessons, a fresh copy, a purge that was interrupted."""

from __future__ import annotations

import contextlib

from hardwon.store.connection import Store
from hardwon.store.errors import StoreError

HOUR = 3_600_000


def due(store: Store, now: int) -> bool:
    """At most once an hour, so that asking costs one look-up."""
    return store.writable and now - int(store.meta("upkeep_at") or 0) > HOUR


def run(store: Store, now: int) -> None:
    with store.transaction():
        if not due(store, now):  # another process was faster
            return
        store.set_meta("upkeep_at", str(now))
    _run(store, now)


def lessons(store: Store, now: int) -> None:
    """After lessons have changed: room where there are too many, and their files written again."""
    from hardwon.store import mirror

    if mirror.is_due(store):
        from hardwon.store import room
        from hardwon.store.mirror import tables

        room.make(store, now, tables.due(store))
        mirror.refresh(store, now)


def _run(store: Store, now: int) -> None:
    # Once an hour; every other command does without loading these.
    from hardwon.store import copies, forget, journal, recurrences, room, showings

    journal.prune(store, store.settings.retention.journal_days, now)
    showings.prune(store, store.settings.retention.showings_days, now)
    recurrences.prune(store, store.settings.retention.showings_days, now)
    room.make(store, now)
    if store.meta("purge_due"):
        # Another process may be reading just now; then it stays due.
        with contextlib.suppress(StoreError):
            forget.purge(store)
    elif copies.due(store, now):
        from hardwon.store import repair

        # What the database has lost meanwhile must not go with the redo log.
        repair.take_in_missing(store, now)
        copies.refresh(store)
