"""How the database file is opened: to write; or to read alone, where the disk allows no more.

WAL needs two files beside the database, also for who only reads. On a read-only or a full disk they can't be made: the
file is declared unchanging then. Nobody may be writing, so what is in the WAL alone would not be seen, and a change
that comes after all is only seen by opening the file anew: `as_it_was` tells.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import apsw

from hardwon.regular_file import status
from hardwon.settings import Settings


@dataclass(frozen=True, slots=True)
class Opened:
    db: apsw.Connection
    writable: bool = False
    as_it_was: tuple[int, ...] = ()
    """What a file that is read as unchanging looked like; nothing for any other."""


def connect(path: str, settings: Settings, write: bool) -> Opened:
    db = None
    try:
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        _configure(db, settings)
        if write or not db.readonly("main"):
            return Opened(db, not db.readonly("main"))
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.FullError):
        if write:
            raise
    if db:
        db.close()
    return _read_only(path)


def _read_only(path: str) -> Opened:
    before = looks(path)
    try:
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        db.execute("select 1 from sqlite_schema limit 1").fetchall()
        return Opened(db)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        return _unchanging(path, before)
    except (apsw.IOError, apsw.FullError):
        if _has_wal(path):  # memories are in it that we would not see
            raise
        return _unchanging(path, before)


def _unchanging(path: str, before: tuple[int, ...]) -> Opened:
    from urllib.parse import quote

    uri = f"file:{quote(path)}?immutable=1"
    return Opened(apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI), as_it_was=before)


def _has_wal(path: str) -> bool:
    wal = status(f"{path}-wal")
    return wal is not None and wal.st_size > 0


def looks(path: str) -> tuple[int, ...]:
    """Differs when somebody has written since, be it into the WAL; one that is empty is as good as none."""
    found = [one for one in (status(path), status(f"{path}-wal")) if one and one.st_size]
    return tuple(part for one in found for part in (one.st_ino, one.st_size, one.st_mtime_ns))


def create_private(path: str) -> None:
    """Make the file 0600 before SQLite would make it by the umask; its WAL takes the same mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _configure(db: apsw.Connection, settings: Settings) -> None:
    db.set_busy_handler(_patient(settings.store.busy_seconds))
    db.execute(f"pragma synchronous = {settings.store.synchronous}")
    db.execute("pragma secure_delete = fast")
    db.execute("pragma temp_store = memory")
    db.execute("pragma cache_size = -4000")  # a search in 100,000 memories needs more than the 2 MB of SQLite's default


def _patient(seconds: float) -> Callable[[int], bool]:
    """Ask again every few milliseconds, by chance. SQLite's own waiting grows to a tenth of a second between two
    questions, and among twenty busy writers the one that came last may not get its turn in ten seconds."""
    until = 0.0

    def wait(asked: int) -> bool:
        nonlocal until
        if asked == 0:
            until = time.monotonic() + seconds
        if time.monotonic() > until:
            return False
        time.sleep((1 + os.urandom(1)[0] % 15) / 1000)
        return True

    return wait
