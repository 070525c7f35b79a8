"""Failures and what fixed them, out of one session's calls in order.

A call that fails opens a trouble: one cause, whatever the spelling of the command. What is changed until it is met
again did not help; when another error comes in its place, what was changed got past it; when a command that met it
passes, it is the fix. A broader command of the same family that passes (the whole test suite after one test) counts,
too. What is mended in the code that is being worked on is no lesson (`work.py`), and in the background nothing is
proved.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator

from hardwon import action
from hardwon.event import Event, EventType, is_in_background
from hardwon.learn import drafts, ways, work
from hardwon.learn.causes import EDITING, Proof, Verdict, can_be_cause, judge
from hardwon.learn.drafts import LONGEST_EDIT
from hardwon.learn.same_cause import Cause, same_cause
from hardwon.learn.steps import Learned, Passed, Settled, Skipped, Step, Withdrawn
from hardwon.learn.trouble import Layer, Trouble
from hardwon.memory import Kind
from hardwon.store.erasure.forget import CUT
from hardwon.text import commands, errors
from hardwon.text.errors import expected
from hardwon.text.speech import plain

__all__ = ["LONGEST_EDIT", "Chains", "no_lesson", "walk"]

MOST_OPEN = 500
"""Failed commands to which somebody may come back in the same session."""
MOST_DONE = 500
"""Changes that can be why a command passes: what was done before these was not."""
MOST_PASSED = 5_000
"""Commands of which it is known at the end that they passed."""
WORK = "it was mended in the code that was being worked on"


def walk(journal: Iterable[Event]) -> Iterator[Step]:
    """What is learned, in the order in which it happened, and what is passed over."""
    chains = Chains()
    for event in journal:
        yield from chains.saw(event)
    yield from chains.ended()


class Chains:
    """The troubles that are open at one point of the session."""

    def __init__(self) -> None:
        self._open: list[Trouble] = []
        self._calls = 0
        self._changes = 0
        self._done: deque[tuple[int, Event]] = deque(maxlen=MOST_DONE)
        """The changes, with their numbers: what was done since something failed is their end."""
        self._touched: dict[str, None] = {}
        """The files that the session has changed."""
        self._flaky: set[Cause] = set()
        """What failed and passed without a reason."""
        self._times: Counter[tuple[str, Cause]] = Counter()
        """How often each has failed, also with another error in between."""
        self._last_pass: dict[str, Event] = {}
        """Of commands that have not failed since."""
        self._failed: set[str] = set()
        self._red = False
        """The person wants a test that fails first."""

    def saw(self, event: Event) -> Iterator[Step]:
        if event.type is EventType.PROMPT_SUBMITTED:
            self._red = plain.read(event.text).expects_red
        elif event.type is EventType.TOOL_FAILED and event.tool == action.SHELL:
            yield from self._has_failed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool == action.SHELL:
            if hides_failure(event):
                yield from self._has_failed(dataclasses.replace(event, error=event.text, exit_status=1))
            else:
                yield from self._has_passed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            self._changed(event)
            self._touched[event.target] = None

    def _has_failed(self, event: Event) -> Iterator[Step]:
        self._calls += 1
        if reason := no_lesson(event):
            yield Skipped(Kind.FAILURE, reason, event)
            return
        cause = Cause.of(commands.normalise(event.target), event.error)
        if self._red and commands.is_validation(cause.command):
            yield Skipped(Kind.FAILURE, "it was meant to fail", event)
            return
        self._failed.add(cause.command)
        self._last_pass.pop(cause.command, None)
        known = self._met(event, cause)
        if known:
            yield from self._in_vain(known, event)
        layers = yield from self._got_past(event, cause, known)
        yield Learned(drafts.failure(event, cause.command, cause.signature), event=event)
        is_work = work.is_about(tuple(self._touched), event.error)
        if is_work:
            yield Settled(drafts.failure_key(event), event, mended=False)
        self._keep_open(known, event, cause, layers).is_work = is_work

    def _met(self, event: Event, cause: Cause) -> Trouble | None:
        """The open trouble that this is once more."""
        mine = (one for one in self._open if one.event.agent == event.agent)
        return next((one for one in mine if same_cause(one.cause, cause)), None)

    def _in_vain(self, known: Trouble, event: Event) -> Iterator[Step]:
        """What was done since it failed last did not help; an edit of the work tells nobody anything."""
        tried = [one for one in self._since(known) if can_be_cause(one)]
        told = work.beyond_work(tried, known.failed, known.touched)
        if told:
            steps = tuple(map(drafts.step, told))
            yield Learned(drafts.attempt(known, told, event), known.key, event, steps)

    def _got_past(self, event: Event, cause: Cause, known: Trouble | None) -> Generator[Step, None, list[Layer]]:
        """The same command with another error: what was done since got past the first one. Returns these layers."""
        layers: list[Layer] = []
        for one in [one for one in self._open if one is not known and one.event.agent == event.agent]:
            if one.command != cause.command:
                continue
            self._open.remove(one)
            layers += one.below
            verdict = judge(one.failed, self._since(one))
            causes = work.beyond_work(verdict.causes, one.failed, one.touched)
            if verdict.proof is not Proof.BY_ITSELF and not causes:
                yield Settled(one.key, event, mended=True)
            if verdict.proof is Proof.BY_ITSELF or not causes:
                continue
            verdict = dataclasses.replace(verdict, causes=causes)
            layer = Layer(one, verdict, event, drafts.past_key(one, event, whole=False))
            steps = tuple(map(drafts.step, causes))
            yield Learned(drafts.past(one, verdict, event), one.key, event, steps)
            layers.append(layer)
        for layer in known.below if known else ():
            layers.append(layer)
        for layer in [one for one in layers if same_cause(one.trouble.cause, cause)]:  # it is back: nothing was past it
            layers.remove(layer)
            yield Withdrawn(layer.told, event, "the error came back")
        return layers

    def _keep_open(self, known: Trouble | None, event: Event, cause: Cause, layers: list[Layer]) -> Trouble:
        self._times[event.agent, _alone(cause)] += 1
        if known is None:
            known = Trouble(event, cause, drafts.failure_key(event), frozenset(self._touched))
            self._open.append(known)
            if len(self._open) > MOST_OPEN:
                del self._open[0]
        known.event, known.cause, known.below, known.other = event, cause, layers, set()
        known.met_by[cause.command] = event
        known.times = self._times[event.agent, _alone(cause)]
        known.flaky = _alone(cause) in self._flaky
        known.calls, known.done = self._calls, self._changes
        return known

    def _since(self, known: Trouble) -> list[Event]:
        """What was done since it failed last, in order, without runs of the commands that met it."""
        found = itertools.takewhile(lambda one: one[0] > known.done, reversed(self._done))
        runs = {run for command in known.met_by for run in ways.runs(command)}
        return [one for _, one in found if one.tool in EDITING or not runs & set(ways.runs(one.target))][::-1]

    def _has_passed(self, event: Event) -> Iterator[Step]:
        self._calls += 1
        command = commands.normalise(event.target)
        if is_in_background(event):  # whether it passes is not known yet; it may be what others need
            self._changed(event)
            return
        if commands.is_validation(command) and commands.masks_status(event.target):  # `pytest | tail` always passes
            return
        passes = not commands.only_looks(event.target)
        for known in list(self._open):
            if known.other and known.other <= ways.words(event.target):  # that way once more
                passes = passes and known.command != command
            elif not known.other and known.event.agent == event.agent and self._replaces(event, command, known):
                known.other = ways.words(event.target)
                known.ways[drafts.fix_key(known, event)] = command
                passes = passes and known.command != command  # what failed would still fail
                if not known.is_work:
                    yield Learned(drafts.other_way(known, self._since(known), event), known.key, event)
            elif self._covers(event, command, known):
                self._open.remove(known)
                yield from self._mended(known, event)
        if passes:
            self._last_pass[command] = dataclasses.replace(event, text="")
            if len(self._last_pass) > MOST_PASSED:
                del self._last_pass[next(iter(self._last_pass))]
        self._changed(event)

    def _replaces(self, event: Event, command: str, known: Trouble) -> bool:
        if self._calls - known.calls > ways.RECENT:
            return False
        return ways.replaces(event, command, known, self._since(known))

    def _covers(self, event: Event, command: str, known: Trouble) -> bool:
        """Whether this pass is one of a command that met the trouble."""
        parts = ways.parts(event.target)
        return any(one in (command, *parts) or commands.is_broader(command, one) for one in known.met_by)

    def _mended(self, known: Trouble, event: Event) -> Iterator[Step]:
        verdict = judge(known.failed, self._since(known))
        fixed = self._fixed(known, verdict, event)
        yield from _withdrawn(known, fixed, event)
        yield fixed
        if isinstance(fixed, Learned):
            for layer in known.below:
                yield Learned(
                    drafts.past(layer.trouble, layer.verdict, layer.then, verdict.causes), layer.trouble.key, event
                )
                yield Withdrawn(layer.told, event, "it is told with what came then")

    def _fixed(self, known: Trouble, verdict: Verdict, event: Event) -> Step:
        if verdict.proof is Proof.BY_ITSELF and known.other:
            return Skipped(Kind.FIX, "another way was found before", event)
        if verdict.proof is Proof.BY_ITSELF:
            self._flaky.add(_alone(known.cause))
            return Skipped(Kind.FIX, verdict.proof, event)
        told = _lesson(known, verdict)
        if not told:
            return Settled(known.key, event, mended=True)
        verdict = dataclasses.replace(verdict, causes=told)
        return Learned(drafts.fix(known, verdict, event), known.key, event, tuple(map(drafts.step, told)))

    def _changed(self, event: Event) -> None:
        """A call that succeeded: it may be what makes the open ones pass."""
        self._changes += 1
        self._done.append((self._changes, event))

    def ended(self) -> Iterator[Passed]:
        for command, event in self._last_pass.items():
            yield Passed(command, event, command in self._failed)


def _alone(cause: Cause) -> Cause:
    """Counted by the error where that says something by itself, whatever the command."""
    return cause if errors.generic(cause.signature) else Cause("", cause.signature)


def _lesson(known: Trouble, verdict: Verdict) -> tuple[Event, ...]:
    """What another session can gain from: not the work. Where the work was changed, too, only what the error speaks of
    can have been the cause."""
    told = work.beyond_work(verdict.causes, known.failed, known.touched)
    worked = len(work.beyond_work(verdict.candidates, known.failed, known.touched)) < len(verdict.candidates)
    return () if worked and verdict.proof is not Proof.PROVEN else told


def _withdrawn(known: Trouble, fixed: Step, passed: Event) -> Iterator[Withdrawn]:
    """The other ways, once the command itself has passed: after something else, or where they ran another program.

    One of the same program stays where nothing else was done: `git push` passes after `git push -u origin main`.
    """
    program = known.command.split()[:1]
    for key, command in known.ways.items():
        if isinstance(fixed, Learned | Settled) or command.split()[:1] != program:
            yield Withdrawn(key, passed)


def no_lesson(event: Event) -> str:
    """Why a failed command teaches nothing: a denial, Esc, a question that was answered with no. Empty when it does."""
    if event.exit_status is None:
        return "it was denied or interrupted"
    if CUT in event.error:
        return "it was forgotten"
    return expected.no_lesson(event.target, event.exit_status, event.error)


def no_answer(event: Event) -> str:
    """Why a server's tool that failed teaches nothing: the client refused the call, or nothing was said."""
    if not event.error.strip() or event.error.lstrip().startswith("<tool_use_error>"):
        return "the client did not make the call"
    if CUT in event.error:
        return "it was forgotten"
    return expected.no_lesson("", 1, event.error)


def hides_failure(event: Event) -> bool:
    """Whether a call says that it failed although its status does not: `npm test | tail` has the status of tail."""
    if commands.only_looks(event.target) or not commands.masks_status(event.target) or is_in_background(event):
        return False
    return errors.failed(event.text)
