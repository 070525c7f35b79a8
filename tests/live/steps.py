"""What a scripted model does when it is asked: say something, call tools, be slow, fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Request: TypeAlias = dict[str, Any]
"""The parsed body of one request to the model."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool; without an id it gets a new one."""

    tool: str
    input: dict[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One answer: thoughts, then a text, then calls; or an error, when there is a status."""

    text: str | None = None
    calls: tuple[Call, ...] = ()
    thinking: str | None = None
    delay: float = 0
    """Seconds before the answer begins."""
    status: int | None = None
    """Of an HTTP error, with the text as its message."""
    tokens: int | None = None
    """How long the client is told that its request was: near the end of its window it compacts."""


Answer: TypeAlias = Step | Callable[[Request], Step]
"""A step, or what finds it when the request is there: to wait for something, to answer with what was sent."""


def say(text: str, *, thinking: str | None = None, delay: float = 0) -> Step:
    """The end of a turn."""
    return Step(text, thinking=thinking, delay=delay)


def use(*calls: Call, text: str | None = None, thinking: str | None = None, delay: float = 0) -> Step:
    """Several calls in one turn may run at the same time."""
    return Step(text, calls, thinking, delay)


def tool(name: str, /, id: str | None = None, **input: Any) -> Call:
    return Call(name, input, id)


def bash(command: str, id: str | None = None) -> Call:
    return Call("Bash", {"command": command, "description": "scripted"}, id)


def agent(prompt: str, *, background: bool = False) -> Call:
    """A sub-agent; a word of its prompt is the marker of its script. Unasked, the client runs it in the background."""
    return tool(
        "Agent", description="scripted", prompt=prompt, subagent_type="general-purpose", run_in_background=background
    )


def fail(status: int, message: str = "scripted error", *, delay: float = 0) -> Step:
    """Claude Code takes a 403 as final; it asks five more times after a 400, and after a 401 or 500 for minutes."""
    return Step(message, delay=delay, status=status)
