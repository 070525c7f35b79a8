"""Whether two failures have one cause, as strictly as learning needs it: a wrong yes would merge two mistakes for good.

One function, so that another notion can take its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.understand import errors


@dataclass(frozen=True, slots=True)
class Cause:
    """What is compared of a failure."""

    command: str
    """In its one form."""
    signature: str

    @classmethod
    def of(cls, command: str, error: str) -> Cause:
        return cls(command, errors.signature(error))


def same_cause(one: Cause, other: Cause) -> bool:
    """The same error of the same command; of another command only an error that says something by itself."""
    if one.signature != other.signature:
        return False
    return one.command == other.command or not errors.generic(one.signature)
