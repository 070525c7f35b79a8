"""The present state first: what was said of one subject at several times is a line, and its last word counts.

Whether a later passage continues an earlier one is judged by what their exchanges share, each being a prompt and the
answer to it: "make it 60" has no word of what it is about, and the answer names it; and by what the whole later talk
shares, for it may be named there and nowhere near. Rare words count, as they are and by how far one later talk stands
out from the others, for in some projects everything is alike; and where there are vectors, meaning. So do how well each
of the two answers the question, how much time has passed, whether it tells of a change or answers a question of its own
("and on Windows?"), which begins another line, and how both are said. What all this says together is for a judge
(`judge.py`), who was taught by questions about what was changed, and about what never was. Nothing is merged: the
earlier ones stay, as history behind the later one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hardwon.recall import judge
from hardwon.recall.judge import Judge

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
BY_MEANING, BY_WORDS = "lines_by_meaning", "lines_by_words"

Signs = dict[str, float]


@dataclass(frozen=True, slots=True)
class Said:
    id: int
    stems: frozenset[str]
    """Of its exchange."""
    own: frozenset[str] = frozenset()
    """Of these, those of its own text."""
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
    does: Mapping[str, float] = field(default_factory=dict)
    """How it is said: signs of its own."""


Weight = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Talk:
    """What the later passages of one talk have at the most."""

    shared: float
    stands_out: float
    changes: float
    """The share of them that tell of a change."""
    meaning: float


class Likeliest(NamedTuple):
    odds: float
    """Above zero where it rather continues the earlier one than not."""
    id: int


def likeliest(odds: Mapping[int, float]) -> Likeliest | None:
    """Of several passages, the one that most likely continues the earlier one."""
    return max((Likeliest(some, id) for id, some in odds.items()), default=None)


def judge_of(*, by_meaning: bool) -> Judge:
    """What it says is above zero where something is continued rather than not."""
    return judge.taught(BY_MEANING if by_meaning else BY_WORDS)


def signs(
    earlier: Said,
    later: Sequence[Said],
    weight: Weight,
    cosines: Mapping[int, float] | None = None,
    placed: Mapping[int, float] | None = None,
) -> dict[int, Signs]:
    """Of each of the later ones, what speaks for and against that it continues the earlier one; `cosines` and `placed`
    say how like it they are, themselves and in their places."""
    shared = {one.id: alike(earlier.stems, one.stems, weight) for one in later}
    talks = _talks(later, shared, cosines or {})
    most = max(shared.values(), default=0.0)
    found = {
        one.id: _signs(earlier, one, shared[one.id], most, talks[one.talk])
        | {"own shared": alike(earlier.own, one.own, weight)}
        for one in later
    }
    if cosines is not None:
        for one, (meant, behind) in zip(later, _meant(later, cosines), strict=True):
            found[one.id] |= {
                "meaning": meant,
                "behind in meaning": behind,
                "talk meaning": talks[one.talk].meaning,
            }
    if placed is not None:
        for one, (meant, behind) in zip(later, _meant(later, placed), strict=True):
            found[one.id] |= {"meaning in place": meant, "behind in place": behind}
    return found


def _meant(later: Sequence[Said], cosines: Mapping[int, float]) -> list[tuple[float, float]]:
    """Of each its cosine, and by how much another comes nearer."""
    own = [cosines.get(one.id, 0.0) for one in later]
    nearest = max(own, default=0.0)
    return [(cosine, nearest - cosine) for cosine in own]


def _signs(earlier: Said, later: Said, shared: float, most: float, talk: Talk) -> Signs:
    days = max(0, later.at - earlier.at) / DAY
    return {
        "shared": shared,
        "behind in shared": most - shared,
        "talk shared": talk.shared,
        "stands out": talk.stands_out,
        "asked": float(later.asked),
        "changes": float(later.changes),
        "talk changes": talk.changes,
        "long ago": min(1.0, math.log1p(days) / AGES),
        "long before": min(earlier.words, LONG) / LONG,
        "long": min(later.words, LONG) / LONG,
        "answers": later.answers,
        "answered": earlier.answers,
        **later.does,
        **{f"was: {name}": value for name, value in earlier.does.items()},
    }


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
        return math.fsum(weight(stem) ** 2 for stem in stems)

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
