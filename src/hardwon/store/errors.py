"""What can go wrong with the store, each as a sentence with a next step."""

from __future__ import annotations

import os

import apsw


class StoreError(Exception):
    """Shown to the user as it is."""


class StoreBusy(StoreError):
    pass


class StoreFull(StoreError):
    pass


class StoreReadOnly(StoreError):
    pass


class StoreDamaged(StoreError):
    pass


class StoreReplaced(StoreError):
    """The file that is open is no longer the one of the home."""


class StoreTooNew(StoreError):
    pass


class RuleUnusable(StoreError):
    """A redaction rule of the user's: without it nothing may be kept."""


def is_damage(error: apsw.Error) -> bool:
    """Whether the file is to be restored. A table that is not there was there: every file is migrated when opened."""
    return isinstance(error, apsw.CorruptError | apsw.NotADBError) or "no such table" in str(error)


LITTLE = 65_536
"""Bytes that are free on a full disk at most: SQLite asks for 32 KB at once, and calls it an I/O error."""


def _is_full(error: apsw.Error, database: str) -> bool:
    """Whether there is no room, by what SQLite says or by what the disk does: not for a few bytes, or for no file."""
    if isinstance(error, apsw.FullError):
        return True
    try:
        disk = os.statvfs(os.path.dirname(database))  # noqa: PTH120
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LITTLE or bool(disk.f_files and not disk.f_favail)


def explain(error: apsw.Error, database: str) -> StoreError:
    """SQLite's error as a sentence about this home."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(
                f"{database} is locked by another process; nothing was written. Try again, or see `hardwon doctor`."
            )
        case apsw.FullError() | apsw.IOError() | apsw.CantOpenError() if _is_full(error, database):
            return StoreFull(
                f"The disk that holds {database} is full; nothing was written. Free some space, try again."
            )
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreReadOnly(f"{database} can't be written (read-only folder or file); nothing was changed.")
        case apsw.CantOpenError():
            return StoreError(f"{database} can't be opened: check that its folder exists and belongs to you.")
        case _ if is_damage(error):
            return StoreDamaged(
                f"{database} is damaged ({error}). `hardwon doctor --fix` restores it from the last copy and the log."
            )
        case apsw.IOError():
            return StoreError(f"The disk that holds {database} failed ({error}); what was written before is safe.")
        case _:
            return StoreError(f"{database}: {error}")
