"""Opening files that somebody else made: in a cloned repository any name may be a pipe, a terminal or a device. And
writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def regular(path: str, flags: int) -> int:
    """For `open(…, opener=regular)`: a regular file, or an OSError. Nothing is waited for, also when the name means
    something else a moment after it was looked at."""
    _must_be_regular(os.stat(path), path)  # noqa: PTH116  before it is opened: to open a device may do something
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        _must_be_regular(os.fstat(handle), path)
    except OSError:
        os.close(handle)
        raise
    return handle


def status(path: Path | str) -> os.stat_result | None:
    """What is known of a regular file; None where there is none: a link may lead nowhere, and a file that was listed a
    moment ago may be gone."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _must_be_regular(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", path)


@contextlib.contextmanager
def replaced(path: Path | str) -> Iterator[BinaryIO]:
    """A draft, its user's alone, that takes the place of the file that a link leads to. Whatever goes wrong before it
    is on the disk, the file stays as it was, and no draft is left."""
    import tempfile  # by far the dearest import here, and most who read never write

    target = Path(os.path.realpath(path))
    handle, draft = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(draft).unlink()
        raise
