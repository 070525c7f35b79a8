"""Calls of a connected server's tools that failed, and the call of the same tool that did not.

Nobody knows what such a tool does, so little is concluded: the same tool with part of what it was given changed, right
after, is another way; the same call once more is one that other calls of its server have made possible.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hardwon.event import Event, EventType
from hardwon.learn.failures import no_answer
from hardwon.learn.steps import Learned, Skipped
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.text import errors
from hardwon.text.commands.another_way import INSTEAD, quoted

SOON = 6
"""Calls of the server after which another one is about something else."""
MOST_OPEN = 100


@dataclass(slots=True)
class _Open:
    event: Event
    times: int = 1
    since: list[Event] = field(default_factory=list)
    """Calls of the same server that passed."""


class ServerCalls:
    def __init__(self) -> None:
        self._open: dict[tuple[str, str], _Open] = {}
        """By agent and tool."""

    def saw(self, event: Event) -> Iterator[Learned | Skipped]:
        if not event.tool.startswith("mcp__"):
            return
        if event.type is EventType.TOOL_FAILED:
            yield from self._failed(event)
        elif event.type is EventType.TOOL_FINISHED:
            yield from self._passed(event)

    def _failed(self, event: Event) -> Iterator[Learned | Skipped]:
        if reason := no_answer(event):
            yield Skipped(Kind.FAILURE, reason, event)
            return
        place = (event.agent, event.tool)
        known = self._open.pop(place, None)
        same = known and errors.signature(known.event.error) == errors.signature(event.error)
        self._open[place] = _Open(event, known.times + 1 if known and same else 1)
        if len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]
        yield Learned(_failure(event), event=event)

    def _passed(self, event: Event) -> Iterator[Learned]:
        for (agent, tool), known in list(self._open.items()):
            if agent != event.agent or _server(tool) != _server(event.tool):
                continue
            if tool == event.tool and (fix := _fix(known, event)):
                del self._open[agent, tool]
                yield Learned(fix, _key(known.event), event)
            elif len(known.since) >= SOON:
                del self._open[agent, tool]
            else:
                known.since.append(event)


def _server(tool: str) -> str:
    return tool.split("__")[1]


def _fix(known: _Open, passed: Event) -> Draft | None:
    if passed.target == known.event.target:
        done = [one for one in known.since if one.tool != passed.tool]
        if not done:
            return None
        body = f"`{_call(passed)}` works after: {'; '.join(f'`{_call(one)}`' for one in done[-2:])}"
        return _draft(known, passed, body, "worked", proven=known.times > 1 and len(done) == 1)
    if not _is_variant(known.event, passed):
        return None
    body = f"`{_call(passed)}` worked where `{_call(known.event)}` failed"
    return _draft(known, passed, body, INSTEAD, proven=known.times > 1 or _gives_up_what_is_named(known.event, passed))


def _is_variant(failed: Event, passed: Event) -> bool:
    """Part of what was given is the same, or the error speaks of what is not."""
    one, other = _given(failed), _given(passed)
    return any(other.get(name) == value for name, value in one.items()) or _gives_up_what_is_named(failed, passed)


def _gives_up_what_is_named(failed: Event, passed: Event) -> bool:
    one, other = _given(failed), _given(passed)
    gone = [part for name, value in one.items() if other.get(name) != value for part in (name, str(value))]
    return any(len(part) > 2 and part in failed.error for part in gone)


def _given(event: Event) -> dict[str, Any]:
    try:
        given = json.loads(event.target or "{}")
    except ValueError:  # a long one is cut
        return {}
    return given if isinstance(given, dict) else {}


def _call(event: Event) -> str:
    return quoted(f"{event.tool} {event.target}".replace("`", "'").strip())


def _failure(event: Event) -> Draft:
    signature = errors.signature(event.error)
    return Draft(
        kind=Kind.FAILURE,
        body=f"`{_call(event)}` failed: {errors.headline(event.error)}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(
            Anchor(AnchorKind.COMMAND, event.tool),
            *([Anchor(AnchorKind.ERROR, signature)] if signature else []),
        ),
        evidence=(_evidence(event),),
        origin_key=_key(event),
    )


def _draft(known: _Open, passed: Event, body: str, subtype: str, *, proven: bool) -> Draft:
    return Draft(
        kind=Kind.FIX,
        subtype=subtype,
        body=body,
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if proven and not errors.transient(known.event.error) else Trust.AGENT,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.event.tool),),
        evidence=(_evidence(passed),),
        origin_key=f"{passed.host}:{passed.call}:fix:{_key(known.event)}",
    )


def _key(event: Event) -> str:
    return f"{event.host}:{event.call}:failure"


def _evidence(event: Event) -> str:
    return f"{event.host}:{event.session}:{event.call}"
