"""What no hook told (how calls ended; a crash, a missing daemon, Esc) is read from the client's transcript.

At the end of each turn the session's own, at its start the last ones of the project. Everything is keyed by the
client's own ids, so reading what is known already changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import clients
from hardwon.clients.logs import Log, Logs
from hardwon.event import Event
from hardwon.learn import session as learn
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, finish, take_in
from hardwon.regular_file import status
from hardwon.store.connection import Store
from hardwon.store.maintenance import incidents
from hardwon.store.tables import transcripts

SESSIONS = 2
"""The current one and the last one of the project."""
REMEMBERED = 20
"""Transcripts of which it is known where to go on."""


@dataclass(slots=True)
class Caught:
    """What was not known: events that are kept now, and memories that were learned from them."""

    kept: int = 0
    learned: int = 0
    reports: dict[str, learn.Report] = field(default_factory=dict)
    """What came of each session that was learned from, by client and id (`claude-code:ID`)."""


class Transcripts:
    """The transcripts that are being written just now."""

    def __init__(self) -> None:
        self._readings: dict[str, Log] = {}

    def of_session(self, store: Store, event: Event, *, ended: bool = False) -> Caught:
        """What the transcript of this event's session had; when its turn has `ended`, the session is learned from in
        any case."""
        also = [(event.host, event.session)] if ended else []
        return self._read_all(store, event.host, [event.transcript] if event.transcript else [], event.at, also)

    def of_project(self, store: Store, event: Event) -> Caught:
        """The same of the last sessions, also of those that no hook ever told of."""
        known = transcripts.last(store, event.host, event.project, SESSIONS + 1)
        if event.transcript and (logs := clients.logs(event.host)):
            beside = logs.of_same_project(Path(event.transcript))
            there = [(found.st_mtime, str(file)) for file in beside if (found := status(file))]
            known += [file for _, file in sorted(there, reverse=True)[:SESSIONS]]
        return self._read_all(store, event.host, list(dict.fromkeys(known)), event.at)

    def _read_all(
        self, store: Store, client: str, paths: list[str], now: int, also: Iterable[tuple[str, str]] = ()
    ) -> Caught:
        """A session's own file first, then those of its sub-agents; what they teach, once, when all is there."""
        taken, places = Taken(), Places(store)
        readings: list[Log] = []
        for reading in self._all_grown(store, client, paths):
            if _is_taken_in(store, places, reading, now, taken):
                readings.append(reading)
        sessions = dict.fromkeys([*taken.sessions, *also])
        reports = {f"{host}:{session}": learn.report(store, host, session, now) for host, session in sessions}
        for reading in readings:
            finish(store, reading, now)
        return Caught(taken.kept, sum(one.learned for one in reports.values()), reports)

    def _all_grown(self, store: Store, client: str, paths: list[str]) -> Iterator[Log]:
        if (logs := clients.logs(client)) is None:
            return
        for path in map(Path, paths):
            for file in (path, *logs.parts(path)):
                if reading := self._grown(store, logs, file):
                    yield reading

    def _grown(self, store: Store, logs: Logs, path: Path) -> Log | None:
        """The reading of a file that is longer than it was, or that is another one by now."""
        found = status(path)
        if found is None or found.st_size == transcripts.read_to(store, str(path)):
            return None
        reading = self._readings.pop(str(path), None) or logs.open(path)
        self._readings[str(path)] = reading
        while len(self._readings) > REMEMBERED:
            self._readings.pop(next(iter(self._readings)))
        return reading


def _is_taken_in(store: Store, places: Places, reading: Log, now: int, taken: Taken) -> bool:
    """False for a file that can't be read, or is gone by now: the others are."""
    try:
        for _ in take_in(store, places, reading, transcripts.read_to(store, str(reading.path)), now, taken):
            pass
    except OSError as error:
        incidents.record(store.home, store.settings, f"transcript: {error}")
        return False
    return True
