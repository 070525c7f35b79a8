"""Reading and writing one markdown file that somebody else may be editing.

It is written whole beside its place and renamed, for its owner alone. Nothing is flushed to the platter: after a power
cut the file may be old or empty, and an empty one archives nothing without a question. A link, a pipe or a folder in
its place is left alone: what we write stays where we said we write.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardwon.paths import Home
from hardwon.store.errors import StoreBusy

MOST_BYTES = 32_000_000
"""A larger file is none that anybody keeps by hand."""

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was found."""

    text: str | None
    """None: there is none, or it is not one of ours to read; then `problem` says why."""
    stamp: str = ""
    """Changes whenever somebody writes the file; empty when it is not there."""
    problem: str = ""


def read(path: Path, *, any_bytes: bool = False) -> Seen:
    """The file's text. `any_bytes` also takes what is no UTF-8, in a form that can be written back."""
    for folder in (path.parent.parent, path.parent):
        if folder.is_symlink():
            return Seen(None, "", f"{folder} is a link, and is not followed")
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Seen(None)
    except OSError as error:
        is_link = error.errno in (errno.ELOOP, errno.EMLINK)
        return Seen(None, "", f"{path} " + ("is a link, and is not followed" if is_link else _unreadable(error)))
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            return Seen(None, "", f"{path} is not a file")
        if about.st_size > MOST_BYTES:
            return Seen(None, "", f"{path} has {about.st_size / 1_000_000:.0f} MB, more than is read")
        raw = _all(handle)
    finally:
        os.close(handle)
    stamp = _stamp(about)
    try:
        text = raw.decode("utf-8", "surrogateescape" if any_bytes else "strict")
    except UnicodeDecodeError as error:
        return Seen(None, stamp, f"{path} is not UTF-8 (byte {error.start})")
    if "\0" in text and not any_bytes:
        return Seen(None, stamp, f"{path} has NUL bytes in it: it is not text")
    return Seen(text, stamp)


def _all(handle: int) -> bytes:
    pieces = []
    while piece := os.read(handle, 1_000_000):
        pieces.append(piece)
    return b"".join(pieces)


def _unreadable(error: OSError) -> str:
    return f"can't be read: {error.strerror}"


def stamp(path: Path) -> str:
    """Tells whether the file was written since; empty when there is none."""
    try:
        return _stamp(path.lstat())
    except OSError:
        return ""


def _stamp(about: os.stat_result) -> str:
    return f"{about.st_size} {about.st_mtime_ns} {about.st_ino}"


def write(path: Path, text: str, seen: str) -> str | None:
    """Put this text in the place of the file that had the stamp `seen`; the new stamp, or None when it has changed."""
    _make_folder(path.parent)
    draft = draft_of(path)
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            written = _stamp(os.fstat(handle))
        return written if stamp(path) == seen and _put(draft, path, seen) else None
    finally:
        draft.unlink(missing_ok=True)


def _put(draft: Path, path: Path, seen: str) -> bool:
    """Rename it into its place, but not over what somebody saved there in this very moment."""
    if not seen:
        with contextlib.suppress(PermissionError):  # a file system without links
            try:
                path.hardlink_to(draft)
            except FileExistsError:
                return False
            return True
    elif _exchange(draft, path):
        if stamp(draft) == seen:
            return True
        _exchange(draft, path)
        return False
    if stamp(path) != seen:
        return False
    draft.rename(path)
    return True


def _exchange(one: Path, other: Path) -> bool:
    """Let two files change places at once, where the system can do that."""
    import ctypes

    library = ctypes.CDLL(None)
    first, second = os.fsencode(one), os.fsencode(other)
    if hasattr(library, "renameat2"):  # Linux; -100 is "from the folder we are in", which a full path does not need
        return bool(library.renameat2(-100, first, -100, second, _SWAP) == 0)
    if hasattr(library, "renamex_np"):  # macOS
        return bool(library.renamex_np(first, second, _SWAP) == 0)
    return False


_SWAP = 2


def draft_of(path: Path) -> Path:
    """One name, so that what a killed process left is overwritten by the next. Only who holds the lock writes it."""
    return path.with_name(f".{path.name}.draft")


def _make_folder(folder: Path) -> None:
    for each in (folder.parent, folder):
        with contextlib.suppress(FileExistsError):
            each.mkdir(mode=DIRECTORY_MODE)


@contextlib.contextmanager
def alone(home: Home, seconds: float) -> Iterator[None]:
    """The only process that works on the files. Always taken before a transaction is begun, never inside one."""
    home.skills.mkdir(mode=DIRECTORY_MODE, exist_ok=True)
    handle = os.open(home.skills / ".lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE)
    try:
        _lock(handle, time.monotonic() + seconds)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, until: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreBusy(
                    "Another process is writing the markdown files and does not end: try again when it has."
                ) from None
            time.sleep(0.005)
