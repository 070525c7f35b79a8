"""Good copies of the database: one a day, one before each migration, none older than the last forgetting."""

from __future__ import annotations

from pathlib import Path

from hardwon.store.connection import Store, locked
from hardwon.store.log import redo
from hardwon.store.log.copy_file import found, take

REDO_LIMIT = 8_000_000
"""Bytes of redo log after which a copy is taken before its day."""

DAY = 86_400_000

RESTORED = "restored.db"
"""The name of a restored database until it is in its place: newer than every copy, and gone with the next one."""


def refresh(store: Store) -> Path:
    """A new copy; the redo log starts anew; copies beyond the setting go."""
    # One at a time: what another process rotated away meanwhile would not be in this copy.
    with locked(store.home):
        with store.transaction():
            redo.rotate(store.home)
        copy = take(store.db, store.home)
        redo.drop_rotated(store.home)
        (store.home.copies / RESTORED).unlink(missing_ok=True)
        for old in found(store.home)[store.settings.store.copies :]:
            old.unlink(missing_ok=True)
    return copy


def replace_all(store: Store) -> None:
    """One copy of the present state and nothing older: what was erased must not live on in a copy."""
    fresh = refresh(store)
    for old in store.home.copies.iterdir():
        if old not in (fresh, store.home.redo):
            _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        for inner in path.iterdir():
            inner.unlink()
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def due(store: Store, now: int) -> bool:
    newest = found(store.home)
    if redo.size(store.home) > REDO_LIMIT:
        return True
    return redo.size(store.home) > 0 and (not newest or abs(now - newest[0].stat().st_mtime * 1000) > DAY)
