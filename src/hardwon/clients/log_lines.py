"""The lines of a client's log, one at a time, however long the log is.

A line that is still being written waits for its end. One that is longer than anything we would keep is passed over
without ever being in memory as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from hardwon.regular_file import regular

LONGEST = 32_000_000
"""Bytes: a call with a large file in it is far below."""
BUFFER = 262_144
"""Bytes that are asked for at once: a third of the time of Python's own 8,192."""


def lines(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each whole line after `start`, and where the one behind it begins; one that is too long as an empty one."""
    with open(path, "rb", buffering=BUFFER, opener=regular) as file:
        file.seek(start)
        end = start
        while line := file.readline(LONGEST):
            size = len(line)
            kept = line
            while not line.endswith(b"\n"):
                line = file.readline(LONGEST)
                if not line:
                    return
                size += len(line)
                kept = b""
            end += size
            yield end, kept


def head(path: Path, size: int = 65_536) -> bytes:
    """The beginning of a file, by which its kind is known."""
    with open(path, "rb", opener=regular) as file:
        return file.read(size)


_CWD = re.compile(rb'"cwd":\s?("(?:[^"\\]|\\.){1,4000}")')


def folder_named(path: Path) -> str:
    """The first folder that a log of JSON lines names as the one that was worked in; empty where there is none."""
    try:
        found = _CWD.search(head(path, 262_144))
        return str(json.loads(found[1])) if found else ""
    except (OSError, ValueError):
        return ""
