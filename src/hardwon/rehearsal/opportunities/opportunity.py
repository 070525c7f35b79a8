"""An opportunity: a place in a session where something known from an earlier one would have saved work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

TURN = 10
"""Calls that a turn of the person is worth."""
MOST = 15
"""Calls that one opportunity can be worth at most: what came after that had other causes, too."""


class Kind(StrEnum):
    WORDING = "other wording"
    """A call failed, and another wording of the same job passed."""
    STATEMENT = "said again"
    """The person had to say again what they had said in an earlier session."""
    PATH = "path"
    """A path was missing, and then found."""
    LOOK_UP = "look-up"
    """Something was looked up that had stood in the result of an earlier session."""
    RULE = "lint rule"
    """A lint rule was broken that had been met before."""


class Form(StrEnum):
    """Of which sort an answer is: a saying with several of a sort leaves the choice to the reader."""

    OPTION = "option"
    COMMAND = "command"
    PATH = "path"
    BRANCH = "branch"
    ID = "id"
    RULE = "rule"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible answer, and what must stand in the strict past for it."""

    token: str
    form: Form
    evidence: str
    along: tuple[str, ...] = ()
    """What a saying must have beside the token."""
    sight: int = sys.maxsize
    """The happening with which the session itself brought it: who says it then says nothing new."""


@dataclass(frozen=True, slots=True)
class Opportunity:
    kind: Kind
    session: str
    agent: str
    number: int
    """The first cost: what reaches the model before this happening would have been in time."""
    at: int
    until: int
    """The happening with which it was resolved."""
    window: int
    """Which window of the session: what was said before a compaction is gone."""
    cost: int
    """Calls, and turns of the person at their worth, less the shortest correct path; not more than `MOST`."""
    spent: tuple[int, ...] = ()
    """The happenings that cost: calls in vain."""
    turns: tuple[int, ...] = ()
    """The happenings at which the person had to step in."""
    project: str = ""
    what: str = ""
    """For a reader: what failed, was missing, was looked up."""
    how: str = ""
    """For a reader: what then was right."""
    candidates: tuple[Candidate, ...] = ()
    habit: str = ""
    """A look-up's form: one that is also made when the answer is in sight is habit, and counts nothing."""
    answer: Candidate | None = None
    source: str = ""
    """The earlier session in which the answer stood."""
    source_at: int = 0

    def left(self, delivered: int) -> float:
        """What of its cost came after the answer was delivered: only that could still be saved."""
        if delivered < self.number:
            return float(self.cost)
        if self.answer and delivered >= self.answer.sight:
            return 0.0
        whole = len(self.spent) + TURN * len(self.turns)
        rest = sum(one > delivered for one in self.spent) + TURN * sum(one > delivered for one in self.turns)
        return self.cost * rest / whole if whole else 0.0

    @property
    def id(self) -> str:
        return f"{self.session}:{self.agent}:{self.number}:{self.kind}"


def worth(calls: int, turns: int) -> int:
    """Of calls beyond the shortest correct path, and turns."""
    return max(0, min(MOST, calls + TURN * turns))


def count_once(found: Iterable[Opportunity]) -> Iterator[Opportunity]:
    """A cost counts once: of two at the same place the dearer one, and nothing that lies within a dearer one."""
    kept: dict[tuple[str, str], list[Opportunity]] = {}
    for one in sorted(found, key=lambda each: (-each.cost, each.at, each.number)):
        own = kept.setdefault((one.session, one.agent), [])
        if not any(_meet(one, other) for other in own):
            own.append(one)
    yield from sorted((one for own in kept.values() for one in own), key=lambda each: (each.at, each.id))


def _meet(one: Opportunity, other: Opportunity) -> bool:
    if one.kind is Kind.RULE and other.kind is Kind.RULE:  # rules of one run share its cost
        return one.number == other.number and one.how == other.how
    if Kind.RULE in (one.kind, other.kind):
        return one.number == other.number
    return one.number <= other.until and other.number <= one.until
