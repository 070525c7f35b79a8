"""Failures and what fixed them, out of one session's calls in order.

A command that fails opens a failure. Everything that is changed until it is run again is an attempt: it failed, it
brought another error (partial), or the command passes, and then it is the fix. So a chain failure → attempt → attempt →
fix is kept whole. A broader command of the same family that passes (the whole test suite after one test) counts, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING, Failed, Proof, Verdict, can_be_cause, judge
from hardwon.learn.steps import Learned, Passed, Skipped, Step
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.understand import commands, errors, expected
from hardwon.understand.tiers import clip

MOST_CHANGES = 4
"""Named in one fix; what was done last counts most."""
RECENT = 6
"""Calls after which another command no longer stands for the one that failed."""


@dataclass(slots=True)
class _Open:
    """A command that failed and has not passed since."""

    event: Event
    command: str
    signature: str
    key: str
    """Of the first failure of this chain."""
    times: int = 1
    flaky: bool = False
    since: list[Event] = field(default_factory=list)
    """What was done since it failed last."""
    calls: int = 0
    """How many calls ago that was."""

    @property
    def failed(self) -> Failed:
        return Failed(self.command, self.event.error, self.signature, self.times, self.flaky)


def walk(journal: Sequence[Event]) -> Iterator[Step]:
    """What is learned, in the order in which it happened, and what is passed over."""
    chains = _Chains()
    for event in journal:
        if event.type is EventType.TOOL_FAILED and event.tool == "Bash":
            yield from chains.failed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool == "Bash":
            yield from chains.passed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            chains.changed(event)
    yield from chains.ended()


class _Chains:
    """The failures that are open at one point of the session, by agent and command."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], _Open] = {}
        self._flaky: set[tuple[str, str]] = set()
        """Command and signature of what failed and passed without a reason."""
        self._last_pass: dict[str, Event] = {}
        """Of commands that have not failed since."""
        self._failed: set[str] = set()

    def failed(self, event: Event) -> Iterator[Step]:
        self._count_call()
        if reason := no_lesson(event):
            yield Skipped(Kind.FAILURE, reason, event)
            return
        command, signature = commands.normalise(event.target), errors.signature(event.error)
        self._failed.add(command)
        self._last_pass.pop(command, None)
        known = self._open.get((event.agent, command))
        if known and (tried := [one for one in known.since if can_be_cause(one)]):
            yield Learned(_attempt(known, tried, event, signature), known.key, event)
        yield Learned(_failure(event, command, signature), event=event)
        same = known is not None and known.signature == signature
        self._open[event.agent, command] = _Open(
            event,
            command,
            signature,
            known.key if known and same else _key(event),
            known.times + 1 if known and same else 1,
            (command, signature) in self._flaky,
        )

    def passed(self, event: Event) -> Iterator[Step]:
        self._count_call()
        command = commands.normalise(event.target)
        for place, known in list(self._open.items()):
            if known.command == command or commands.is_broader(command, known.command):
                del self._open[place]
                yield self._fixed(known, event)
            elif place[0] == event.agent and _replaces(command, known):
                del self._open[place]
                yield Learned(_other_way(known, event, command), known.key, event)
        if not commands.only_looks(event.target):
            self._last_pass[command] = event
        self.changed(event)

    def ended(self) -> Iterator[Passed]:
        for command, event in self._last_pass.items():
            yield Passed(command, event, command in self._failed)

    def _fixed(self, known: _Open, event: Event) -> Learned | Skipped:
        verdict = judge(known.failed, known.since)
        if verdict.proof is Proof.BY_ITSELF:
            self._flaky.add((known.command, known.signature))
            return Skipped(Kind.FIX, verdict.proof, event)
        return Learned(_fix(known, verdict, event), known.key, event)

    def changed(self, event: Event) -> None:
        """A call that succeeded: it may be what makes the open ones pass."""
        for known in self._open.values():
            if commands.normalise(event.target) != known.command:
                known.since.append(event)

    def _count_call(self) -> None:
        for known in self._open.values():
            known.calls += 1


