"""Failures and what fixed them, out of one session's calls in order.

A command that fails opens a failure. Everything that is changed until it is run again is an attempt: it failed, it
brought another error (partial), or the command passes, and then it is the fix. So a chain failure → attempt → attempt →
fix is kept whole. A broader command of the same family that passes (the whole test suite after one test) counts, too.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING, Failed, Proof, Verdict, can_be_cause, judge
from hardwon.learn.steps import Learned, Passed, Skipped, Step, Withdrawn
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.store.forget import CUT
from hardwon.understand import commands, errors, expected, untrusted, wishes
from hardwon.understand.another_way import INSTEAD, another_way, quoted

MOST_CHANGES = 4
"""Named in one fix; what was done last counts most."""
LONGEST_EDIT = 320
MOST_OPEN = 500
"""Failed commands to which somebody may come back in the same session."""
MOST_DONE = 500
"""Changes that can be why a command passes: what was done before these was not."""
MOST_PASSED = 5_000
"""Commands of which it is known at the end that they passed."""
RECENT = 10
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
    calls: int = 0
    """How many calls the session had when it failed last."""
    done: int = 0
    """How many changes, likewise."""
    other: set[str] = field(default_factory=set)
    """The words of another command that passed where this one failed; it may itself pass later."""
    ways: dict[str, str] = field(default_factory=dict)
    """All such commands since the first failure, by the origin keys of the fixes that name them."""

    @property
    def failed(self) -> Failed:
        return Failed(self.command, self.event.error, self.signature, self.times, self.flaky)


def walk(journal: Iterable[Event]) -> Iterator[Step]:
    """What is learned, in the order in which it happened, and what is passed over."""
    chains = Chains()
    for event in journal:
        yield from chains.saw(event)
    yield from chains.ended()


class Chains:
    """The failures that are open at one point of the session, by agent and command."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], _Open] = {}
        self._calls = 0
        self._changes = 0
        self._done: deque[tuple[int, Event]] = deque(maxlen=MOST_DONE)
        """The changes, with their numbers: what was done since something failed is their end."""
        self._flaky: set[tuple[str, str]] = set()
        """Command and signature of what failed and passed without a reason."""
        self._times: Counter[tuple[str, str, str]] = Counter()
        """How often each has failed, also with another error in between."""
        self._last_pass: dict[str, Event] = {}
        """Of commands that have not failed since."""
        self._failed: set[str] = set()
        self._red = False
        """The person wants a test that fails first."""

    def saw(self, event: Event) -> Iterator[Step]:
        if event.type is EventType.PROMPT_SUBMITTED:
            self._red = wishes.read(event.text).expects_red
        elif event.type is EventType.TOOL_FAILED and event.tool == "Bash":
            yield from self._has_failed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool == "Bash":
            yield from self._has_passed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            self._changed(event)

    def _has_failed(self, event: Event) -> Iterator[Step]:
        self._calls += 1
        if reason := no_lesson(event):
            yield Skipped(Kind.FAILURE, reason, event)
            return
        command, signature = commands.normalise(event.target), errors.signature(event.error)
        if self._red and commands.is_validation(command):
            yield Skipped(Kind.FAILURE, "it was meant to fail", event)
            return
        self._failed.add(command)
        self._last_pass.pop(command, None)
        known = self._open.get((event.agent, command))
        if known and (tried := [one for one in self._since(known) if can_be_cause(one)]):
            yield Learned(_attempt(known, tried, event, signature), known.key, event)
        yield Learned(_failure(event, command, signature), event=event)
        same = known is not None and known.signature == signature
        self._times[event.agent, command, signature] += 1
        self._open[event.agent, command] = _Open(
            event,
            command,
            signature,
            known.key if known and same else _key(event),
            self._times[event.agent, command, signature],
            (command, signature) in self._flaky,
            self._calls,
            self._changes,
            ways=known.ways if known else {},
        )
        if len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]

    def _since(self, known: _Open) -> list[Event]:
        """What was done since it failed last, in order, without runs of the same command."""
        found = itertools.takewhile(lambda one: one[0] > known.done, reversed(self._done))
        return [one for _, one in found if commands.normalise(one.target) != known.command][::-1]

    def _has_passed(self, event: Event) -> Iterator[Step]:
        self._calls += 1
        command = commands.normalise(event.target)
        if commands.is_validation(command) and commands.masks_status(event.target):  # `pytest | tail` always passes
            return
        parts = _parts(event.target)
        passes = not commands.only_looks(event.target)
        for place, known in list(self._open.items()):
            if known.other and known.other <= _words(event.target):  # that way once more
                passes = passes and known.command != command
            elif not known.other and place[0] == event.agent and self._replaces(event, command, parts, known):
                known.other = _words(event.target)
                known.ways[_fix_key(known, event)] = command
                passes = passes and known.command != command  # what failed would still fail
                yield Learned(_other_way(known, self._since(known), event), known.key, event)
            elif known.command in (command, *parts) or commands.is_broader(command, known.command):
                del self._open[place]
                fixed = self._fixed(known, event)
                yield from _withdrawn(known, fixed, event)
                yield fixed
        if passes:
            self._last_pass[command] = dataclasses.replace(event, text="")
            if len(self._last_pass) > MOST_PASSED:
                del self._last_pass[next(iter(self._last_pass))]
        self._changed(event)

    def _fixed(self, known: _Open, event: Event) -> Learned | Skipped:
        verdict = judge(known.failed, self._since(known))
        if verdict.proof is Proof.BY_ITSELF and known.other:
            return Skipped(Kind.FIX, "another way was found before", event)
        if verdict.proof is Proof.BY_ITSELF:
            self._flaky.add((known.command, known.signature))
            return Skipped(Kind.FIX, verdict.proof, event)
        return Learned(_fix(known, verdict, event), known.key, event)

    def _changed(self, event: Event) -> None:
        """A call that succeeded: it may be what makes the open ones pass."""
        self._changes += 1
        self._done.append((self._changes, event))

    def ended(self) -> Iterator[Passed]:
        for command, event in self._last_pass.items():
            yield Passed(command, event, command in self._failed)

    def _replaces(self, event: Event, command: str, parts: tuple[str, ...], known: _Open) -> bool:
        """Another way to do the same that worked right after: what it has more, or other, was the point."""
        if self._calls - known.calls > RECENT or not _can_replace(event.target, known.event.target):
            return False
        return _is_another_way(event, command, parts, known, self._since(known))


