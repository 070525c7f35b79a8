"""How much room the memory's folder takes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

MOST = 50_000
"""Files that are looked at: somebody may have put a folder of theirs there."""


def home_size(root: Path, most: int = MOST) -> tuple[int, bool]:
    """The bytes of the files below, and whether that is all of them. Links are not followed."""
    size = 0
    for number, file in enumerate(_files(root)):
        if number == most:
            return size, False
        size += _size(file)
    return size, True


def _files(root: Path) -> Iterator[str]:
    for folder, _, names in os.walk(root):
        yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118


def _size(file: str) -> int:
    try:
        found = os.lstat(file)
    except OSError:  # it has just gone
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
