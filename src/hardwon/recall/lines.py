"""The present state first: what was said of one subject at several times is a line, and its last word counts.

Whether a later passage continues an earlier one is judged by what their exchanges share, each being a prompt and the
answer to it: "make it 60" has no word of what it is about, and the answer names it. Rare words count, as they are and
by how far one later passage stands out from the others, for in some talks everything is alike; and where there are
vectors, meaning. It counts for it that it answers the question, too, for which the earlier one was found, and that it
tells of a change. It counts against it that it answers a question of its own ("and on Windows?"), which begins another
line; and that the earlier one is long: an explanation is not overturned by a remark. Nothing is merged: the earlier
ones stay, as history behind the later one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

LONGEST = 4
"""Passages of a line."""
LONG = 60
"""Words from which on a passage does not count as longer."""
OTHERS = 10
"""Of the later passages, the best that one has to stand out from."""

CHANCE = 0.03
"""So much is alike by chance, also where there are no others to compare with."""


@dataclass(frozen=True, slots=True)
class Said:
    id: int
    stems: frozenset[str]
    """Of its exchange."""
    words: float = 0.0
    """How long it is itself."""
    asked: bool = False
    """It answers a question of its own."""
    changes: bool = False
    """It tells of a change."""
    answers: float = 0.0
    """How well it answers the question itself, against the best that was found."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What each sign weighs, so that above zero a later passage is believed to continue an earlier one. Fitted on the
    questions for tuning, in short talks and in long ones; against it speak the questions about decisions that nothing
    became of, and LoCoMo's."""

    base: float
    shared: float
    stands_out: float
    asked: float
    changes: float
    long_before: float
    answers: float
    meaning: float = 0.0


BY_WORDS = Odds(base=-4.0, shared=8.1, stands_out=7.2, asked=-0.9, changes=0.63, long_before=-1.8, answers=3.2)
BY_MEANING = Odds(
    base=-6.4, shared=4.75, stands_out=5.0, asked=-1.05, changes=0.35, long_before=-2.85, answers=4.7, meaning=6.0
)

Weight = Callable[[str], float]


def continuing(
    earlier: Said, later: Sequence[Said], weight: Weight, cosines: Mapping[int, float] | None = None
) -> Said | None:
    """The one that most likely continues it, if any does."""
    shared = {one.id: alike(earlier.stems, one.stems, weight) for one in later}
    usual = _usual(shared.values())
    judged = [
        (odds(earlier, one, shared[one.id], usual, None if cosines is None else cosines.get(one.id, 0.0)), one.id, one)
        for one in later
    ]
    best = max(judged, default=None, key=lambda one: one[:2])
    return best[2] if best is not None and best[0] > 0 else None


def odds(earlier: Said, later: Said, shared: float, usual: float, meant: float | None) -> float:
    of = BY_WORDS if meant is None else BY_MEANING
    return (
        of.base
        + of.shared * shared
        + of.stands_out * (shared - usual)
        + of.meaning * (meant or 0.0)
        + of.asked * later.asked
        + of.changes * later.changes
        + of.answers * later.answers
        + of.long_before * min(earlier.words, LONG) / LONG
    )


def alike(one: Collection[str], other: Collection[str], weight: Weight) -> float:
    """The cosine of two sets of words by what these weigh."""

    def length(stems: Collection[str]) -> float:
        return sum(weight(stem) ** 2 for stem in stems)

    both = length(one) * length(other)
    return length(set(one) & set(other)) / math.sqrt(both) if both else 0.0


def _usual(shared: Iterable[float]) -> float:
    """The mean of the best, without the very best: one has to stand out from that."""
    return max(CHANCE, sum(sorted(shared, reverse=True)[1 : OTHERS + 1]) / OTHERS)


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
