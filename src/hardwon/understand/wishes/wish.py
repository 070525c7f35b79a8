"""What a person can want from an agent, as read from one prompt."""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.memory import Rejected

SURE = 0.8
"""From here on the words alone are enough; below, what the agent did has to fit."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was done is not what was wanted."""

    said: str
    """The person's own words, without "no," before them."""
    wanted: str = ""
    unwanted: str = ""
    confidence: float = 0.9
    standing: bool = False
    """Said for all times ("always", "from now on") and not about what was just done."""


@dataclass(frozen=True, slots=True)
class Decision:
    said: str
    subject: str
    """What it decides about; a later decision with the same subject takes its place."""
    chosen: str = ""
    because: str = ""
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    corrections: tuple[Correction, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    expects_red: bool = False
    """A test is meant to fail for now."""
    says_fixed: bool = False
    """What was broken works, says the person."""

    @property
    def empty(self) -> bool:
        return self == Wishes()
