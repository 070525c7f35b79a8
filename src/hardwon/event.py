"""What happened in a client, in words that no client invented.

A host module turns the client's own payload into an Event; everything after it sees only Events.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum


class EventType(StrEnum):
    SESSION_STARTED = "session_started"
    PROMPT_SUBMITTED = "prompt_submitted"
    SPOKE = "spoke"
    """What an agent says while its turn goes on."""
    SKILL_LOADING = "skill_loading"
    SKILL_LOADED = "skill_loaded"
    TOOL_STARTING = "tool_starting"
    TOOL_FINISHED = "tool_finished"
    TOOL_FAILED = "tool_failed"
    TURN_ENDED = "turn_ended"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    SESSION_ENDED = "session_ended"
    CALL_ANSWERED = "call_answered"
    """A person answered a call where the client asked them: refused it, let it pass with a word, chose."""


class Tier(StrEnum):
    """How much of an event is worth keeping: all of it, its outline, the bare fact, nothing."""

    FULL = "S"
    OUTLINE = "M"
    FACT = "L"
    NOTHING = "N"


@dataclass(frozen=True, slots=True)
class Event:
    type: EventType
    host: str
    session: str
    at: int
    project: str | None = None
    cwd: str = ""
    agent: str = ""
    """The sub-agent that did it; empty for the main one."""
    prompt: str = ""
    call: str = ""
    """The client's own id of the tool call; empty where there is none."""
    tool: str = ""
    """Of what a sub-agent answered at its end: what it is called, such as code-reviewer."""
    target: str = ""
    """What the tool was pointed at: a file, a command, a skill."""
    text: str = ""
    exit_status: int | None = None
    error: str = ""

    origin: str = ""
    """Of a prompt, who wrote it: `typed` or `program`; empty while that is not known. Of an answered call, what the
    answer was: `refused`, `approved`, `chosen`; `hearsay` where nothing but the words says that it was refused."""

    transcript: str = ""
    """Where the client writes the session down."""
    branch: str = ""
    """The branch that its folder was on, where the client says so. Not kept."""
    redacted: bool = field(default=False, compare=False)
    """Whether it has passed the border, where secrets are taken out. Not kept."""

    @property
    def key(self) -> str:
        """The same for one happening however often and from wherever it is read, so that nothing counts twice."""
        if self.call and self.type in (EventType.TOOL_FINISHED, EventType.TOOL_FAILED):
            return f"outcome:{self.call}"
        if self.type in (EventType.TURN_ENDED, EventType.PROMPT_SUBMITTED) and self.prompt:
            return f"{self.type}:{self.agent}:{self.prompt}"
        return f"{self.type}:{self.agent}:{self.call or self.prompt}:{self.at}"


BETWEEN = "\n"
"""Stands between several questions of one call, and between their answers."""
IN_BACKGROUND = "Command running in background"
"""How the result of a call begins that was only started: whether it passes is not known yet."""
_LAUNCHES = re.compile(r"(?<![&>|])&\s*$")


def is_in_background(event: Event) -> bool:
    """Whether a call that came back was only started, by the client or by the shell."""
    return event.text.startswith(IN_BACKGROUND) or bool(_LAUNCHES.search(event.target))


class Moment(StrEnum):
    """When something may be said."""

    SESSION_START = "session start"
    AFTER_COMPACTION = "after compaction"
    PROMPT = "prompt"
    SKILL = "skill"
    BEFORE_ACTION = "before action"
    AFTER_FAILURE = "after failure"


@dataclass(frozen=True, slots=True)
class Heard:
    """What a client's message said: events, the moment it opens, and calls whose outcome it leaves open."""

    events: tuple[Event, ...] = ()
    moment: Moment | None = None
    unsettled: tuple[Event, ...] = ()
    """Calls that ended without a word of their own (denied, rejected): failures, unless another message says more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What to say to the client: context for the model, or a reason to stop this call or to ask the person first."""

    text: str = ""
    stop: str = ""
    ask: str = ""
    notice: str = ""
    """For the person, not for the model."""
