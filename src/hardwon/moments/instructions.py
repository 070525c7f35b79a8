"""What a client tells its model anyway: a project's instruction files, the client's own memory. It isn't said again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from hardwon import clients
from hardwon.memories import Item
from hardwon.memory import normalise
from hardwon.regular_file import regular

MOST_BYTES = 400_000


def unwritten(items: list[Item], root: str, cwd: str, transcript: str) -> list[Item]:
    """Items whose text does not stand in one of these files."""
    if not items:
        return []
    told = [text for path in _files(root, cwd, transcript) if (text := _read(path))]
    return [item for item in items if not any(normalise(item.ranked.memory.body) in text for text in told)]


def _files(root: str, cwd: str, transcript: str) -> Iterator[str]:
    names = dict.fromkeys(name for one in clients.every() for name in one.instructions)
    for folder in dict.fromkeys((*_upwards(root), *_upwards(cwd))):
        for name in names:
            yield os.path.join(folder, name)  # noqa: PTH118
    for one in clients.every():
        yield from one.told_anyway(transcript)


def _upwards(folder: str) -> Iterator[str]:
    """The folder and all above it, as the client looks for its files."""
    while folder.startswith("/"):
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        folder = above if above != folder else ""


def _read(path: str) -> str:
    try:
        stat = os.stat(path)  # noqa: PTH116
    except OSError:
        return ""
    return _normal(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _normal(path: str, mtime: int, size: int) -> str:  # noqa: ARG001  both say whether the file changed
    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as file:
            return normalise(file.read(MOST_BYTES))
    except OSError:
        return ""
