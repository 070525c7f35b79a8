"""Looking at the same thing again: within half an hour the second look is not worth a line. Pure.

A look that is not kept does not begin a new half hour: who reads a file every ten minutes leaves a line every thirty.
Each agent of a session explores for itself, for none sees what another one saw. What decides is when looks happened,
not when they were told of: an older one that is heard of late takes the place of the one that follows it. (A third
one that had been left out because of that one is back when the log is read again; no log tells its events in such an
order.) The memory of what was explored is the session's journal itself, as bounded as that is, and no second one can
differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

AGAIN = 30 * 60_000
"""Milliseconds."""


class Look(NamedTuple):
    """One look at a target: when, and the event's key."""

    at: int
    key: str


def kept(looks: Iterable[Look]) -> set[str]:
    """The keys of those looks at one target that are worth a line."""
    found: set[str] = set()
    last: int | None = None
    for look in sorted(looks):
        if last is None or look.at - last >= AGAIN:
            found.add(look.key)
            last = look.at
    return found
