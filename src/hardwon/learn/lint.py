"""What the lint rules of a repository cost: the failing runs from a rule's first finding until it was clean.

Counted from the linter's own output, so that the few that cost most are said before the first edit. A finding in a file
that the session has not changed was there before; one that nobody mended cost nobody anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon import action
from hardwon.event import Event, EventType, is_in_background
from hardwon.learn import ways
from hardwon.learn.causes import EDITING
from hardwon.learn.failures import no_lesson
from hardwon.learn.steps import Learned
from hardwon.learn.work import same_file
from hardwon.memory import LINT_RULE, Draft, Kind, Scope, Trust
from hardwon.text.errors import lint_rules

MOST = 100
"""Rules of one session that are not clean yet."""
MOST_RUNS = 10
"""Failing runs of one rule that count."""


@dataclass(slots=True)
class Episode:
    """A rule that is not clean yet."""

    file: str
    commands: set[str] = field(default_factory=set)
    """Those that found it."""
    runs: list[Event] = field(default_factory=list)


class LintRules:
    """The rules that a session ran into, each with the runs that it took."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Episode] = {}
        """By language and rule."""
        self._touched: dict[str, None] = {}
        """What the session has changed."""

    def saw(self, event: Event) -> Iterator[Learned]:
        if event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            self._touched[event.target] = None
        if event.tool != action.SHELL or event.type not in (EventType.TOOL_FAILED, EventType.TOOL_FINISHED):
            return
        failed = event.type is EventType.TOOL_FAILED
        if is_in_background(event) or (failed and no_lesson(event)):
            return
        ran = set(ways.runs(event.target))
        found = list(lint_rules.found(event.error if failed else event.text)) if ran else []
        if found or not failed:  # one that failed before the linter came to it says nothing
            yield from self._cleaned(ran, {rule for _, rule in found})
        for file, rule in found:
            self._met(event, ran, file, rule)

    def _cleaned(self, ran: set[str], found: set[str]) -> Iterator[Learned]:
        clean = [one for one, met in self._open.items() if met.commands & ran and one[1] not in found]
        for language, rule in clean:
            met = self._open.pop((language, rule))
            for run in met.runs:
                yield Learned(_draft(run, language, met.file, rule), event=run)

    def _met(self, event: Event, ran: set[str], file: str, rule: str) -> None:
        key = (lint_rules.language(file), rule)
        if key not in self._open:
            if len(self._open) >= MOST or not any(same_file(one, file) for one in self._touched):
                return
            self._open[key] = Episode(file)
        met = self._open[key]
        met.commands |= ran
        alone = not met.runs or met.runs[-1].call != event.call
        if alone and len(met.runs) < MOST_RUNS:
            met.runs.append(dataclasses.replace(event, text="", error=""))


def _draft(event: Event, language: str, file: str, rule: str) -> Draft:
    return Draft(
        kind=Kind.LESSON,
        subtype=LINT_RULE,
        body=f"Lint rule met in .{language} files here: {rule}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(lint_rules.anchor(file),),
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=f"{event.host}:{event.session}:{event.call}:lint:{language}:{rule}",
    )
