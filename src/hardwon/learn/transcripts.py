"""From a client's log into the journal: a portion at a time, each in one short transaction with how far it was read.

Whoever is interrupted goes on behind the last portion. The end of a log is only remembered when what it teaches has
been learned: until then its last portion is read once more, which changes nothing, for everything has the client's id.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hardwon import git_head
from hardwon.event import Event
from hardwon.learn.placing import Places
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import branches, journal, skill_loads, transcripts
from hardwon.store.tables.journal import Entry
from hardwon.text import tiers
from hardwon.text.branches import Reader
from hardwon.text.branches.fact import Fact


class Reading(Protocol):
    """A log of any client, and how far it was read."""

    @property
    def path(self) -> Path: ...

    @property
    def end(self) -> int: ...

    def portions(self, offset: int = 0) -> Iterator[list[Event]]: ...


@dataclass(frozen=True, slots=True)
class Portion:
    """A portion of a log, redacted and ready to be written."""

    entries: list[Entry]
    begin: int
    """From where on it would be read again."""
    end: int
    events: int
    """In it, also those of which nothing is kept."""
    text: int
    """Characters of what is kept, before each was cut to its length."""
    sessions: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, Fact], ...] = ()
    """What it tells of branches, each with its project."""


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
    for portion in portions(store, places, log, offset):
        keep(store, log.path, portion, now, taken)
        yield portion.end


def portions(store: Store, places: Places, log: Reading, offset: int) -> Iterator[Portion]:
    """What a log tells behind an offset: the long part of taking it in, for which nothing is locked."""
    if log.path.stat().st_size < offset:  # another file under the same name
        offset = 0
    begin = offset
    reader = _reader(str(log.path))
    reader.look = lookup()
    for events in log.portions(offset):
        placed = [event for event in map(places.placed, events) if event and event.project]
        there = [journal.passed(event, store.redactor, tiers.tier(event)) for event in placed]
        entries = journal.prepared(store, [(event, tiers.tier(event)) for event in there])
        end = max(begin, log.end)
        text = sum(len(event.target) + len(event.text) + len(event.error) for event in placed)
        sessions = tuple(dict.fromkeys((event.host, event.session) for event in there))
        facts = tuple((event.project or "", fact) for event in there for fact in reader.facts(event))
        yield Portion(entries, begin, end, len(events), text, sessions, facts)
        begin = end


def keep(store: Store, path: Path, portion: Portion, now: int, taken: Taken) -> None:
    with store.transaction():
        kept = journal.write(store, portion.entries)
        _keep_facts(store, portion)
        for event in kept:
            skill_loads.count(store, event)
        if portion.begin:
            transcripts.remember(store, str(path), portion.begin, now)
    taken.events += portion.events
    taken.kept += len(kept)
    taken.text += portion.text
    taken.sessions |= dict.fromkeys(portion.sessions)


def _keep_facts(store: Store, portion: Portion) -> None:
    """But for those of a time from which everything was removed."""
    removed = {name: retention.removed_to(store, *name) for name in portion.sessions} if portion.facts else {}
    for project, fact in portion.facts:
        if fact.at > removed.get((fact.host, fact.session), -1):
            branches.record(store, project, [fact])


@functools.lru_cache(maxsize=64)
def _reader(path: str) -> Reader:  # noqa: ARG001
    """A log is read on where it was left, and so is what it tells of branches."""
    return Reader()


def lookup() -> Callable[[str], tuple[str, str]]:
    """Where folders are just now: each is looked at once."""

    @functools.cache
    def look(folder: str) -> tuple[str, str]:
        head = git_head.read(folder)
        return head.root, head.branch

    return look


def finish(store: Store, log: Reading, now: int) -> None:
    """It was read to its end, and learned from."""
    transcripts.remember(store, str(log.path), log.end, now)
