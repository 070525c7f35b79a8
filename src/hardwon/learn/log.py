"""Every step of learning: what was kept, what was learned again, what was passed over and why.

A line each: time, step, kind, short id, reason, and the last characters of the session and of the call. Never a text:
what is forgotten has left nothing here. The file stays small, and a step that was told is not told again, for a session
is learned from anew after each of its turns.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwon.paths import Home

MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Step:
    step: str
    """learned, repeated or skipped"""
    kind: str
    id: str
    """The last characters of the memory's id; empty when there is none."""
    reason: str
    session: str
    at: int = 0

    @property
    def line(self) -> str:
        return f"{self.step} {self.kind} {self.id or '-'} {self.reason} {self.session}"


def place(home: Home) -> Path:
    return home.log.with_name("learning.log")


def where(session: str, call: str) -> str:
    """Enough of a session and a call to find them again."""
    return ":".join(re.sub(r"[^\w-]", "", text)[-length:] or "-" for text, length in ((session, 8), (call, 6)))


def record(home: Home, steps: Sequence[Step], now: int) -> None:
    """Write down those that are new. It never raises: what was learned is kept, also where it can't be said."""
    if not steps:
        return
    with contextlib.suppress(OSError):
        known = set(_bare_lines(home))
        fresh = [line for line in dict.fromkeys(step.line for step in steps) if line not in known]
        if fresh:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now / 1000))
            _append(place(home), "".join(f"{stamp} {line}\n" for line in fresh))


def _bare_lines(home: Home) -> Iterator[str]:
    for line in _lines(home):
        yield line.partition(" ")[2]


def _lines(home: Home) -> Iterator[str]:
    """Oldest first."""
    path = place(home)
    for file in (path.with_suffix(".old.log"), path):
        with contextlib.suppress(FileNotFoundError):
            yield from file.read_text(encoding="utf-8", errors="replace").splitlines()


def _append(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if path.exists() and path.stat().st_size > MOST_BYTES // 2:
        path.replace(path.with_suffix(".old.log"))
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def read(home: Home, most: int) -> list[Step]:
    """The last steps, oldest first; a line that is none is passed over."""
    found = [match for line in _lines(home) if (match := _LINE.fullmatch(line))]
    return [_step(match) for match in found[-most:]]


_LINE = re.compile(r"(\S+) (learned|repeated|skipped) (\S+) (\S+) (.+) (\S+)")


def _step(match: re.Match[str]) -> Step:
    stamp, step, kind, id, reason, session = match.groups()
    return Step(step, kind, "" if id == "-" else id, reason, session, _milliseconds(stamp))


def _milliseconds(stamp: str) -> int:
    import calendar

    try:
        return calendar.timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ")) * 1000
    except ValueError:
        return 0
