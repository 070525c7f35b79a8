"""Edits that went wrong twice: the same change to a file, each time followed by the same failure.

Whoever is about to make it a third time is told what was done instead. An edit is known by its file and its text; once
is work, twice is a habit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING
from hardwon.learn.failures import LONGEST_EDIT, no_lesson
from hardwon.learn.steps import Learned
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.text import commands, errors, untrusted
from hardwon.text.commands.another_way import INSTEAD, quoted

MOST_WRONG = 500
"""Edits that were followed by a failure and wait for a second one."""


def mark(file: str, text: str) -> Anchor:
    """What an edit is recognised by."""
    normal = " ".join(f"{file}\n{text}".split())
    return Anchor(AnchorKind.TOPIC, f"edit:{hashlib.sha256(normal.encode()).hexdigest()[:16]}")


@dataclass(slots=True)
class _Wrong:
    """An edit, the first failure that followed it, and how many did."""

    edit: Event
    signature: str
    command: str
    first: Event
    times: int = 0

    @property
    def key(self) -> str:
        return f"{self.first.host}:{self.first.call}:edit"


def walk(journal: Iterable[Event]) -> Iterator[Learned]:
    habits = Habits()
    for event in journal:
        yield from habits.saw(event)


class Habits:
    """The edits that were followed by a failure so far, the latest of them: nobody comes back to the others."""

    def __init__(self) -> None:
        self._last: Event | None = None
        self._wrong: dict[tuple[str, str], _Wrong] = {}

    def saw(self, event: Event) -> Iterator[Learned]:
        last = self._last
        if event.type is EventType.TOOL_FINISHED and event.tool in EDITING:
            self._last = event
        elif event.type is EventType.TOOL_FAILED and event.tool == action.SHELL and last and not no_lesson(event):
            yield from _failed(self._wrong, last, event)
            self._last = None
        elif event.type is EventType.TOOL_FINISHED and event.tool == action.SHELL and last:
            yield from _passed(self._wrong, last, event)


def _failed(wrong: dict[tuple[str, str], _Wrong], edit: Event, event: Event) -> Iterator[Learned]:
    signature = errors.signature(event.error)
    if not signature:
        return
    place = (mark(edit.target, edit.text).value, signature)
    one = wrong.setdefault(place, _Wrong(edit, signature, commands.normalise(event.target), event))
    one.times += 1
    if len(wrong) > MOST_WRONG:
        del wrong[next(iter(wrong))]
    if one.times == 2:  # the first one counts, too
        yield Learned(_failure(one, one.first, one.key), event=one.first)
    if one.times >= 2:
        yield Learned(_failure(one, event, f"{event.host}:{event.call}:edit"), event=event)


def _passed(wrong: dict[tuple[str, str], _Wrong], edit: Event, event: Event) -> Iterator[Learned]:
    """The same command after another edit of the same file."""
    command = commands.normalise(event.target)
    for place, one in list(wrong.items()):
        if one.command != command or one.edit.target != edit.target:
            continue
        del wrong[place]
        if one.times > 1 and mark(edit.target, edit.text) != mark(one.edit.target, one.edit.text):
            yield Learned(_fix(one, edit, event), one.key, event)


def _failure(one: _Wrong, event: Event, key: str) -> Draft:
    said = errors.headline(one.first.error)  # of the first: a number in it may have changed
    return Draft(
        kind=Kind.FAILURE,
        subtype="edit",
        body=f"After this edit of {one.edit.target}, `{quoted(commands.typed(one.command))}` failed: {said}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(mark(one.edit.target, one.edit.text),),
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=key,
    )


def _fix(one: _Wrong, edit: Event, passed: Event) -> Draft:
    return Draft(
        kind=Kind.FIX,
        subtype=INSTEAD,
        body=(
            f"{one.edit.target} was edited in another way (change: {untrusted.quoted(edit.text, LONGEST_EDIT)}), "
            f"and `{quoted(commands.typed(one.command))}` passed"
        ),
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(Anchor(AnchorKind.FILE, one.edit.target),),
        evidence=(f"{passed.host}:{passed.session}:{passed.call}",),
        origin_key=f"{passed.host}:{passed.call}:fix:{one.key}",
    )
