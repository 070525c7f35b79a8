"""Reading, replacing and removing files that a client reads too."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from hardwon.clients.installing.recipe import SetupError
from hardwon.regular_file import regular, replaced


def read(path: Path) -> bytes | None:
    """What a file holds, through links; None when there is none."""
    try:
        with open(path, "rb", opener=regular) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SetupError(f"{path} can't be read: {error.strerror}. Nothing was changed.") from error


def write(path: Path, data: bytes) -> None:
    """Whole or not at all, into the file that a link leads to, with the mode and the owner that it had."""
    with replaced(path) as file:
        _like(path, file.fileno())
        file.write(data)


def _like(target: Path, handle: int) -> None:
    """A new file is its user's alone."""
    try:
        was = target.stat()
    except FileNotFoundError:
        return
    os.fchmod(handle, was.st_mode & 0o7777)
    if (was.st_uid, was.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, was.st_uid, was.st_gid)


def remove(path: Path) -> None:
    """The file itself; a link that leads to it stays."""
    Path(os.path.realpath(path)).unlink(missing_ok=True)


def missing_folders(path: Path) -> list[Path]:
    """The folders that have to be made before this file can be, the outermost first."""
    return [folder for folder in reversed(path.parents) if not folder.exists()]


def make_folders(path: Path) -> None:
    for folder in missing_folders(path):
        folder.mkdir(mode=0o700, exist_ok=True)


def remove_empty(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
