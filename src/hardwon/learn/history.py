"""Learning from the sessions of the past: first a plan of what would be read, then session by session.

Nothing is read twice: how far each file was read is kept. A session is learned from when all of it is there, and only
then counts as read, so that whoever is interrupted goes on where they were.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardwon.clients import past_sessions
from hardwon.clients.past_sessions import Log
from hardwon.learn import ahead
from hardwon.learn import session as learn
from hardwon.learn.ahead import File, Reader, size
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, keep
from hardwon.memory import ATTEMPT, Kind
from hardwon.regular_file import status
from hardwon.store.connection import Store
from hardwon.store.tables import transcripts

PAUSE = 0.002
"""Seconds between two portions, in which others may write; most take longer to be read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are meant."""

    client: str | None = None
    project: str | None = None
    since: int = 0
    again: bool = False
    """Also what was read before."""


@dataclass(frozen=True, slots=True)
class Session:
    """One that is to be read."""

    log: Log
    folder: str
    project: str
    """Its name."""
    offsets: dict[Path, int]
    """From where on each of its files is read."""

    @property
    def size(self) -> int:
        return sum(max(0, size(file) - offset) for file, offset in self.offsets.items())


@dataclass(slots=True)
class Plan:
    sessions: list[Session] = field(default_factory=list)
    known: int = 0
    """Sessions that were read before."""
    excluded: dict[str, int] = field(default_factory=dict)
    """How many stay out, by the reason."""

    @property
    def size(self) -> int:
        return sum(session.size for session in self.sessions)

    def by_project(self) -> dict[str, list[Session]]:
        found: dict[str, list[Session]] = {}
        for session in self.sessions:
            found.setdefault(session.project, []).append(session)
        return dict(sorted(found.items(), key=lambda item: -sum(one.size for one in item[1])))


def plan(store: Store, logs: Iterable[Log], wanted: Wanted, home: str = "") -> Plan:
    """What is to be read of these, the oldest first. `home` is the folder of foreign logs."""
    made, places = Plan(), Places(store)
    for log in sorted(logs, key=lambda each: each.written_at):
        if (wanted.client and log.client != wanted.client) or log.written_at < wanted.since:
            continue
        folder = past_sessions.folder_of(log, home)
        if not folder:
            _count(made.excluded, "nothing in them says in which folder they were")
            continue
        if wanted.project and places.name(folder) != wanted.project:
            continue
        if reason := places.why_not(folder) or past_sessions.why_not(log):
            _count(made.excluded, reason)
            continue
        offsets = {file: _offset(store, file, wanted) for file in log.files}
        grown = {one: offset for one, offset in offsets.items() if (found := status(one)) and found.st_size != offset}
        if grown:
            made.sessions.append(Session(log, folder, places.name(folder), grown))
        else:
            made.known += 1
    return made


def _count(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1


def _offset(store: Store, file: Path, wanted: Wanted) -> int:
    return 0 if wanted.again else transcripts.read_to(store, str(file))


@dataclass(slots=True)
class Read:
    """What was read so far, and what came of it."""

    sessions: int = 0
    size: int = 0
    taken: Taken = field(default_factory=Taken)
    unread: list[str] = field(default_factory=list)
    """Files that were there when this was planned, and why they could not be read; the next run looks again."""


def read(
    store: Store,
    sessions: Sequence[Session],
    now: Callable[[], int],
    done: Callable[[int], object],
    result: Read,
    *,
    apart: bool | None = None,
) -> None:
    """Read them one after the other and learn from each; `done` is told of every so many bytes.

    `apart` is whether another process reads ahead; None: where it is worth it.
    """

    def told(size: int) -> None:
        result.size += size
        done(size)

    files = [[File(one.log.client, *each, one.folder) for each in one.offsets.items()] for one in sessions]
    with ahead.reader(store, [file for some in files for file in some], apart=apart) as reader:
        for some in files:
            taken, ends = Taken(), dict[Path, int]()
            for file in some:
                try:
                    ends[file.path] = _take_in(store, reader, file, now, told, taken)
                except OSError as error:
                    result.unread.append(f"{file.path}: {error.strerror}")
            for host, id in taken.sessions:
                learn.learn(store, host, id, now())
            for path, end in ends.items():
                transcripts.remember(store, str(path), end, now())
            result.sessions += bool(ends)
            _add(result.taken, taken)


def _take_in(
    store: Store, reader: Reader, file: File, now: Callable[[], int], done: Callable[[int], object], taken: Taken
) -> int:
    """Keep what is new in a file; how far it was read."""
    before, end, written = min(file.offset, size(file.path)), 0, 0.0
    for told in reader.read(file):
        if isinstance(told, int):
            end = told
            continue
        time.sleep(max(0.0, written + PAUSE - time.monotonic()))
        keep(store, file.path, told, now(), taken)
        written = time.monotonic()
        done(max(0, told.end - before))
        before = told.end
    return end


def _add(whole: Taken, part: Taken) -> None:
    whole.events += part.events
    whole.kept += part.kept
    whole.text += part.text


COUNTED = (Kind.FAILURE, Kind.FIX, ATTEMPT, Kind.RULE, Kind.DECISION)


def learned(before: dict[tuple[str, str], int], after: dict[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """By project and kind, how many are new."""
    found: dict[str, dict[str, int]] = {}
    for (project, kind), count in sorted(after.items()):
        fresh = count - before.get((project, kind), 0)
        if fresh > 0:
            found.setdefault(project, {})[kind] = fresh
    return found


def repeated(store: Store, projects: Iterable[str], most: int = 10) -> list[tuple[str, str, int]]:
    """The mistakes that were made most often in these projects: id, what it says, how often."""
    ids = list(projects)
    marks = ", ".join("?" * len(ids))
    return store.rows(
        f"select id, body, hits + 1 from memories where kind = 'failure' and project in ({marks})"
        " and status not in ('archived', 'forgotten') and hits > 0 order by hits desc, updated_at desc limit ?",
        (*ids, most),
    )
