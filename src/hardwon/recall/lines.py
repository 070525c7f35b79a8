"""The present state first: what was said of one subject at several times is a line, and its last word counts.

Whether a later passage continues an earlier one is judged by what they share: rare words, in the passages and in what
they answer, and where there are vectors, meaning. How much that is says little, for in some talks everything is alike;
it counts by how far one later passage stands out from the others. It counts for it that it answers the question, too,
for which the earlier one was found, and that it tells of a change. It counts against it that it answers a question of
its own ("and on Windows?"), which begins another line; and that either is long: a report shares words with everything,
and an explanation is not overturned by a remark. Nothing is merged: the earlier ones stay, as history behind the later
one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

LONGEST = 4
"""Passages of a line."""
LONG = 60
"""Words from which on a passage does not count as longer."""
OTHERS = 10
"""Of the later passages, the best that one has to stand out from."""

CHANCE_WORDS, CHANCE_MEANING = 0.03, 0.2
"""So much is alike by chance, also where there are no others to compare with."""


@dataclass(frozen=True, slots=True)
class Said:
    id: int
    stems: frozenset[str]
    """Of the passage itself and of what it answers."""
    words: float = 0.0
    """How long it is."""
    asked: bool = False
    """It answers a question of its own."""
    opens: bool = False
    """It answers nothing: a conversation begins with it."""
    changes: bool = False
    """It tells of a change."""
    answers: float = 0.0
    """How well it answers the question itself, against the best that was found."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What each sign weighs, so that above zero a later passage is believed to continue an earlier one. Fitted on the
    tuning half of our own questions, where half of the signs against come from talks that have no such lines."""

    base: float
    shared: float
    asked: float
    opens: float
    changes: float
    long_before: float
    long_after: float
    answers: float
    meaning: float = 0.0


BY_WORDS = Odds(
    base=-1.35, shared=17.5, asked=-2.7, opens=-2.4, changes=1.5, long_before=-7.4, long_after=-1.9, answers=1.0
)  # fmt: skip
BY_MEANING = Odds(
    base=-3.3, shared=7.4, asked=-2.6, opens=-3.0, changes=1.85, long_before=-6.1, long_after=-2.4, answers=3.0,
    meaning=7.7,
)  # fmt: skip

Weight = Callable[[str], float]


def continuing(
    earlier: Said, later: Sequence[Said], weight: Weight, cosines: Mapping[int, float] | None = None
) -> Said | None:
    """The one that most likely continues it, if any does."""
    shared = _standing_out({one.id: alike(earlier.stems, one.stems, weight) for one in later}, CHANCE_WORDS)
    meant = None
    if cosines is not None:
        meant = _standing_out({one.id: cosines.get(one.id, 0.0) for one in later}, CHANCE_MEANING)
    judged = [
        (odds(earlier, one, shared[one.id], None if meant is None else meant[one.id]), one.id, one) for one in later
    ]
    best = max(judged, default=None, key=lambda one: one[:2])
    return best[2] if best is not None and best[0] > 0 else None


def odds(earlier: Said, later: Said, shared: float, meant: float | None) -> float:
    of = BY_WORDS if meant is None else BY_MEANING
    return (
        of.base
        + of.shared * shared
        + of.meaning * (meant or 0.0)
        + of.asked * later.asked
        + of.opens * later.opens
        + of.changes * later.changes
        + of.answers * later.answers
        + of.long_before * min(earlier.words, LONG) / LONG
        + of.long_after * min(later.words, LONG) / LONG
    )


def alike(one: Collection[str], other: Collection[str], weight: Weight) -> float:
    """The cosine of two sets of words by what these weigh."""

    def length(stems: Collection[str]) -> float:
        return sum(weight(stem) ** 2 for stem in stems)

    both = length(one) * length(other)
    return length(set(one) & set(other)) / math.sqrt(both) if both else 0.0


def _standing_out(found: Mapping[int, float], chance: float) -> dict[int, float]:
    """By how much each exceeds the mean of the best, without the very best."""
    others = sorted(found.values(), reverse=True)[1 : OTHERS + 1]
    usual = max(chance, sum(others) / OTHERS)
    return {id: value - usual for id, value in found.items()}


def current_first(ranked: Sequence[int], continued_by: Mapping[int, int]) -> list[tuple[int, tuple[int, ...]]]:
    """In order, but each after what continues it; with what each continues, the latest of it first."""
    history: dict[int, list[int]] = {}
    for id in ranked:
        for later in _line(id, continued_by):
            history.setdefault(later, []).append(id)
    placed: dict[int, None] = {}
    for id in ranked:
        for one in (*reversed(_line(id, continued_by)), id):
            placed.setdefault(one)
    steps = {id: len(_line(id, continued_by)) for id in placed}
    return [(id, tuple(sorted(history.get(id, ()), key=lambda one: steps[one]))) for id in placed]


def _line(id: int, continued_by: Mapping[int, int]) -> list[int]:
    """What continues it, what continues that, and so on."""
    line: list[int] = []
    while id in continued_by and continued_by[id] not in line and len(line) < LONGEST:
        id = continued_by[id]
        line.append(id)
    return line
