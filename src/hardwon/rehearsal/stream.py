"""All sessions of a person as one stream: what happened, in the order in which it happened.

Sessions overlap in time, so their files are read side by side, each only from its own first moment on and only until
its end. Nothing is held but what is open: a line of each.
"""

from __future__ import annotations

import dataclasses
import heapq
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hardwon.clients.log_lines import head
from hardwon.clients.past_sessions import Log
from hardwon.clients.reading import milliseconds
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.transcript import Found, Told, read, session_of

REMEMBERED = 20_000
"""Records whose ids are remembered: a fork repeats its parent's, and in time they stand side by side."""
_TIME = re.compile(rb'"timestamp":\s?"([^"]{10,40})"')
_HEAD = 1_000_000
PROGRESS = 1_000_000
"""Bytes after which it is told how far it came."""


@dataclass(slots=True)
class Counts:
    """What the files were like."""

    files: int = 0
    sub_agents: int = 0
    bytes: int = 0
    empty: list[str] = field(default_factory=list)
    """Without anything that happened."""
    unreadable: list[str] = field(default_factory=list)
    """With why."""
    torn: int = 0
    strange: int = 0
    forked: set[str] = field(default_factory=set)
    compacted: int = 0
    spoke: set[str] = field(default_factory=set)
    """Sessions in which the program had spoken already."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file, and when it begins."""

    begins: int
    order: int
    log: Log
    path: Path


def sources(logs: Iterable[Log], counts: Counts) -> list[Source]:
    """The files in the order in which they begin; what can't be read is named."""
    found = []
    for order, log in enumerate(sorted(logs, key=lambda each: (each.written_at, str(each.path)))):
        for path in log.files:
            counts.files += 1
            counts.sub_agents += path is not log.path
            try:
                counts.bytes += path.stat().st_size
                begins = _begins(path)
            except OSError as error:
                counts.unreadable.append(f"{path}: {error.strerror}")
                continue
            if begins is None:
                counts.empty.append(str(path))
            else:
                found.append(Source(begins, order, log, path))
    return sorted(found, key=lambda each: (each.begins, each.order, str(each.path)))


def _begins(path: Path) -> int | None:
    for match in _TIME.finditer(head(path, _HEAD)):
        try:
            return milliseconds(match[1].decode())
        except ValueError:
            continue
    return None


def merged(files: Iterable[Source], counts: Counts, done: Callable[[int], object] = lambda _: None) -> Iterator[Told]:
    """One stream of all files. Each session begins with BEGAN and ends with ENDED; its happenings are numbered."""
    waiting = sorted(files, key=lambda each: (each.begins, each.order, str(each.path)), reverse=True)
    left: dict[str, int] = {}
    for source in waiting:
        left[_name(source)] = left.get(_name(source), 0) + 1
    heap: list[tuple[int, int, int, Told, _Open]] = []
    numbers: dict[str, int] = {}
    repeated = _Repeated()
    serial = 0
    while waiting or heap:
        while waiting and (not heap or waiting[-1].begins <= heap[0][0]):
            open = _Open(waiting.pop(), counts, done)
            if told := open.next():
                serial += 1
                heapq.heappush(heap, (told.happening.at, open.source.order, serial, told, open))
            else:
                yield from _ended(open, left, numbers)
        if not heap:
            continue
        _, _, _, told, open = heapq.heappop(heap)
        yield from _numbered(told, open, numbers, repeated, counts)
        if following := open.next():
            serial += 1
            heapq.heappush(heap, (following.happening.at, open.source.order, serial, following, open))
        else:
            yield from _ended(open, left, numbers)


def _name(source: Source) -> str:
    return session_of(source.log) or str(source.log.path)


def _numbered(told: Told, open: _Open, numbers: dict[str, int], repeated: _Repeated, counts: Counts) -> Iterator[Told]:
    one = told.happening
    open.session = one.session
    is_repeat = repeated.has(told.id, one.session)
    if is_repeat:
        counts.forked.add(one.session)
    if one.session not in numbers:
        numbers[one.session] = 0
        yield Told(Happening(What.BEGAN, one.session, one.at), None, "", told.host, told.cwd)
    numbers[one.session] += 1
    yield dataclasses.replace(
        told, happening=dataclasses.replace(one, number=numbers[one.session], is_repeat=is_repeat)
    )


def _ended(open: _Open, left: dict[str, int], numbers: dict[str, int]) -> Iterator[Told]:
    name = _name(open.source)
    left[name] -= 1
    if not left[name] and open.session in numbers:
        number = numbers.pop(open.session)
        yield Told(Happening(What.ENDED, open.session, open.at, number + 1))


class _Open:
    """A file that is being read; its times never go back."""

    def __init__(self, source: Source, counts: Counts, done: Callable[[int], object]) -> None:
        self.source = source
        self.session = ""
        self.at = source.begins
        self._counts = counts
        self._done = done
        self._found = Found()
        self._reported = 0
        self._told = read(source.log, source.path, self._found)

    def next(self) -> Told | None:
        try:
            told = next(self._told, None)
        except OSError as error:
            self._counts.unreadable.append(f"{self.source.path}: {error.strerror}")
            told = None
        if self._found.read - self._reported > PROGRESS or told is None:
            self._done(self._found.read - self._reported)
            self._reported = self._found.read
        if told is None:
            self._close()
            return None
        if told.happening.at < self.at:
            told = dataclasses.replace(told, happening=dataclasses.replace(told.happening, at=self.at))
        self.at = told.happening.at
        self.session = self.session or told.happening.session
        return told

    def _close(self) -> None:
        found, counts = self._found, self._counts
        counts.torn += found.torn
        counts.strange += found.strange
        counts.compacted += found.compacted
        if found.spoke:
            counts.spoke.add(self.session)


class _Repeated:
    """Which records have come already, from the file of another session."""

    def __init__(self) -> None:
        self._came: dict[str, str] = {}

    def has(self, id: str, session: str) -> bool:
        if not id:
            return False
        first = self._came.setdefault(id, session)
        while len(self._came) > REMEMBERED:
            self._came.pop(next(iter(self._came)))
        return first != session
