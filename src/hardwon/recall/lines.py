"""The present state first: what was said of one subject at several times is a line, and its last word counts.

Whether a later passage continues an earlier one is judged by what their exchanges share, each being a prompt and the
answer to it: "make it 60" has no word of what it is about, and the answer names it; and by what the whole later talk
shares, for it may be named there and nowhere near. Rare words count, as they are and by how far one later talk stands
out from the others, for in some projects everything is alike; and where there are vectors, meaning. It counts for it
that it answers the question, too, for which the earlier one was found, that it tells of a change, and that time has
passed. It counts against it that it answers a question of its own ("and on Windows?"), which begins another line; and
that the earlier one is long: an explanation is not overturned by a remark. Nothing is merged: the earlier ones stay, as
history behind the later one.
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
"""Of the later talks, the best that one has to stand out from."""
DAY, AGES = 86_400_000, 6.0
"""Milliseconds of a day, and the logarithm of the days after which nothing counts as longer ago."""

LEAST, NOT_FOUND = -3.0, -1.1
"""How well a passage answers the question at the least, and one that was not found for it."""
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
    answers: float = NOT_FOUND
    """How well it answers the question itself: 0 as well as the best that was found, LEAST hardly at all."""
    talk: str = ""
    at: int = 0
    """Milliseconds."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What each sign weighs, so that above zero a later passage is believed to continue an earlier one. Fitted on the
    questions for tuning, in short talks and in long ones; against it speak the questions about decisions that nothing
    became of, and LoCoMo's."""

    base: float
    shared: float
    talk_shared: float
    stands_out: float
    asked: float
    changes: float
    talk_changes: float
    long_before: float
    long_ago: float
    answers: float
    meaning: float = 0.0
    talk_meaning: float = 0.0


BY_WORDS = Odds(
    base=-2.2,
    shared=3.55,
    talk_shared=3.25,
    stands_out=2.95,
    asked=-0.55,
    changes=1.15,
    talk_changes=-0.35,
    long_before=-0.75,
    long_ago=2.35,
    answers=2.15,
)
BY_MEANING = Odds(
    base=-3.85,
    shared=2.6,
    talk_shared=2.45,
    stands_out=2.2,
    asked=-0.4,
    changes=1.15,
    talk_changes=-0.4,
    long_before=-1.3,
    long_ago=2.3,
    answers=2.2,
    meaning=3.05,
    talk_meaning=2.75,
)

Weight = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Talk:
    """What the later passages of one talk have at the most."""

    shared: float
    stands_out: float
    changes: float
    """The share of them that tell of a change."""
    meaning: float


def continuing(
    earlier: Said,
    later: Sequence[Said],
    weight: Weight,
    cosines: Mapping[int, float] | None = None,
    least: float = 0.0,
) -> Said | None:
    """The one that most likely continues it, if any does by more than `least`."""
    shared = {one.id: alike(earlier.stems, one.stems, weight) for one in later}
    talks = _talks(later, shared, cosines or {})
    judged = [
        (
            odds(earlier, one, shared[one.id], talks[one.talk], None if cosines is None else cosines.get(one.id, 0.0)),
            one,
        )
        for one in later
    ]
    best = max(judged, default=None, key=lambda one: (one[0], one[1].id))
    return best[1] if best is not None and best[0] > least else None


def odds(earlier: Said, later: Said, shared: float, talk: Talk, meant: float | None) -> float:
    of = BY_WORDS if meant is None else BY_MEANING
    days = max(0, later.at - earlier.at) / DAY
    return (
        of.base
        + of.shared * shared
        + of.talk_shared * talk.shared
        + of.stands_out * talk.stands_out
        + of.meaning * (meant or 0.0)
        + of.talk_meaning * talk.meaning
        + of.asked * later.asked
        + of.changes * later.changes
        + of.talk_changes * talk.changes
        + of.answers * later.answers
        + of.long_ago * min(1.0, math.log1p(days) / AGES)
        + of.long_before * min(earlier.words, LONG) / LONG
    )


def _talks(later: Sequence[Said], shared: Mapping[int, float], cosines: Mapping[int, float]) -> dict[str, Talk]:
    said: dict[str, list[Said]] = {}
    for one in later:
        said.setdefault(one.talk, []).append(one)
    most = {talk: max(shared[one.id] for one in several) for talk, several in said.items()}
    usual = _usual(most.values())
    return {
        talk: Talk(
            most[talk],
            most[talk] - usual,
            sum(one.changes for one in several) / len(several),
            max(cosines.get(one.id, 0.0) for one in several),
        )
        for talk, several in said.items()
    }


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