def _withdrawn(known: _Open, fixed: Step, passed: Event) -> Iterator[Withdrawn]:
    """The other ways, once the command itself has passed: after something else, or where they ran another program.

    One of the same program stays where nothing else was done: `git push` passes after `git push -u origin main`.
    """
    program = known.command.split()[:1]
    for key, command in known.ways.items():
        if isinstance(fixed, Learned) or command.split()[:1] != program:
            yield Withdrawn(key, passed)


def no_lesson(event: Event) -> str:
    """Why a failed command teaches nothing: a denial, Esc, a question that was answered with no. Empty when it does."""
    if event.exit_status is None:
        return "it was denied or interrupted"
    if CUT in event.error:
        return "it was forgotten"
    return expected.no_lesson(event.target, event.exit_status, event.error)


def _parts(command: str) -> tuple[str, ...]:
    """`make clean && make` passed both; nothing for a single command."""
    parts = tuple(commands.normalise(part) for part in _AND.split(command))
    return parts if len(parts) > 1 else ()


_AND = re.compile(r"\s*(?:&&|;|\n)\s*")


def _is_another_way(event: Event, command: str, parts: tuple[str, ...], known: _Open, since: Sequence[Event]) -> bool:
    done = [one for one in since if can_be_cause(one)]
    if known.command == command:
        return not done and bool(_words(event.target) - _words(known.event.target) - _HARMLESS)
    if known.command in parts:
        before = parts[: parts.index(known.command)]
        acts = any(not commands.only_looks(part) for part in before)
        return not done and acts and commands.can_replace(known.event.target, event.target, near=False)
    if any(one.tool in EDITING for one in done):  # other commands may have led the way: `git mv`, `npm run`
        return False
    missing = _is_missing(known.event)
    if not commands.can_replace(known.event.target, event.target, near=missing):
        return False
    if _is_variant(known.command.split(), command.split(), missing):
        return True
    return known.times > 1 and _does_the_same(known.event.target, event.target)


def _can_replace(after: str, before: str) -> bool:
    """A look stands for nothing but a look, and only one with the same program."""
    if not commands.only_looks(after):
        return True
    return commands.only_looks(before) and commands.normalise(before).split()[0] in _words(after)


