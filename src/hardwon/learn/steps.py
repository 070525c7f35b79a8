"""What reading a session brings forth, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hardwon.event import Event
from hardwon.memory import Draft, Kind


@dataclass(frozen=True, slots=True)
class Learned:
    """A draft, and for a fix the origin key of the failure that it fixes."""

    draft: Draft
    fixes: str | None = None
    event: Event | None = None
    """What it was learned from."""
    steps: tuple[str, ...] = ()
    """Of an attempt and a fix: what was done, each as it is written."""
    doubt: str = ""
    """Why a person should look at it before it counts as theirs."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A command that passed when it was run last in this session: what had failed with it no longer does."""

    command: str
    event: Event
    failed_before: bool
    """In this session."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """What might have been learned and was not, and why; for the log."""

    kind: Kind
    reason: str
    event: Event


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A fix of this session that no longer holds: the command that it stood for has passed itself since, or more is
    known by now."""

    fix: str
    """Its origin key."""
    event: Event
    reason: str = "the command itself passed later"


@dataclass(frozen=True, slots=True)
class Settled:
    """A failure that was the work itself: it is counted, and nobody is told."""

    failure: str
    """Its origin key."""
    event: Event
    mended: bool
    """It has passed; else it only points at what is being worked on."""


Step: TypeAlias = Learned | Passed | Skipped | Withdrawn | Settled
