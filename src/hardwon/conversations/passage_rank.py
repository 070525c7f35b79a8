"""The rank of a passage of a past conversation: signs that speak for it, each a number, and what each of them weighs.

Which talk is the right one is told by all of it: its words, its meaning, what it began with. In a talk something is
brought up, discussed and settled, and who asks later wants the last of these: so what a passage does in its talk counts
beside how well it fits. docs/model-card.md says what the weights were fitted on, `python -m bench recall-parts` what
each is worth.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hardwon.conversations.asked import Asked
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Around, Read
from hardwon.text.speech import discourse

if TYPE_CHECKING:
    from hardwon.conversations.passage_vectors import Near

MEANING = 0.5
"""The share of the vectors in the blend by which it is told what is looked at more closely."""
LONG, LONGEST, TELLING = 25, 100, 40
"""Words up to which a longer passage tells more, in three ways: any, a whole one, a person's."""
CURT = 4
"""Words under which a passage hardly tells anything: "ok, do it"."""
SIGN = 30
"""Words of a passage in which signs of speech count: in a longer one they stand by chance, and count less."""
FAR = -0.5
"""However far from the question a passage is, it does not count as further."""

BY_MEANING: dict[str, float] = {
    "near": 2.05,
    "opening": 1.73,
    "talk": 1.58,
    "best of talk": 2.1,
    "led to": 1.59,
    "leads to": 0.75,
    "words": 1.31,
    "covers itself": 1.26,
    "covers": 1.54,
    "talk covers": 2.31,
    "named": 1.93,
    "length": 2.49,
    "whole": 3.03,
    "asks": -1.16,
    "wanted figure": 0.82,
    "wanted reason": 1.08,
    "wanted cause": 0.82,
    "person tells": 2.09,
    "opens": -3.32,
    "first answer": -2.18,
    "ends": -0.76,
    "settles": 0.42,
    "changes": 0.25,
    "lays down": 0.59,
    "goes on": 0.97,
    "figure": 0.51,
    "cause": 0.81,
}
"""What each sign weighs where there are vectors."""
BY_WORDS: dict[str, float] = {
    "words": 1.75,
    "covers itself": 2.34,
    "covers": 1.39,
    "talk covers": 3.04,
    "led to by words": 2.4,
    "leads to words": 1.75,
    "named": 1.93,
    "length": 2.53,
    "whole": 3.02,
    "asks": -1.04,
    "wanted figure": 1.38,
    "wanted reason": 0.91,
    "wanted cause": 0.79,
    "person tells": 2.0,
    "opens": -2.79,
    "first answer": -2.22,
    "ends": -0.61,
    "settles": 0.29,
    "changes": 0.28,
    "lays down": 0.58,
    "goes on": 0.9,
    "figure": 0.48,
    "cause": 0.9,
}
"""And where there are none."""
ALONE_BY_MEANING: dict[str, float] = {
    "near": 0.4,
    "opening": 1.13,
    "talk": 2.28,
    "words": 2.67,
    "covers itself": 1.13,
    "covers": 0.53,
    "alone": 5.5,
}
ALONE_BY_WORDS: dict[str, float] = {"words": 4.0, "covers itself": 1.6, "alone": 5.5}
"""The same for texts that stand alone, such as reports that nobody asked for: in no talk would one of them settle
anything, and a long one has more of the words without telling more about them. So that both can stand in one list, each
has what a passage of a talk has for a hundred words."""

AGAIN = 9.0
"""For a prompt that asked the same in the same words, and for what was answered."""
ITSELF, BESIDES = 1.0, 0.03
"""Where words are looked for as they are: for having them itself, and how much of what else speaks for a passage."""

Signs = dict[str, float]


def blend(lexical: Mapping[int, float], meaning: Mapping[int, float], share: float = MEANING) -> dict[int, float]:
    """Words as a part of the best, meaning between the worst and the best of those that were found."""
    best = max(lexical.values(), default=0.0) or 1.0
    if not meaning:
        return {row: score / best for row, score in lexical.items()}
    low, high = min(meaning.values()), max(meaning.values())
    span = (high - low) or 1.0
    return {
        row: (1 - share) * lexical.get(row, 0.0) / best + share * (meaning.get(row, low) - low) / span
        for row in lexical.keys() | meaning.keys()
    }


def by_words(
    read: Mapping[int, Read], lexical: Mapping[int, float], asked: Asked, around: Mapping[int, Around]
) -> dict[int, Signs]:
    """The words of the question that a passage has, it and what it answers, those of its talk, and beside it."""
    best = max(lexical.values(), default=0.0) or 1.0
    talks = talks_cover(read, asked)
    led, leads = beside({row: score / best for row, score in lexical.items()}, around)
    return {
        row: {
            "words": lexical.get(row, 0.0) / best,
            "covers itself": asked.itself.get(row, 0.0),
            "covers": asked.covered.get(row, 0.0),
            "talk covers": talks[one.passage.host, one.passage.session],
            "led to by words": led.get(row, 0.0),
            "leads to words": leads.get(row, 0.0),
        }
        for row, one in read.items()
    }