def _does_the_same(before: str, after: str) -> bool:
    """After several failures: most of what the one command names, the other names too, whatever program it is."""
    one, other = _stems(before), _stems(after)
    about = one - _stems(commands.normalise(before).split()[0]) or one
    return bool(about & other) and len(one & other) >= len(one) / 2


def _stems(command: str) -> set[str]:
    return set(_STEM.findall(command.lower()))


_STEM = re.compile(r"[^\W_]{3,}")


def _words(command: str) -> set[str]:
    return set(command.split())


_HARMLESS = frozenset(
    {"2>&1", "|", "tail", "head", "cat", "tee", ";", "&&", "cd", "-v", "-vv", "-q", "--quiet", "--verbose", "-s", "-x"}
)


def _is_missing(event: Event) -> bool:
    """There is no such program: one with nearly its name is what was meant."""
    return event.exit_status == 127 or bool(_MISSING.search(event.error[:2_000]))


_MISSING = re.compile(r"(?i)command not found|: not found$|is not recognized as|no such file or directory")


def _is_variant(before: list[str], after: list[str], missing: bool) -> bool:
    """The same but for options, for one name that is written nearly so, or for the program that is asked to do it."""
    one, other = _names(before[1:]), _names(after[1:])
    if before[:1] == after[:1]:
        return _differ_little(one, other)
    if not commands.is_same_program(before[0], after[0], near=missing):
        return False
    return before[1:] == after[1:] or (bool(one) and all(word in other for word in one))


def _differ_little(one: list[str], other: list[str]) -> bool:
    left = [word for word in one if word not in other]
    right = [word for word in other if word not in one]
    if len(left) + len(right) <= 1 or (not left and one) or (not right and other):
        return True
    return len(left) == len(right) == 1 and commands.is_near(left[0], right[0])


def _names(words: list[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]


def _failure(event: Event, command: str, signature: str) -> Draft:
    said = errors.headline(event.error)
    named = [one for one in errors.named(event.error) if one.kind in (AnchorKind.SYMBOL, AnchorKind.PACKAGE)]
    return Draft(
        kind=Kind.FAILURE,
        body=f"`{quoted(commands.typed(command))}` failed: {said}",
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
        body=f"Tried for `{quoted(commands.typed(known.command))}`: {_done(tried)}; {still}",
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
        body=f"`{quoted(commands.typed(known.command))}` works after: {_done(verdict.causes)}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if verdict.proof is Proof.PROVEN else Trust.AGENT,
        source="session",
        anchors=_about(known, verdict.causes),
        evidence=(_evidence(passed),),
        origin_key=_fix_key(known, passed),
    )


def _other_way(known: _Open, since: Sequence[Event], passed: Event) -> Draft:
    """What failed again and again as it was, and then passed in other words, passed because of these words."""
    return Draft(
        kind=Kind.FIX,
        subtype=INSTEAD,
        body=f"{another_way(passed.target)} `{quoted(known.event.target)}` failed{_after(since)}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if known.times > 1 and not known.flaky else Trust.AGENT,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.command),),
        evidence=(_evidence(passed),),
        origin_key=_fix_key(known, passed),
    )


def _after(done: Sequence[Event]) -> str:
    causes = [one for one in done if can_be_cause(one)]
    return f", after: {_done(causes)}" if causes else ""


def _about(known: _Open, causes: Sequence[Event]) -> tuple[Anchor, ...]:
    files = [Anchor(AnchorKind.FILE, one.target) for one in causes if one.tool in EDITING]
    return (Anchor(AnchorKind.COMMAND, known.command), *dict.fromkeys(files[:4]))


def _done(changes: Sequence[Event]) -> str:
    """In the order in which they were done, those that came last."""
    return "; ".join(list(dict.fromkeys(_said(event) for event in changes))[-MOST_CHANGES:])


def _said(event: Event) -> str:
    if event.tool == "Bash":
        return f"`{quoted(event.target)}`"
    return f"edited {event.target} (change: {untrusted.quoted(event.text, LONGEST_EDIT)})"


def _evidence(event: Event) -> str:
    return f"{event.host}:{event.session}:{event.call}"


def _key(event: Event) -> str:
    return f"{event.host}:{event.call}:failure"


def _fix_key(known: _Open, passed: Event) -> str:
    return f"{passed.host}:{passed.call}:fix:{known.key}"
