"""Good copies of the database: one a day, one before each migration, none older than the last forgetting."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from hardwon.paths import Home
from hardwon.store import migrate, redo
from hardwon.store.connection import Store, locked

REDO_LIMIT = 8_000_000
"""Bytes of redo log after which a copy is taken before its day."""

DAY = 86_400_000

RESTORED = "restored.db"
"""The name of a restored database until it is in its place: newer than every copy, and gone with the next one."""


def take(db: apsw.Connection, home: Home, label: str = "") -> Path:
    """A checked copy of the database as it is now. Writers go on meanwhile."""
    home.copies.mkdir(mode=0o700, exist_ok=True)
    name = time.strftime("%Y%m%dT%H%M%S", time.gmtime()) + (f"-{label}" if label else "")
    target = home.copies / f"{name}.db"
    draft = target.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    try:
        db.execute("vacuum into ?", (str(draft),))
        draft.chmod(0o600)
        check(draft)
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    _put_behind(home, target)
    return target


def _put_behind(home: Home, newest: Path) -> None:
    """A copy with a later name was taken while the clock was ahead; what is restored begins with the last name."""
    for number, copy in enumerate(sorted(copy for copy in found(home) if copy.name > newest.name)):
        copy.rename(copy.with_name(f"{newest.stem}-ahead{number:02}.db"))


def check(copy: Path) -> None:
    db = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        verdict = db.execute("pragma quick_check(1)").get
        lacking = migrate.lacking(db)
    finally:
        db.close()
    if verdict != "ok":
        raise apsw.CorruptError(f"{copy.name}: {verdict}")
    if lacking:
        raise apsw.CorruptError(f"{copy.name} has no {lacking[0]}")


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


def found(home: Home) -> list[Path]:
    """Copies, newest first."""
    if not home.copies.is_dir():
        return []
    return sorted(home.copies.glob("*.db"), reverse=True)


def due(store: Store, now: int) -> bool:
    newest = found(store.home)
    if redo.size(store.home) > REDO_LIMIT:
        return True
    return redo.size(store.home) > 0 and (not newest or abs(now - newest[0].stat().st_mtime * 1000) > DAY)
