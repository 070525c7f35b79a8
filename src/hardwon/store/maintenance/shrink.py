"""Giving back to the disk what was removed from the database.

SQLite keeps the pages of removed rows for new ones. A home that was made with incremental vacuum gives them back a few
at a time, so that nobody has to wait. One that is older is rewritten once, when much of it is free, and is like a new
one from then on.
"""

from __future__ import annotations

import time

import apsw

from hardwon.store.connection import Store

SPARE = 1_000_000
"""Bytes of free pages that are not worth the work."""
MUCH = 16_000_000
SHARE = 0.25
"""From so much and such a share on, rewriting the whole file is worth it."""
PAGES = 256
"""Given back at a time."""
PAUSE = 0.002
_INCREMENTAL = 2


def shrink(store: Store) -> int:
    """Bytes that were given back. What is in use just now stays for another time."""
    page = int(store.value("pragma page_size"))
    free = int(store.value("pragma freelist_count"))
    if free * page < SPARE:
        return 0
    try:
        if store.value("pragma auto_vacuum") == _INCREMENTAL:
            _step_by_step(store, free)
        elif free * page > MUCH and free > SHARE * int(store.value("pragma page_count")):
            rewrite(store)
    except apsw.BusyError:
        pass
    return (free - int(store.value("pragma freelist_count"))) * page


def rewrite(store: Store) -> None:
    """The file without its free pages, and able to give later ones back step by step."""
    store.db.execute("pragma auto_vacuum = incremental")
    store.db.execute("vacuum")


def _step_by_step(store: Store, free: int) -> None:
    for _ in range(free // PAGES + 1):
        store.rows(f"pragma incremental_vacuum({PAGES})")
        time.sleep(PAUSE)
