"""The redo log: what was committed since the last good copy, once more, in a flat file.

The database can be damaged by a disk, a crash of the machine or another program. Then the last good copy plus this
file give back everything that was acknowledged. A line is written inside the transaction, before its commit: the
write lock keeps lines whole and in order, and a line whose commit failed describes something that nobody was told of.
Each line carries a checksum, and each begins with a newline, so that a torn one spoils only itself.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hardwon.paths import Home
from hardwon.store.errors import StoreError, StoreFull, StoreReadOnly

Line = dict[str, Any]


def append(home: Home, lines: Iterable[Line]) -> None:
    """Write these lines, all or none. The caller holds the write lock."""
    frames = b"".join(_frame(line) for line in lines)
    if not frames:
        return
    try:
        handle = _open(home)
        try:
            before = os.fstat(handle).st_size
            if os.write(handle, frames) < len(frames):
                os.ftruncate(handle, before)
                raise OSError(errno.ENOSPC, "disk full")
        finally:
            os.close(handle)
    except OSError as error:
        raise _explain(error, home) from error


def cut_back(home: Home, size: int) -> None:
    """The commit failed: take back the lines after this size. The caller still holds the write lock."""
    if home.redo.exists():
        os.truncate(home.redo, size)


def _open(home: Home) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    try:
        return os.open(home.redo, flags, 0o600)
    except FileNotFoundError:
        home.copies.mkdir(mode=0o700, exist_ok=True)  # never the home itself, which may have been removed
        return os.open(home.redo, flags, 0o600)


def _explain(error: OSError, home: Home) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"The disk that holds {home.root} is full; nothing was written. Free some space, try again.")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreReadOnly(f"{home.redo} can't be written (read-only folder or file); nothing was changed.")
    return StoreError(f"{home.redo}: {error.strerror}; nothing was written.")


def _frame(line: Line) -> bytes:
    text = _encoded(line)
    return b"\n%08x %b" % (zlib.crc32(text), text)


def read(home: Home) -> list[Line]:
    """Every whole line since the last good copy, also of a copy that was interrupted."""
    return list(lines(home))


def lines(home: Home) -> Iterator[Line]:
    """The same, one at a time: after a large import the file is larger than what a process should hold.

    A number is given out again when its record never was committed, or was lost with a damaged file; nobody can tell
    which, so an earlier record of the same number is kept under a device of its own.
    """
    doubtful = _doubtful(home)
    newest = {key: line for line in _whole_lines(home) if (key := _key(line)) in doubtful} if doubtful else {}
    for line in _whole_lines(home):
        known = newest.get(_key(line), line)
        yield line if known == line else line | {"device": f"{line['device']}-{zlib.crc32(_encoded(line)):08x}"}


def _doubtful(home: Home) -> set[tuple[str, int]]:
    """Numbers that may stand there twice: those that did not go up."""
    highest: dict[str, int] = {}
    found: set[tuple[str, int]] = set()
    for line in _whole_lines(home):
        if line["type"] == "record":
            device, sequence = key = _key(line)
            if sequence <= highest.setdefault(device, 0):
                found.add(key)
            highest[device] = max(sequence, highest[device])
    return found


def _key(line: Line) -> tuple[str, int]:
    """Device and number of a record; no other line has a number."""
    return line.get("device", ""), line.get("sequence", 0)


def _whole_lines(home: Home) -> Iterator[Line]:
    for path in (_older(home), home.redo):
        if path.exists():
            with path.open("rb") as file:
                yield from filter(None, map(_unframe, file))


def _encoded(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()


def _unframe(frame: bytes) -> Line | None:
    checksum, _, text = frame.rstrip(b"\n").partition(b" ")
    if not text or checksum != b"%08x" % zlib.crc32(text):
        return None
    line: Line = json.loads(text)
    return line


def is_empty(home: Home) -> bool:
    """Whether nothing was written down since the last good copy."""
    return not any(path.exists() and path.stat().st_size for path in (_older(home), home.redo))


def size(home: Home) -> int:
    return home.redo.stat().st_size if home.redo.exists() else 0


def rotate(home: Home) -> None:
    """Begin a new file, inside a transaction: what is in the old one will be in the copy about to be taken."""
    older = _older(home)
    if not home.redo.exists():
        return
    if older.exists():  # an earlier copy failed: keep what it would have covered
        with older.open("ab") as file:
            file.write(home.redo.read_bytes())
        home.redo.unlink()
    else:
        home.redo.rename(older)


def drop_rotated(home: Home) -> None:
    """A good copy covers it now."""
    _older(home).unlink(missing_ok=True)


def _older(home: Home) -> Path:
    return home.redo.with_suffix(".before.log")