def talks_cover(read: Mapping[int, Read], asked: Asked) -> dict[tuple[str, str], float]:
    stems: dict[tuple[str, str], set[str]] = defaultdict(set)
    for stem, rows in asked.standing.items():
        for row in read.keys() & rows:
            stems[read[row].passage.host, read[row].passage.session].add(stem)
    covered = {talk: sum(asked.shares[stem] for stem in have) for talk, have in stems.items()}
    return defaultdict(float, covered)


class Scale(NamedTuple):
    """The cosines of the last and the first of what was found, which count 0 and 1."""

    low: float
    high: float

    def __call__(self, cosine: float) -> float:
        return max(FAR, (cosine - self.low) / ((self.high - self.low) or 1.0))


def scale(cosines: Collection[float]) -> Scale:
    return Scale(min(cosines), max(cosines))


def by_meaning(near: Mapping[int, Near], around: Mapping[int, Around], scaled: Scale) -> dict[int, Signs]:
    """How like the question a passage is, its talk, and what stands beside it."""
    own = {row: scaled(one.itself) for row, one in near.items()}
    led, leads = beside(own, around)
    return {
        row: {
            "near": own[row],
            "opening": scaled(one.opening),
            "talk": scaled(one.talk),
            "best of talk": scaled(one.best),
            "led to": led.get(row, 0.0),
            "leads to": leads.get(row, 0.0),
        }
        for row, one in near.items()
    }


def beside(own: Mapping[int, float], around: Mapping[int, Around]) -> tuple[dict[int, float], dict[int, float]]:
    """Of each passage the best among the three before it, and the next one, as far as these lead."""
    led: dict[int, float] = defaultdict(float)
    leads: dict[int, float] = {}
    for row, place in around.items():
        for other in place.after:
            led[other] = max(led[other], own.get(row, 0.0))
        if place.before is not None:
            leads[place.before] = own.get(row, 0.0)
    return led, leads


def alone() -> Signs:
    return {"alone": 1.0}


class Wanted(NamedTuple):
    """What a question asks for."""

    reason: bool
    figure: bool


def wanted(question: str) -> Wanted:
    return Wanted(discourse.wants_reason(question), discourse.wants_figure(question))


def told(one: Read, wanted: Wanted) -> Signs:
    """How much a passage tells, and whether it is what the question wants."""
    text = one.passage.text
    size = passages.length(text)
    sign = _sign(size)
    return {
        "length": math.log1p(min(size, LONG)) / math.log1p(LONG),
        "whole": math.log1p(min(size, LONGEST)) / math.log1p(LONGEST),
        "asks": sign * discourse.is_question(text),
        "wanted figure": sign * (wanted.figure and discourse.has_figure(text)),
        "wanted reason": sign * (wanted.reason and discourse.gives_reason(text)),
        "wanted cause": float(wanted.reason and discourse.opens_with_cause(text)),
    }


def does(one: Read) -> Signs:
    """What a passage does in its talk."""
    text, role = one.passage.text, one.passage.role
    size = passages.length(text)
    sign, person = _sign(size), float(role == "user")
    tells = not discourse.is_question(text)
    goes_on = person and tells and size >= CURT and discourse.follows_up(text, f"{one.earlier}\n{one.before}".strip())
    return {
        "person tells": person * min(size, TELLING) / TELLING,
        "opens": float(one.begins and role == "user"),
        "first answer": float(one.begins and role == "agent"),
        "ends": float(one.ends),
        "settles": sign * discourse.settles(text),
        "changes": sign * discourse.tells_change(text),
        "lays down": sign * discourse.lays_down(text),
        "goes on": float(goes_on),
        "figure": sign * discourse.has_figure(text),
        "cause": float(discourse.opens_with_cause(text)),
    }


def _sign(size: float) -> float:
    return min(1.0, SIGN / size) if size else 1.0


def weighed(signs: Mapping[str, float], weights: Mapping[str, float]) -> Signs:
    return {name: weights.get(name, 0.0) * value for name, value in signs.items() if value}


def joined(by_meaning: Mapping[int, Signs], by_words: Mapping[int, Signs], seen: Collection[int]) -> dict[int, Signs]:
    """One list of passages that have vectors, the seen ones, and of those that have none.

    A score is the logarithm of a chance, but for a number that all of one list have. By their words all passages can be
    compared: so words say how likely it is any of the seen ones at all, and meaning only which of these.
    """
    if not seen:
        return dict(by_words)
    words, meaning = (_likely(sum(of[row].values()) for row in seen) for of in (by_words, by_meaning))
    return {row: by_meaning[row] | {"seen": words - meaning} if row in seen else by_words[row] for row in by_words}


def _likely(scores: Iterable[float]) -> float:
    """The logarithm of the sum of what these are logarithms of."""
    known = list(scores)
    best = max(known)
    return best + math.log(sum(math.exp(score - best) for score in known))


def literal(factors: Mapping[int, Signs], blended: Mapping[int, float], asked: Asked) -> dict[int, Signs]:
    """The same where words are looked for: what has them comes first, and not what was made of it in the end."""
    return {
        row: {
            "fit": blended.get(row, 0.0),
            "itself": ITSELF * asked.itself.get(row, 0.0),
            "besides": BESIDES * sum(one.values()),
        }
        for row, one in factors.items()
    }


def named(read: Mapping[int, Read], authors: Collection[str]) -> dict[int, Signs]:
    return {row: {"named": float(one.passage.author in authors)} for row, one in read.items()}