def no_lesson(event: Event) -> str:
    """Why a failed command teaches nothing: a denial, Esc, a question that was answered with no. Empty when it does."""
    if event.exit_status is None:
        return "it was denied or interrupted"
    return expected.no_lesson(event.target, event.exit_status, event.error)


def _replaces(command: str, known: _Open) -> bool:
    """Another way to do the same that worked right after: a word of it was the mistake, nothing was changed."""
    if known.calls > RECENT or any(map(can_be_cause, known.since)) or commands.only_looks(command):
        return False
    before, after = known.command.split(), command.split()
    if before[:1] == after[:1] and commands.family(command) == commands.family(known.command):
        return _shared(before[1:], after[1:]) >= 0.5
    return len(before) > 1 and before[1:] == after[1:]


def _shared(one: list[str], other: list[str]) -> float:
    both = len(set(one) & set(other))
    return both / max(len(set(one)), len(set(other)), 1)


def _failure(event: Event, command: str, signature: str) -> Draft:
    said = errors.headline(event.error)
    named = [one for one in errors.named(event.error) if one.kind in (AnchorKind.SYMBOL, AnchorKind.PACKAGE)]
    return Draft(
        kind=Kind.FAILURE,
        body=f"`{_short(command)}` failed: {said}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(
            Anchor(AnchorKind.COMMAND, command),
            *([Anchor(AnchorKind.ERROR, signature)] if signature else []),
            *named[:4],
        ),
        evidence=(_evidence(event),),
        origin_key=_key(event),
    )


def _attempt(known: _Open, tried: Sequence[Event], event: Event, signature: str) -> Draft:
    """What did not help, or helped only so far that another error came."""
    partial = signature != known.signature
    said = errors.headline(event.error)
    still = f"then: {said}" if partial else f"it still failed: {said}"
    return Draft(
        kind=Kind.FIX,
        subtype="partial" if partial else "failed",
        body=f"Tried for `{_short(known.command)}`: {_done(tried)}; {still}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.command),),
        evidence=(_evidence(event),),
        origin_key=f"{event.host}:{event.call}:attempt",
    )


def _fix(known: _Open, verdict: Verdict, passed: Event) -> Draft:
    return Draft(
        kind=Kind.FIX,
        subtype="worked",
        body=f"`{_short(known.command)}` works after: {_done(verdict.causes)}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if verdict.proof is Proof.PROVEN else Trust.AGENT,
        source="session",
        anchors=_about(known, verdict.causes),
        evidence=(_evidence(passed),),
        origin_key=f"{passed.host}:{passed.call}:fix:{known.key}",
    )


def _other_way(known: _Open, passed: Event, command: str) -> Draft:
    return Draft(
        kind=Kind.FIX,
        subtype="worked",
        body=f"`{_short(command)}` worked where `{_short(known.command)}` failed",
        scope=Scope(passed.project or ""),
        trust=Trust.AGENT,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.command), Anchor(AnchorKind.COMMAND, command)),
        evidence=(_evidence(passed),),
        origin_key=f"{passed.host}:{passed.call}:fix:{known.key}",
    )


def _about(known: _Open, causes: Sequence[Event]) -> tuple[Anchor, ...]:
    files = [Anchor(AnchorKind.FILE, one.target) for one in causes if one.tool in EDITING]
    return (Anchor(AnchorKind.COMMAND, known.command), *dict.fromkeys(files[:4]))


def _done(changes: Sequence[Event]) -> str:
    """In the order in which they were done, those that came last."""
    return "; ".join(list(dict.fromkeys(_said(event) for event in changes))[-MOST_CHANGES:])


def _said(event: Event) -> str:
    if event.tool == "Bash":
        return f"`{_short(commands.normalise(event.target))}`"
    return f"edited {event.target} ({_short(event.text.replace(chr(10), ' '))})"


def _short(text: str) -> str:
    return clip(" ".join(text.split()), 160).replace("\n", " ")


def _evidence(event: Event) -> str:
    return f"{event.host}:{event.session}:{event.call}"


def _key(event: Event) -> str:
    return f"{event.host}:{event.call}:failure"
