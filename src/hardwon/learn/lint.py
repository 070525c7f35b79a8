"""The lint rules that sessions run into: counted, so that those that come again are said before the first edit."""

from __future__ import annotations

from collections.abc import Iterator

from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING
from hardwon.learn.failures import no_lesson
from hardwon.learn.steps import Learned
from hardwon.learn.work import same_file
from hardwon.memory import LINT_RULE, Draft, Kind, Scope, Trust
from hardwon.understand import lint_rules

MOST = 100
"""Rules of one session."""


class LintRules:
    """Each rule once for a session, however often it is met."""

    def __init__(self) -> None:
        self._met: set[tuple[str, str]] = set()
        self._touched: dict[str, None] = {}
        """What the session has changed: the findings in other files were there before."""

    def saw(self, event: Event) -> Iterator[Learned]:
        if event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            self._touched[event.target] = None
        if event.tool != "Bash" or event.type is not EventType.TOOL_FAILED or no_lesson(event):
            return
        for file, rule in lint_rules.found(event.error):
            met = (lint_rules.ending(file), rule)
            if met not in self._met and len(self._met) < MOST and any(same_file(one, file) for one in self._touched):
                self._met.add(met)
                yield Learned(_draft(event, file, rule), event=event)


def _draft(event: Event, file: str, rule: str) -> Draft:
    ending = lint_rules.ending(file)
    return Draft(
        kind=Kind.LESSON,
        subtype=LINT_RULE,
        body=f"Lint rule met in .{ending} files here: {rule}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(lint_rules.anchor(file),),
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=f"{event.host}:{event.session}:lint:{ending}:{rule}",
    )
