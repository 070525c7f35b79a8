"""derive: from one session's journal, whole and in order, to what was learned. Pure.

Live hooks, a late transcript and a second reading give the same journal and therefore the same memories; each has an
`origin_key`, so that nothing is learned twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardwon.event import Event
from hardwon.learn import edits, failures, pitfalls, prompts
from hardwon.learn.prompts import Resolved
from hardwon.learn.steps import Learned, Passed, Skipped, Step

__all__ = ["Learned", "Passed", "Skipped", "derive", "walk"]


def derive(journal: Sequence[Event]) -> list[Learned]:
    return [step for step in walk(journal) if isinstance(step, Learned)]


def walk(journal: Sequence[Event]) -> Iterator[Step | Resolved]:
    """What is learned, and what is passed over: from the calls, from those that went in circles, from the words."""
    yield from failures.walk(journal)
    yield from edits.walk(journal)
    yield from pitfalls.walk(journal)
    yield from prompts.walk(journal)
