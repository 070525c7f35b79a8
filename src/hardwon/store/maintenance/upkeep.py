"""What has to be done now and then: retention, room for lessons, a fresh copy, a purge that was interrupted."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hardwon.store.connection import Store
from hardwon.store.errors import StoreError

if TYPE_CHECKING:
    from hardwon.store.maintenance.room import Made

HOUR = 3_600_000
PASSAGES = 5_000
"""Prompts and answers that are made searchable at once."""
SOON = 60_000
"""Milliseconds after which the rest is done, when there was too much for once."""


def due(store: Store, now: int) -> bool:
    """At most once an hour, so that asking costs one look-up. A stamp from the future was made by a wrong clock."""
    since = now - int(store.meta("upkeep_at") or 0)
    return store.writable and not -SOON <= since <= HOUR


def run(store: Store, now: int) -> str:
    """What was removed, in words; empty when it was nothing."""
    from hardwon.store.maintenance import wall_clock

    with store.transaction():
        if not due(store, now):  # another process was faster
            return ""
        believed = wall_clock.believe(store, now)
        store.set_meta("upkeep_at", str(now))
    return _run(store, now, believed)


def lessons(store: Store, now: int, action: int = 0) -> Made | None:
    """After lessons have changed: room where there are too many, and their files written again. `action` is the command
    that changed them; says what room was made."""
    from hardwon.store import mirror

    if not mirror.is_due(store):
        return None
    from hardwon.store.maintenance import room
    from hardwon.store.mirror import tables

    made = room.make(store, now, tables.due(store), action)
    mirror.refresh(store, now)
    return made


def _run(store: Store, now: int, believed: bool) -> str:
    # Once an hour; every other command does without loading these.
    from hardwon.store.erasure import forget
    from hardwon.store.index import search_index
    from hardwon.store.log import copies
    from hardwon.store.maintenance import retention, room, shrink
    from hardwon.store.tables import passages, recurrences, showings

    removed = retention.run(store, now) if believed else retention.Removed()
    if not removed.complete:
        with store.transaction():
            store.set_meta("upkeep_at", str(now - HOUR + SOON))
    if believed:
        showings.prune(store, store.settings.retention.showings_days, now)
        recurrences.prune(store, store.settings.retention.showings_days, now)
    room.make(store, now)
    passages.index_new(store, PASSAGES)
    if store.meta("purge_due"):
        # Another process may be reading just now; then it stays due.
        with contextlib.suppress(StoreError):
            forget.purge(store)
    elif copies.due(store, now):
        from hardwon.store.maintenance import repair

        # What the database has lost meanwhile must not go with the redo log.
        repair.take_in_missing(store, now)
        copies.refresh(store)
    search_index.merge(store)
    search_index.merge(store, "passage_search")
    given = shrink.shrink(store)
    return f"{removed}; {given / 1_000_000:.1f} MB given back to the disk" if removed.entries or given else ""
