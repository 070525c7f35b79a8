"""Whether two failures have one cause, as strictly as learning needs it: a wrong yes would merge two mistakes for good.

One function, so that another notion can take its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon.text import errors, likeness
from hardwon.text.likeness import Rarity, Tier, Trouble

_PLAIN = Rarity()


@dataclass(frozen=True, slots=True)
class Cause:
    """What is compared of a failure."""

    command: str
    """In its one form."""
    signature: str
    trouble: Trouble | None = field(default=None, compare=False, repr=False)
    """The lines that say why."""

    @classmethod
    def of(cls, command: str, error: str) -> Cause:
        trouble = likeness.trouble(command, error)
        return cls(command, trouble.signature, trouble)


def same_cause(one: Cause, other: Cause) -> bool:
    """The same error, where it says something by itself; else what likeness takes for known. Of outputs that say
    nothing at all only the same call can have failed in the same way."""
    if one.signature == other.signature and not errors.generic(one.signature):
        return True
    if one.command != other.command:
        return False
    if one.trouble is None or other.trouble is None or not (one.trouble.lines or other.trouble.lines):
        return one.signature == other.signature
    return are_alike(one.trouble, other.trouble)


def are_alike(one: Trouble, other: Trouble) -> bool:
    """Whether what two failures of one command printed is known to be the same; equal lines are."""
    if one.lines == other.lines:
        return True
    chance = likeness.probability(one, other, _PLAIN)
    return likeness.tier(chance, likeness.At.AFTER_FAILURE) is Tier.KNOWN
