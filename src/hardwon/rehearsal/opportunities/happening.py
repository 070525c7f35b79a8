"""What happened in a past session, in order, with all that the model saw of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class What(StrEnum):
    BEGAN = "began"
    """A window: a session's first, with what the client puts into it."""
    PROMPT = "prompt"
    """A person said something."""
    READ = "read"
    """The client put something into the window that nobody said: a skill, a file that was attached, a task."""
    SAID = "said"
    """The agent said something, and may go on."""
    CALL = "call"
    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"
    """A person stopped a call; `text` is what they said to that."""
    TURN_ENDED = "turn ended"
    COMPACTED = "compacted"
    """What was in the window is gone, but for the summary in `text`."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Happening:
    what: What
    session: str
    at: int
    """UTC milliseconds."""
    number: int = 0
    """Its place in its session; a session's parts are compared by this and not by the clock."""
    agent: str = ""
    """The sub-agent that it happened to; it has a window of its own."""
    project: str = ""
    call: str = ""
    tool: str = ""
    target: str = ""
    """A call: what it was pointed at, a command or a file."""
    text: str = ""
    """All that the model saw or said with it."""
    is_repeat: bool = False
    """It was told in an earlier session's file, too: a fork begins with its parent's records."""

    @property
    def is_outcome(self) -> bool:
        return self.what in (What.PASSED, What.FAILED, What.REFUSED)
