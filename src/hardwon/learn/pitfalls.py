"""Pitfalls: going round in circles. Out of one session's calls in order; pure.

The same call that failed five times and never passed, and an edit that was made, failed and was taken back. Each names
its error: two circles with different errors are two pitfalls. What only looks, and what was denied, is no circle.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING
from hardwon.learn.failures import no_answer, no_lesson
from hardwon.learn.steps import Learned
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, LessonType, Scope, Trust
from hardwon.text import commands, errors, tiers, untrusted
from hardwon.text.code_files import is_code
from hardwon.text.speech import plain

RETRIES = 5
MOST_EDITS = 50
"""Of one file that are compared with each other."""
_IGNORED = tiers.LOOKS | tiers.BOOKKEEPING | tiers.PLANS | action.AGENTS
_SPLIT = "\n+ "


def walk(journal: Iterable[Event]) -> Iterator[Learned]:
    circles = Circles()
    for event in journal:
        yield from circles.saw(event)


class Circles:
    """What was tried so far, by digests: a session may be long."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, str], int] = defaultdict(int)
        """How often each call has failed since it last passed."""
        self._edits: dict[str, dict[bytes, int]] = defaultdict(dict)
        """What was changed in each file, by the change, and which call of the session that was."""
        self._error: tuple[int, Event] | None = None
        """The last one, and which call that was."""
        self._calls = 0
        self._red = False

    def saw(self, event: Event) -> Iterator[Learned]:
        if event.type is EventType.PROMPT_SUBMITTED and not event.agent:
            self._heard(event)
        elif event.type is EventType.TOOL_FAILED and event.tool not in _IGNORED:
            yield from self._has_failed(event)
        elif event.type is EventType.TOOL_FINISHED and event.tool not in _IGNORED:
            yield from self._has_passed(event)

    def _heard(self, event: Event) -> None:
        self._red = plain.read(event.text).expects_red

    def _has_failed(self, event: Event) -> Iterator[Learned]:
        self._calls += 1
        if self._teaches_nothing(event):
            return
        self._error = (self._calls, event)
        place = _place(event)
        self._failed[place] += 1
        if self._failed[place] == RETRIES:
            yield Learned(_retried(event, place), event=event)

    def _teaches_nothing(self, event: Event) -> bool:
        """What a client's own tools refuse ("read it first", "string not found") is nobody's lesson."""
        if event.tool == action.SHELL:
            return bool(no_lesson(event)) or (self._red and commands.is_validation(commands.normalise(event.target)))
        return not event.tool.startswith("mcp__") or bool(no_answer(event))

    def _has_passed(self, event: Event) -> Iterator[Learned]:
        self._calls += 1
        self._failed.pop(_place(event), None)
        if event.tool in EDITING and is_code(event.target):
            self._failed.clear()  # the work goes on: what failed before is not what fails now
        elif event.tool in EDITING and event.text.strip("-+ \n"):
            yield from self._edited(event)

    def _edited(self, event: Event) -> Iterator[Learned]:
        edits = self._edits[event.target]
        backs = map(_digest, _inverses(event.text)) if edits else ()
        made = next((edits[back] for back in backs if back in edits), None)
        if made is not None:
            edits.clear()
            if self._error and self._error[0] > made:
                yield Learned(_taken_back(event, self._error[1]), event=event)
        elif len(edits) < MOST_EDITS:
            edits[_digest(event.text)] = self._calls


def _place(event: Event) -> tuple[str, str]:
    return event.tool, commands.normalise(event.target) if event.tool == action.SHELL else event.target


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _inverses(text: str) -> Iterator[str]:
    """The changes that this one would take back; the sign between old and new may stand in either of them, too."""
    if not text.startswith("- ") or "[…]" in text:
        return
    bare, at = text[2:], -1
    while (at := bare.find(_SPLIT, at + 1)) >= 0:
        yield f"- {bare[at + len(_SPLIT) :]}{_SPLIT}{bare[:at]}"


def _retried(event: Event, place: tuple[str, str]) -> Draft:
    tool, target = place
    what = f"`{_short(commands.typed(target))}`" if tool == action.SHELL else f"{tool} of {_short(target)}"
    return _pitfall(
        event, f"{what} was tried {RETRIES} times and more without success: {_said(event)}", "retries", event
    )


def _taken_back(event: Event, failure: Event) -> Draft:
    old, _, new = event.text.removeprefix("- ").partition(_SPLIT)
    change = f"{untrusted.quoted(new, 60)} to {untrusted.quoted(old, 60)} and back"
    return _pitfall(event, f"{event.target} was changed from {change}; what failed: {_said(failure)}", "back", failure)


def _pitfall(event: Event, body: str, what: str, failure: Event) -> Draft:
    signature = errors.signature(failure.error)
    about = (
        Anchor(AnchorKind.COMMAND, commands.normalise(event.target))
        if event.tool == action.SHELL
        else Anchor(AnchorKind.FILE, event.target)
    )
    return Draft(
        kind=Kind.LESSON,
        subtype=LessonType.GOTCHA,
        body=body,
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(about, *([Anchor(AnchorKind.ERROR, signature)] if signature else [])),
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=f"{event.host}:{event.call}:{what}",
    )


def _said(event: Event) -> str:
    return _short(errors.headline(event.error)) or "no word of why"


def _short(text: str, longest: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
