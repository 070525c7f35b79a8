"""Did it help? Every showing is followed through the rest of its session, and judged by what was done, never guessed.

Of a failure: *helped* when what the fix names was done and the command then passed, or when a call was told of it
before it ran, something was changed, and its next run passed. *Ignored* when the same error came back and nothing that
was advised had been tried. Of anything else: *helped* when a command or a file that it names was used with success in
the same turn, although neither the prompt nor the call that it was said to had named it; *ignored* when a command that
it warns against was run. All else stays unknown: a call that passes unchanged was not helped by the warning before it.

The first event that decides, decides: a session that is read again, or goes on, changes no outcome.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon import action
from hardwon.event import Event, EventType, Moment
from hardwon.learn.causes import EDITING, can_be_cause
from hardwon.memories import moments
from hardwon.memories.moments import TOLD_ALONG
from hardwon.memory import AnchorKind, Kind, LinkKind, Memory
from hardwon.store.connection import Store
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import Outcome, Showing
from hardwon.text import advice, commands, errors
from hardwon.text.commands import shell
from hardwon.text.commands.normal import essential

_ALL_SESSION = frozenset({Moment.SESSION_START, Moment.AFTER_COMPACTION})
"""What is said then holds for more than a turn."""


def follow(store: Store, host: str, session: str, journal: Iterable[Event]) -> int:
    """Judge what this session was shown and what nothing is known of yet; how many were decided.

    `journal` are the session's events, in order; most sessions wait for nothing, and then it is not read.
    """
    waiting = showings.undecided(store, host, session)
    if not waiting:
        return 0
    known = memories.by_ids(store, list({one.memory for _, one in waiting}))
    events = [_without_results(event) for event in journal]
    decided = []
    for row, showing in waiting:
        memory = known.get(showing.memory)
        if memory is None:
            continue
        about, fixes = _advised(store, memory, showing.at)
        outcome = judge(showing, about, fixes, events, _said_to(showing, events))
        if outcome:
            decided.append((row, outcome))
    if decided:
        showings.decide(store, decided)
    return len(decided)


def _without_results(event: Event) -> Event:
    """What a call printed decides nothing; a long session has much of it."""
    return event if event.type is EventType.PROMPT_SUBMITTED or not event.text else dataclasses.replace(event, text="")


def _advised(store: Store, memory: Memory, at: int) -> tuple[Memory, tuple[Memory, ...]]:
    """What it is about, and the fixes that were known then: what this session found out itself was not shown to it."""
    if memory.kind is Kind.FIX:
        target = next((link.target for link in memory.links if link.kind is LinkKind.FIXES), None)
        failure = memories.get(store, target) if target else None
        return (failure, (memory,)) if failure else (memory, ())
    if memory.kind is not Kind.FAILURE:
        return memory, ()
    return memory, tuple(fix for fix in moments.fixes_of(store, memory) if fix.created_at <= at)[:TOLD_ALONG]


def _said_to(showing: Showing, events: Iterable[Event]) -> Event | None:
    """The failed call that it was the answer to; else the prompt of its turn."""
    own = [event for event in events if event.agent == showing.agent and event.at <= showing.at]
    if showing.moment == Moment.AFTER_FAILURE:
        return next((one for one in own if one.type is EventType.TOOL_FAILED and one.at == showing.at), None)
    return next((one for one in reversed(own) if one.type is EventType.PROMPT_SUBMITTED), None)


def judge(
    showing: Showing, memory: Memory, fixes: Sequence[Memory], events: Iterable[Event], said_to: Event | None = None
) -> Outcome | None:
    """What came of one showing, None as long as nothing tells. `said_to` is what it was said in answer to."""
    after = [event for event in events if event.at > showing.at and event.agent == showing.agent]
    if memory.kind in (Kind.FAILURE, Kind.FIX):
        return _Trouble.of(memory, fixes, said_to).outcome(showing, after)
    return _of_advice(showing, memory, after, said_to)


@dataclass(slots=True)
class _Course:
    """What has happened since a failure was shown."""

    running: bool
    """The call that it was said to is under way: the note is read with its result, unless the call was stopped."""
    first: bool
    """That call, or the one that was stopped, has not been run again."""
    tried: bool = False
    """Something that was advised, whatever came of it."""
    followed: bool = False
    """Something that was advised has succeeded, and the error has not come back since."""
    changed: bool = False
    """Anything at all was done that a later pass may be due to."""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """What fails, and what is known to help."""

    commands: frozenset[str]
    files: frozenset[str]
    """Where no command is known to fail: edits that did."""
    signatures: frozenset[str]
    steps: tuple[str, ...]
    """Commands of the fixes, as they stand there."""
    edits: frozenset[str]
    instead: frozenset[str]
    """Commands that worked where this one failed."""
    can_be_ignored: bool

    @classmethod
    def of(cls, memory: Memory, fixes: Sequence[Memory], said_to: Event | None) -> _Trouble:
        fixes = fixes or ([memory] if memory.kind is Kind.FIX else [])
        failing = set(_values(memory, AnchorKind.COMMAND)[: 1 if memory.kind is Kind.FIX else None])
        if said_to and said_to.type is EventType.TOOL_FAILED and said_to.tool == action.SHELL:
            failing.add(commands.normalise(said_to.target))
        given = [advice.given(fix.body) for fix in fixes]
        steps = [step for one in given for step in one.run if not _is_just(step, failing)]
        named = {value for fix in fixes for value in _values(fix, AnchorKind.COMMAND)}
        edits = {file for one in given for file in one.files} | {
            value for fix in fixes for value in _values(fix, AnchorKind.FILE)
        }
        return cls(
            commands=frozenset(failing),
            files=frozenset() if failing else frozenset(_values(memory, AnchorKind.FILE)),
            signatures=frozenset(_values(memory, AnchorKind.ERROR)),
            steps=tuple(dict.fromkeys(steps)),
            edits=frozenset(edits),
            instead=frozenset(named - failing),
            can_be_ignored=memory.kind is Kind.FAILURE and bool(fixes),
        )

    @property
    def can_be_seen(self) -> bool:
        """Whether calls show that it was followed."""
        return bool(self.steps or self.edits or self.instead)

    def outcome(self, showing: Showing, after: Sequence[Event]) -> Outcome | None:
        before = showing.moment == Moment.BEFORE_ACTION
        course = _Course(running=before, first=before)
        for event in after:
            if event.type is EventType.PROMPT_SUBMITTED:
                course.changed = True  # a person may have seen to it
            if not _is_outcome(event):
                continue
            if _was_denied(event):
                course.running = course.running and not self.is_run(event)
                continue
            decided = (
                self._failed(course, event) if event.type is EventType.TOOL_FAILED else self._passed(course, event)
            )
            if decided:
                return decided
            course.first = course.first and not self.is_run(event)
            course.running = False
        return None

    def _failed(self, course: _Course, event: Event) -> Outcome | None:
        course.tried = course.tried or self.is_followed_by(event)
        if not self.is_back(event):
            return None
        # "Start the database first" can be followed in ways that no call shows.
        untouched = not course.tried and not course.running and (self.can_be_seen or not course.changed)
        course.followed = course.changed = False
        return Outcome.IGNORED if self.can_be_ignored and untouched else None

    def _passed(self, course: _Course, event: Event) -> Outcome | None:
        if self.is_followed_by(event):
            course.tried = course.followed = True
        prepared = course.first and course.changed and not course.running
        if (course.followed or prepared) and self.is_over(event):
            return Outcome.HELPED
        course.changed = course.changed or can_be_cause(event)
        return None

    def is_run(self, event: Event) -> bool:
        """Whether it is the call that fails, whatever came of it."""
        if event.tool in EDITING:
            return event.target in self.files
        return event.tool == action.SHELL and bool(self.commands & _ran(event.target).pieces)

    def is_back(self, event: Event) -> bool:
        """Whether the same went wrong again. A bare AssertionError says so only for the same call."""
        if not self.signatures:
            return self.is_run(event)
        signature = _signature(event.error)
        return signature in self.signatures and (not errors.generic(signature) or self.is_run(event))

    def is_over(self, event: Event) -> bool:
        """Whether a call that succeeded was the one that fails, one that covers it, or one that does it otherwise."""
        if event.tool != action.SHELL:
            return self.is_run(event)
        ran = _ran(event.target)
        if ran.masked:
            return False
        if self.is_run(event) or self.instead & ran.pieces:
            return True
        return any(_covers(event.target, command) for command in self.commands)

    def is_followed_by(self, event: Event) -> bool:
        if event.tool in EDITING:
            return event.target in self.edits
        if event.tool != action.SHELL:
            return False
        return bool(self.instead & _ran(event.target).pieces) or any(_does(event.target, step) for step in self.steps)


def _of_advice(showing: Showing, memory: Memory, after: Sequence[Event], said_to: Event | None) -> Outcome | None:
    """Of a lesson, a rule, a decision: only what it names and nobody else did counts."""
    told = advice.given(f"{memory.title}\n{memory.body}")
    asked = said_to.text if said_to and said_to.type is EventType.PROMPT_SUBMITTED else ""
    steps = [step for step in told.run if step not in asked and not commands.bookkeeping(step)]
    files = {file for file in told.files if file.rpartition("/")[2] not in asked}
    about = {*_values(memory, AnchorKind.COMMAND), *_values(memory, AnchorKind.FILE)}
    running = showing.moment == Moment.BEFORE_ACTION
    for event in after if showing.moment in _ALL_SESSION else _turn(after):
        if not _is_outcome(event) or _was_denied(event):
            continue
        if running:  # the call that it was said to: it was going to be made anyway
            running = False
            if event.target in about or (event.tool == action.SHELL and about & _ran(event.target).pieces):
                steps = [step for step in steps if not _does(event.target, step)]
                files.discard(event.target)
                continue
        if event.tool == action.SHELL and any(_does(event.target, step) for step in told.avoid):
            return Outcome.IGNORED
        if event.type is EventType.TOOL_FAILED:
            continue
        if event.tool in EDITING and event.target in files:
            return Outcome.HELPED
        if event.tool == action.SHELL and any(_does(event.target, step) for step in steps):
            return Outcome.HELPED
    return None


def _turn(events: Sequence[Event]) -> Iterable[Event]:
    for event in events:
        if event.type in (EventType.TURN_ENDED, EventType.PROMPT_SUBMITTED):
            return
        yield event


def _is_outcome(event: Event) -> bool:
    return event.type in (EventType.TOOL_FINISHED, EventType.TOOL_FAILED)


def _was_denied(event: Event) -> bool:
    """Stopped by us, refused by a person, interrupted: it did not run."""
    return event.type is EventType.TOOL_FAILED and event.tool == action.SHELL and event.exit_status is None


def _values(memory: Memory, kind: AnchorKind) -> list[str]:
    return [anchor.value for anchor in memory.anchors if anchor.kind is kind]


# Each command of a session is looked at for each showing: taken apart once.


@dataclass(frozen=True, slots=True)
class _Ran:
    whole: str
    """In one form."""
    pieces: frozenset[str]
    """The whole and its parts."""
    around: frozenset[str]
    """Variables and programs that it was started with."""
    masked: bool
    """Its exit status says nothing."""


@lru_cache(maxsize=4_096)
def _ran(command: str) -> _Ran:
    parts = (shell.joined((part,)) for part in essential(command) if part.joint in ("", "&&", ";"))
    around = (one for one in commands.circumstances(command) if not one.startswith("cd "))
    whole = commands.normalise(command)
    return _Ran(whole, frozenset({whole, *parts}), frozenset(around), commands.masks_status(command))


@lru_cache(maxsize=4_096)
def _covers(command: str, narrow: str) -> bool:
    return commands.is_broader(command, narrow)


@lru_cache(maxsize=1_024)
def _signature(error: str) -> str:
    return errors.signature(error)


def _does(command: str, step: str) -> bool:
    """Whether a command is, or begins with, what was advised, with the variables and programs that belong to it."""
    ran, wanted = _ran(command), _ran(step)
    if not wanted.around <= ran.around:
        return False
    if wanted.whole in ran.pieces:
        return True
    return " " in wanted.whole and any(commands.begins(piece, [wanted.whole]) for piece in ran.pieces)


def _is_just(step: str, failing: Iterable[str]) -> bool:
    """The command that fails is no advice, unless it is to be started in another way."""
    return _ran(step).whole in failing and not _ran(step).around
