"""What is handed to a session: a handoff, once; else what the session before it left; after a compaction its own.

Who gets a handoff is decided here, in memory and before the reply, so that two windows that open at once don't both get
it; the other one is told so. What is said is kept by the second arrow; that it was read is what the session proves by
working on (`store/tables/handoffs.py`). However long that takes, nobody else gets it: it waits again when the
session ends without having read it, or when a person reopens it.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import clients
from hardwon.clients.speech import without_ours
from hardwon.event import Event
from hardwon.learn import sessions
from hardwon.memory import Memory
from hardwon.regular_file import status
from hardwon.render import handover as rendered
from hardwon.render.plain import one_line, since
from hardwon.store.connection import Store
from hardwon.store.tables import handoffs, journal, session_notes, transcripts
from hardwon.store.tables.handoffs import Way
from hardwon.store.tables.session_notes import NoteKind
from hardwon.text import handover, tiers
from hardwon.text.handover import Handover

MOMENT = 30_000
"""Milliseconds within which it is surely written down who was given what."""
OLD = 14 * 86_400_000
"""Milliseconds after which nobody wants to know any more what a session left."""
TAIL = 2_000_000
"""Bytes of a transcript that are read while a session waits for its beginning."""
TITLE = 100


@dataclass(frozen=True, slots=True)
class Handed:
    """Lines to say, and the handoff that they are of."""

    lines: tuple[str, ...] = ()
    handoff: str = ""


@dataclass(slots=True)
class Hands:
    """Who was given which handoff a moment ago: until that stands in the store, which holds from then on."""

    _given: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def give(self, memory: str, host: str, session: str, now: int) -> bool:
        """True for one session only, and once."""
        with self._lock:
            if now - self._given.get(memory, ("", "", -MOMENT))[2] < MOMENT:
                return False
            self._given[memory] = (host, session, now)
            return True

    def take_back(self, memory: str) -> None:
        with self._lock:
            self._given.pop(memory, None)

    def ended(self, host: str, session: str) -> None:
        """What it did not prove to have read waits again."""
        with self._lock:
            self._given = {memory: whom for memory, whom in self._given.items() if whom[:2] != (host, session)}


def at_start(store: Store, hands: Hands, event: Event, project: str, root: str, now: int, until: float) -> Handed:
    """A handoff that waits; else what the last session left, if something of it is unfinished."""
    there = [way for way in handoffs.ways(store, project) if not _is_own(way.memory, event.session)]
    for way in there:
        if not way.offered_at and hands.give(way.memory.id, event.host, event.session, now):
            return _handed(way.memory, now, len(there) - 1)
    if there and (there[0].session, there[0].host) != (event.session, event.host):
        return Handed((_elsewhere(there[0], now),))
    return Handed(_of_last(store, event, project, root, now, until))


def meanwhile(store: Store, hands: Hands, event: Event, project: str, now: int) -> Handed:
    """A handoff that was made while this session is under way, at its next prompt."""
    for way in handoffs.ways(store, project):
        if way.offered_at or _is_own(way.memory, event.session):
            continue
        if hands.give(way.memory.id, event.host, event.session, now):
            return _handed(way.memory, now, 0)
    return Handed()


def after_compaction(store: Store, event: Event) -> tuple[str, ...]:
    """The session's own state, from the snapshot that was made before; without one, from its journal. What it did and
    where is in the client's own summary, and in the files."""
    notes = [one for one in session_notes.of_session(store, event.host, event.session) if one.kind is NoteKind.SNAPSHOT]
    own = notes[0].content if notes else sessions.derived(store, event.host, event.session)
    own = dataclasses.replace(own, done=(), files=())
    return tuple(f"- {line}" for line in rendered.lines(own))


def _is_own(memory: Memory, session: str) -> bool:
    """Who handed off knows it already."""
    return bool(session) and any(session in one for one in memory.evidence)


def _handed(memory: Memory, now: int, more: int) -> Handed:
    said, rest = handover.parsed(memory.body)
    lines = [f"- Handed over {since(now - memory.created_at)} ago [{memory.short_id}]:"]
    lines += [f"  {line}" for line in rendered.lines(said)] if said else []
    lines += [f"  {rendered.clean(line)}" for line in one_line(rest, 800).splitlines()] if rest else []
    if more:
        one = "1 more handoff waits" if more == 1 else f"{more} more handoffs wait"
        lines.append(f"- {one}: `hardwon handoff list`")
    return Handed(tuple(lines), memory.id)


def _elsewhere(way: Way, now: int) -> str:
    title = rendered.clean(one_line(way.memory.headline.removeprefix("Goal: "), TITLE))
    whom = f"another window (session {rendered.clean(way.session[:8])})" if way.session else "another window"
    return (
        f'- A handoff, "{title}" [{way.memory.short_id}], was given to {whom}'
        f"{f' {since(now - way.offered_at)} ago' if way.offered_at else ' just now'};"
        f" `hardwon handoff show {way.memory.short_id}` has it."
    )


def _of_last(store: Store, event: Event, project: str, root: str, now: int, until: float) -> tuple[str, ...]:
    last = session_notes.last_session(store, project, (event.host, event.session))
    if last is None or now - last.last_at > OLD or not store.settings.sessions.enabled:
        return ()
    notes = [one for one in session_notes.of_session(store, last.host, last.session) if one.kind is NoteKind.SUMMARY]
    if notes and notes[0].at >= last.last_at:
        left, branch = notes[0].content, notes[0].branch
    else:
        tail = _tail(store, last.host, last.transcript, project, root, until)
        left, branch = sessions.derived(store, last.host, last.session, tail), ""
    if not left.goal or (last.ended and not _is_unfinished(left)):
        return ()
    on = f", on branch `{rendered.clean(branch)}`" if branch else ""
    how = "" if last.ended else "; its end was not told, it was stopped or is still open"
    head = f"- The session before, {since(now - last.last_at)} ago{on}{how}:"
    return (head, *(f"  {line}" for line in rendered.lines(left)))


def _is_unfinished(left: Handover) -> bool:
    return bool(left.failing or left.next or left.open)


def _tail(store: Store, host: str, transcript: str, project: str, root: str, until: float) -> list[Event]:
    """What a transcript has that is not in the journal yet: a killed session's last steps."""
    path = Path(transcript)
    found = status(path) if transcript else None
    offset = transcripts.read_to(store, transcript) if transcript else 0
    logs = clients.logs(host)
    if logs is None or found is None or not 0 < found.st_size - offset < TAIL:
        return []
    events: list[Event] = []
    try:
        for portion in logs.open(path).portions(offset):
            for one in portion:
                if time.monotonic() > until:
                    return events
                text, error = without_ours(one.text), without_ours(one.error)
                placed = dataclasses.replace(
                    one, project=project, target=tiers.target(one, root), text=text, error=error
                )
                events.append(journal.storable(store, placed, tiers.tier(placed)))
    except OSError:
        return events
    return events
