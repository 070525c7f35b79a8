"""From a client's log into the journal: a portion at a time, each in one short transaction with how far it was read.

Whoever is interrupted goes on behind the last portion. The end of a log is only remembered when what it teaches has
been learned: until then its last portion is read once more, which changes nothing, for everything has the client's id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hardwon.event import Event
from hardwon.learn.placing import Places
from hardwon.store import journal, skill_loads, transcripts
from hardwon.store.connection import Store
from hardwon.understand import tiers


class Reading(Protocol):
    """A log of any client, and how far it was read."""

    @property
    def path(self) -> Path: ...

    @property
    def end(self) -> int: ...

    def portions(self, offset: int = 0) -> Iterator[list[Event]]: ...


@dataclass(slots=True)
class Taken:
    """What came of the portions so far."""

    events: int = 0
    kept: int = 0
    text: int = 0
    """Characters of what was kept, before each was cut to its length."""
    sessions: dict[tuple[str, str], None] = field(default_factory=dict)


def take_in(store: Store, places: Places, log: Reading, offset: int, now: int, taken: Taken) -> Iterator[int]:
    """Read on behind an offset; gives how far it came, after each portion. `finish` says that it was the end."""
    if log.path.stat().st_size < offset:  # another file under the same name
        offset = 0
    before = offset
    for events in log.portions(offset):
        _keep(store, places, log.path, events, before, now, taken)
        before = max(before, log.end)
        yield before


def _keep(store: Store, places: Places, path: Path, events: list[Event], read_to: int, now: int, taken: Taken) -> None:
    there = [event for event in map(places.placed, events) if event and event.project]
    entries = journal.prepared(store, [(event, tiers.tier(event)) for event in there])
    with store.transaction():
        kept = journal.write(store, entries)
        for event in kept:
            skill_loads.count(store, event)
        if read_to:
            transcripts.remember(store, str(path), read_to, now)
    taken.events += len(events)
    taken.kept += len(kept)
    taken.text += sum(len(event.target) + len(event.text) + len(event.error) for event in there)
    taken.sessions |= dict.fromkeys((event.host, event.session) for event in there)


def finish(store: Store, log: Reading, now: int) -> None:
    """It was read to its end, and learned from."""
    transcripts.remember(store, str(log.path), log.end, now)
