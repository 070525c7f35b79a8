"""What has to be done now and then: retention, a fresh copy, a purge that was interrupted."""

from __future__ import annotations

import contextlib

from hardwon.store import copies, forget, journal, showings
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
    journal.prune(store, store.settings.retention.journal_days, now)
    showings.prune(store, store.settings.retention.showings_days, now)
    if store.meta("purge_due"):
        # Another process may be reading just now; then it stays due.
        with contextlib.suppress(StoreError):
            forget.purge(store)
    elif copies.due(store, now):
        copies.refresh(store)
