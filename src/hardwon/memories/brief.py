"""What a session begins with: sections from many places, one order of priority, one budget. Pure.

Who has something to say at a start gives a section, and nothing else: its place among the others is its priority, and
what it may take is what those before it left. A section of memories is cut to what fits; one of lines loses its last
lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memories.search.budget import Item, fit, tokens
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import Memory

BUDGET = 1_000
"""Tokens of all that a session begins with, the standing instruction included."""
MOST_MEMORIES = 12

# The one order. Below 10 there is room for what comes before everything, such as how the memory is to be used.
INSTRUCTION, HANDOFF, BRANCH, TASKS, RULES, CONSTRAINTS, LESSONS, FILES, REVIEW, CHANGED, REMINDER = (
    5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Section:
    """Something to say at a start: lines as they stand, or memories, of which as many are said as fit."""

    name: str
    priority: int
    lines: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    most: int = 99
    """Tokens of this section."""
    marks: tuple[str, ...] = ()
    """By which each line is known as told."""
    by: str = "hook"
    """Who says it: what is said by another way is only counted here."""
    told: frozenset[str] = frozenset()
    """The memories that its lines tell, so that no other section does."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A section as it will be said."""

    section: Section
    lines: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    tokens: int = 0

    @property
    def marks(self) -> tuple[str, ...]:
        return self.section.marks[: len(self.lines)]


def fitted(sections: Sequence[Section], budget: int = BUDGET) -> list[Fitted]:
    """In the order in which they are said; what does not fit is left out."""
    found: list[Fitted] = []
    left, memories = budget, MOST_MEMORIES
    for section in sorted(sections, key=lambda one: one.priority):
        one = _fitted(section, min(left, section.most), memories)
        left -= one.tokens
        memories -= len(one.items)
        if one.lines or one.items:
            found.append(one)
    return found


def _fitted(section: Section, room: int, memories: int) -> Fitted:
    if section.memories:
        ranked = [Ranked(Candidate(memory), 1.0) for memory in section.memories]
        items = tuple(fit(ranked, memories, room))
        return Fitted(section, (), items, sum(item.tokens for item in items))
    lines, cost = [], 0
    for line in section.lines:
        price = tokens(line) + 1
        if cost + price > room:
            break
        lines.append(line)
        cost += price
    return Fitted(section, tuple(lines), (), cost)
