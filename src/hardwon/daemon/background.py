"""What the daemon does while nobody waits: each a job in the queue, so that neither a crash nor its end loses one.

`ask_after` says what an event asks for, the handlers what is done then. Who adds to this adds a name, a handler and
when it is asked for; that it may be done twice is all that a handler has to bear.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from hardwon import git, git_head
from hardwon.daemon import updates
from hardwon.daemon.catch_up import Caught
from hardwon.event import Event, EventType
from hardwon.jobs import Done, Handlers, run_next
from hardwon.learn import sessions
from hardwon.learn.session import Report
from hardwon.memories.branches.branch_refs import DiskRefs
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import mirror
from hardwon.store.connection import Store
from hardwon.store.errors import StoreError
from hardwon.store.index import failure_words
from hardwon.store.maintenance import incidents, retention, upgrade, upkeep
from hardwon.store.mirror import handoff_files
from hardwon.store.tables import branches, jobs, journal, session_notes, transcripts
from hardwon.store.tables.jobs import Job
from hardwon.store.tables.session_notes import NoteKind
from hardwon.text.branches.fact import What

LONG_TURN = 60_000
"""Milliseconds after which the transcript is read although the turn goes on."""
UPGRADE = 0.1
"""Seconds that today's redaction rules are applied to what is kept, between two looks for messages."""
PAUSE = 40
"""Milliseconds between two portions of it, in which others come first."""
MOST_SESSIONS = 200
MOST_BASES = 40
"""Bases of a repository that are looked at."""
MOST_LEFT = 20
"""Sessions that are learned from late, at one upkeep."""
KEPT = 30 * 86_400_000
"""Milliseconds that it is remembered what came of a job."""
LEARN, READ, NEIGHBOURS, ABSORB, MIRROR, UPKEEP, REDACTION, INDEX, UPDATES, BRANCHES = (
    "learn", "read", "neighbours", "absorb", "mirror", "upkeep", "redaction", "index", "updates", "branches",
)  # fmt: skip
SUMMARY, CHECKPOINT, SNAPSHOT, LEFT = "summary", "checkpoint", "snapshot", "left"
ENDS = (EventType.TURN_ENDED, EventType.SESSION_ENDED, EventType.COMPACTING)


class Grown(Protocol):
    """The transcripts, as far as they have grown: each says what was not known."""

    def of_session(self, store: Store, event: Event, *, ended: bool = False) -> Caught: ...

    def of_project(self, store: Store, event: Event) -> Caught: ...


@dataclass(slots=True)
class Counts:
    kept: int = 0
    lost: int = 0
    learned: int = 0
    spooled: int = 0
    last_kept: int = 0


