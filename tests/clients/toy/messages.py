"""What the toy says to its hooks, one JSON object each, and what it takes: `tell`, `halt`, `check`, `person`.

{"kind": "broke", "run": "r1", "dir": "/app", "when": 1700000000000, "log": "/…/session.toylog",
 "step": "c1", "tool": "shell.run", "with": {"line": "make test"}, "gave": "…", "code": 2}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hardwon import action
from hardwon.clients.client import Hook
from hardwon.clients.skills import name_of
from hardwon.clients.speech import own_words
from hardwon.event import Event, EventType, Heard, Moment, Reply

TYPES = {
    "opened": EventType.SESSION_STARTED,
    "said": EventType.PROMPT_SUBMITTED,
    "wants": EventType.TOOL_STARTING,
    "done": EventType.TOOL_FINISHED,
    "broke": EventType.TOOL_FAILED,
    "over": EventType.TURN_ENDED,
    "closed": EventType.SESSION_ENDED,
}
MOMENTS = {
    "opened": Moment.SESSION_START,
    "said": Moment.PROMPT,
    "wants": Moment.BEFORE_ACTION,
    "broke": Moment.AFTER_FAILURE,
}
TOOLS = {
    "shell.run": (action.SHELL, "line"),
    "file.patch": (action.EDIT, "path"),
    "file.show": (action.READ, "path"),
    "recipe.use": (action.SKILL, "recipe"),
}
"""What each of its tools does, and which of its arguments says to what."""

LIMIT = 30_000
"""Milliseconds: far more than a client would wait, so that a busy machine answers in time, too."""

HOOKS = tuple(Hook(kind, limit=LIMIT if kind in MOMENTS else 0) for kind in TYPES)
PROBE: Mapping[str, object] = {"kind": "done", "run": "", "dir": "/", "step": "", "tool": "", "with": {}}


def named(payload: bytes) -> str:
    return str(json.loads(payload)["kind"])


def knows(event_name: str) -> bool:
    return event_name in TYPES


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    if not knows(event_name):
        return Heard()
    message = json.loads(payload)
    try:
        event = happened(event_name, message, at)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a message of the toy without its {error}") from error
    if event_name == "wants" and event.tool == action.SKILL:
        return Heard((replace(event, type=EventType.SKILL_LOADING),), Moment.SKILL)
    if event_name == "wants" and event.tool == action.READ and (skill := name_of(event.target)):
        return Heard((event, replace(event, type=EventType.SKILL_LOADING, target=skill)), Moment.SKILL)
    return Heard((event,), MOMENTS.get(event_name))


def happened(kind: str, said: Mapping[str, Any], at: int = 0) -> Event:
    """What a message says, or a block of the record that holds the same."""
    event = Event(
        TYPES[kind], "toy", said["run"], int(said.get("when", at)), cwd=said["dir"], prompt=said.get("turn", ""),
        call=said.get("step", ""), transcript=said.get("log", ""),
    )  # fmt: skip
    gave = str(said.get("gave", ""))
    if kind == "said":
        return replace(event, text=own_words(gave))
    if "tool" not in said:
        return replace(event, text=gave)
    tool, argument = TOOLS.get(said["tool"], (said["tool"], ""))
    event = replace(event, tool=tool, target=said["with"].get(argument, ""))
    code = int(said["code"]) if "code" in said else None
    return replace(event, error=gave, exit_status=code) if kind == "broke" else replace(event, text=gave)


def speak(event_name: str, reply: Reply) -> bytes:
    """`tell` where it opens a moment; before a call also `halt` and `check`."""
    if event_name not in MOMENTS:
        return b""
    words = {"tell": reply.text, "person": reply.notice}
    if event_name == "wants":
        words |= {"halt": reply.stop, "check": reply.ask}
    answer = {name: word for name, word in words.items() if word}
    return json.dumps(answer).encode() if answer else b""