class Background:
    """The jobs of one daemon."""

    def __init__(self, home: Home, settings: Settings, grown: Grown, counts: Counts) -> None:
        self.home = home
        self.settings = settings
        self.counts = counts
        self.is_busy = False
        self._grown = grown
        self._last: dict[str, Event] = {}
        """The last event of each session, by its job's subject."""
        self._looked: dict[str, int] = {}
        """When the transcript of a session was last read."""
        self._looked_around: Store | None = None
        self.handlers: Handlers = {
            LEARN: self._learn,
            READ: self._read,
            NEIGHBOURS: self._neighbours,
            ABSORB: self._absorb,
            MIRROR: self._mirror,
            UPKEEP: self._upkeep,
            REDACTION: self._redaction,
            INDEX: self._index,
            UPDATES: self._updates,
            BRANCHES: self._branches,
            SUMMARY: partial(self._note, kind=NoteKind.SUMMARY),
            CHECKPOINT: partial(self._note, kind=NoteKind.CHECKPOINT),
            SNAPSHOT: partial(self._note, kind=NoteKind.SNAPSHOT),
            LEFT: self._left,
        }

    # ---- what is asked for

    def ask_after(self, store: Store, event: Event) -> None:
        """What an event that was just kept gives cause for."""
        wanted = self._wanted(store, event)
        if not wanted:
            return
        self._last[_subject(event)] = event
        while len(self._last) > MOST_SESSIONS:
            self._last.pop(next(iter(self._last)))
        with store.transaction():
            for late, (name, subject) in enumerate(wanted):  # in this order
                jobs.ask(store, name, subject, at=event.at, due=event.at + late)

    def _wanted(self, store: Store, event: Event) -> list[tuple[str, str]]:
        own, wanted = _subject(event), []
        if event.type in ENDS:
            wanted.append((LEARN, own))
        if event.type is EventType.SESSION_STARTED:
            wanted += [(NEIGHBOURS, own), (LEFT, own), (ABSORB, "")]
        wanted += [(name, own) for name in self._notes(store, event)]
        starting = event.type is EventType.TOOL_STARTING
        if starting and event.at - self._looked.setdefault(own, event.at) > LONG_TURN:
            wanted.append((READ, own))
        if event.type in (EventType.SESSION_STARTED, EventType.TURN_ENDED, EventType.SESSION_ENDED):
            wanted.append((BRANCHES, own))
        if event.type in (EventType.SESSION_STARTED, EventType.TURN_ENDED, EventType.SESSION_ENDED):
            wanted.append((MIRROR, ""))
        if upkeep.due(store, event.at):  # what a crash kept from being learned from: only then may it go
            late = retention.unlearned(store, event.at, MOST_LEFT)
            wanted += [*((LEARN, f"{host}:{session}") for host, session in late), (UPKEEP, "")]
        if event.type is EventType.SESSION_ENDED and self.settings.updates.check:
            wanted.append((UPDATES, ""))
        return wanted

    def _notes(self, store: Store, event: Event) -> list[str]:
        """A summary at the end, a snapshot before the context is cut down, a checkpoint every so many prompts."""
        settings = self.settings.sessions
        if not settings.enabled:
            return []
        if event.type is EventType.PROMPT_SUBMITTED:
            said = session_notes.prompts(store, event.host, event.session)
            return [CHECKPOINT] if said and said % settings.every == 0 else []
        return {EventType.SESSION_ENDED: [SUMMARY], EventType.COMPACTING: [SNAPSHOT]}.get(event.type, [])

    def look_around(self, store: Store, now: int) -> None:
        """What nobody asks for: an old home, which today's rules have not seen, and whose failures are in no index.
        Once for each connection."""
        if self._looked_around is not store and upgrade.due(store):
            jobs.ask(store, REDACTION, at=now)
        if self._looked_around is not store and failure_words.due(store):
            jobs.ask(store, INDEX, at=now)
        self._looked_around = store

    def run_next(self, store: Store, now: int) -> bool:
        """Whether there was something to do."""
        self.is_busy = True
        try:
            job = run_next(store, self.handlers, now)
        finally:
            self.is_busy = False
        return job is not None

    def run_all(self, store: Store, now: int) -> None:
        """All that is due, whatever it takes."""
        while run_next(store, self.handlers, now):
            pass

    # ---- what is done

    def _learn(self, store: Store, job: Job) -> Done:
        """How the calls of a session ended is in its transcript; then it is learned from, once."""
        event = self._event(store, job)
        if event is None:
            return Done({"skipped": {"nothing of it is kept": 1}})
        caught = self._taken(lambda: self._grown.of_session(store, event, ended=True), job)
        report = caught.reports.get(job.subject) if caught else None
        return Done(_told(report, job)) if report else Done()

    def _read(self, store: Store, job: Job) -> Done:
        event = self._event(store, job)
        caught = self._taken(lambda: self._grown.of_session(store, event), job) if event else None
        return Done({"kept": caught.kept} if caught else {})

    def _neighbours(self, store: Store, job: Job) -> Done:
        """The last sessions of the project, also those whose end nobody told of."""
        event = self._event(store, job)
        caught = self._taken(lambda: self._grown.of_project(store, event), job) if event else None
        return Done({"kept": caught.kept, "learned": caught.learned} if caught else {})

    def _taken(self, take: Callable[[], Caught], job: Job) -> Caught | None:
        """What the client has written will be there another time."""
        self._looked[job.subject] = job.asked_at
        while len(self._looked) > MOST_SESSIONS:
            self._looked.pop(next(iter(self._looked)))
        try:
            caught = take()
        except OSError as error:
            incidents.record(self.home, self.settings, f"transcript: {error}")
            return None
        self.counts.kept += caught.kept
        self.counts.learned += caught.learned
        return caught

    def _event(self, store: Store, job: Job) -> Event | None:
        """The session as it was last heard of; after a restart, as it is kept."""
        known = self._last.get(job.subject)
        if known is None:
            host, _, session = job.subject.partition(":")
            known = transcripts.session(store, host, session)
        return dataclasses.replace(known, at=job.asked_at) if known else None

    def _note(self, store: Store, job: Job, kind: NoteKind) -> Done:
        event = self._event(store, job)
        if event is None:
            return Done()
        branch, number = git_head.read(event.cwd).branch, self._number(store, event, kind)
        return Done({"kept": int(sessions.keep(store, kind, event, branch, number))})

    def _number(self, store: Store, event: Event, kind: NoteKind) -> int:
        """By which a note is told from others of its kind."""
        if kind is NoteKind.SNAPSHOT:
            return journal.windows(store, event.host, event.session) + 1
        every = self.settings.sessions.every
        reached = session_notes.prompts(store, event.host, event.session) // every * every
        return reached if kind is NoteKind.CHECKPOINT else 0

    def _left(self, store: Store, job: Job) -> Done:
        """The summaries of sessions whose end never came, or was never told."""
        event = self._event(store, job)
        if event is None or not event.project:
            return Done()
        made = 0
        for one in session_notes.left(store, event.project, (event.host, event.session)):
            ended = dataclasses.replace(event, host=one.host, session=one.session, at=one.last_at, cwd=one.cwd)
            made += sessions.keep(store, NoteKind.SUMMARY, ended, "")
        return Done({"made": made} if made else {})

    def _absorb(self, store: Store, job: Job) -> Done:
        return self._with_files(lambda: mirror.absorb(store, job.asked_at))

    def _mirror(self, store: Store, job: Job) -> Done:
        return self._with_files(lambda: (upkeep.lessons(store, job.asked_at), handoff_files.write(store)))

    def _with_files(self, work: Callable[[], object]) -> Done:
        """What goes wrong with the markdown files is no reason to do it again and again: the next event asks for it."""
        try:
            work()
        except (OSError, StoreError) as error:
            incidents.record(self.home, self.settings, f"mirror: {error}")
            return Done({"failed": str(error)})
        return Done()

    def _upkeep(self, store: Store, job: Job) -> Done:
        removed = upkeep.run(store, job.asked_at)
        branches.prune(store, job.asked_at)
        jobs.prune(store, job.asked_at - KEPT)
        if removed:
            incidents.record(self.home, self.settings, f"{incidents.UPKEEP}{removed}")
        return Done({"removed": removed} if removed else {})

    def _redaction(self, store: Store, job: Job) -> Done:
        """An old home, a little at a time: the rules of today know more."""
        done = upgrade.step(store, UPGRADE, job.asked_at)
        if done and (done.memories or done.rows):
            incidents.record(self.home, self.settings, f"{incidents.UPKEEP}{upgrade.told(done)}")
        if upgrade.due(store):
            stage, stages = upgrade.progress(store)
            return Done(more=int(time.time() * 1000) + PAUSE, done=stage, total=stages)
        if done:
            with contextlib.suppress(StoreError):  # somebody reads just now: the next upkeep does it
                upgrade.erase(store)
        return Done({"changed": done.memories + done.rows} if done else {})

    def _index(self, store: Store, job: Job) -> Done:  # noqa: ARG002
        """An old home's failures, so that a new one finds those that are like it."""
        failure_words.step(store, UPGRADE)
        return Done(more=int(time.time() * 1000) + PAUSE) if failure_words.due(store) else Done()

    def _branches(self, store: Store, job: Job) -> Done:
        """Which bases are in the default branch by now: only git can tell, so it is asked before somebody waits."""
        event = self._event(store, job)
        head = git_head.read(event.cwd) if event else git_head.NOWHERE
        if event is None or not event.project or not head.common:
            return Done()
        refs, looked = DiskRefs(store, head), 0
        wanted = {fact.value for fact in branches.bases(store, event.project, job.asked_at) if fact.what is What.BASE}
        for base in sorted(wanted)[:MOST_BASES]:
            mark = refs.mark(base)
            if mark and branches.contained(store, head.common, base, mark) is None:
                one, _, default = mark.partition(":")
                is_in = git.is_ancestor(head.common, one, default)
                looked += 1
                if is_in is not None:
                    branches.found(store, head.common, base, mark, is_in, job.asked_at)
        return Done({"looked": looked})

    def _updates(self, store: Store, job: Job) -> Done:  # noqa: ARG002
        return Done({"asked": updates.look(self.home, self.settings.updates, job.asked_at)})


def _subject(event: Event) -> str:
    return f"{event.host}:{event.session}"


def _told(report: Report, job: Job) -> dict[str, Any]:
    """For the log of sessions' ends. What was learned at an earlier turn of the session counts."""
    before = job.result
    learned = int(before.get("learned", 0)) + report.learned
    repeated = int(before.get("repeated", 0)) + report.repeated
    skipped = dict(report.skipped.most_common(10))
    if not (learned or repeated or skipped):
        skipped = {"nothing in it to learn from": 1}
    return {"learned": learned, "repeated": repeated, "skipped": skipped}
