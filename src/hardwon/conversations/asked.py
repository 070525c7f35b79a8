"""What a question to past conversations asks for: its words, and which of them can be searched for.

In a long past most words stand in thousands of passages, and to rank all of these takes too long. So one of the rarest
words is enough for a passage to be ranked, as far as these stand in few; of the others it must have several, which few
passages do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hardwon.memories.search import words
from hardwon.store.connection import Store
from hardwon.store.tables import passages

ALONE = 20_000
"""Passages, at most, that are ranked because they have one of the rarest words."""
TOGETHER = 10_000
"""Passages, at most, that are ranked because they have several of the other words."""
COMMON = 16
"""Of the other words, the rarest."""
PROBE = 5_000
"""A word that stands in more passages is not looked for in each."""
COUNTED = (40_000, 400_000)
"""How far it is counted in how many passages such a word stands: further only when there are few rarer ones. One that
stands in more is not searched for beside others."""

SAME, OF_IT = 0.9, 0.8
"""Of a prompt that asked the same: the share of the question's weight that it has, and the share of its own words that
are the question's."""
LITERAL = 2
"""Words that are looked for as they are; three are a question in short: "log level gateways"."""


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    stems: frozenset[str]
    alone: tuple[str, ...]
    """The words of which one is enough: those that stand in few passages."""
    together: tuple[tuple[str, ...], ...]
    """The others in groups, of each of which a passage must have one."""
    least: tuple[str, ...]
    """The two rarest, for when nothing else can be searched for."""
    covered: Mapping[int, float]
    """The share of the question's weight that each passage has, with what it answers."""
    itself: Mapping[int, float]
    """The same by its own text alone."""
    shares: Mapping[str, float]
    """Of the question's weight, by stem."""
    standing: Mapping[str, frozenset[int]]
    """In the own text of which passages each of these stems stands."""

    @property
    def literal(self) -> bool:
        """A word or two and nothing else: who types these looks for where they stand."""
        return 0 < len(self.stems) <= LITERAL and len(self.text.split()) <= LITERAL


def read_question(store: Store, text: str) -> Asked:
    telling = words.telling(store, text)
    postings = {stem: passages.having(store, word, PROBE + 1) for stem, word in telling.items()}
    frequencies = {stem: len(rows) for stem, rows in postings.items()}
    counted = {telling[stem]: df for stem, df in frequencies.items() if 0 < df <= PROBE}
    unknown = [telling[stem] for stem, df in frequencies.items() if df > PROBE]
    counted |= _counted(store, unknown, COMMON - len(counted))
    alone = words.affordable(counted, ALONE)
    common = sorted(counted.keys() - set(alone), key=lambda word: (counted[word], word))[:COMMON]
    least = (*sorted(counted, key=counted.__getitem__), *unknown)[:2]
    rare = [stem for stem in telling if telling[stem] in alone and frequencies[stem] <= PROBE]
    weighed = words.weights(frequencies, passages.size(store))
    total = sum(weighed.values())
    shares = {stem: weighed[stem] / total for stem in rare}
    own = {stem: passages.having_itself(store, telling[stem], PROBE) for stem in rare}
    return Asked(
        text,
        frozenset(telling),
        tuple(alone),
        _groups(store, alone, common),
        least,
        _covered(postings, shares),
        _covered(own, shares),
        shares,
        {stem: frozenset(rows) for stem, rows in own.items()},
    )


def _covered(postings: Mapping[str, Sequence[int]], shares: Mapping[str, float]) -> dict[int, float]:
    covered: dict[int, float] = defaultdict(float)
    for stem, share in shares.items():
        for row in postings[stem]:
            covered[row] += share
    return covered


def _counted(store: Store, common: Sequence[str], wanted: int) -> dict[str, int]:
    """In how many passages each of these stands, without those that stand in too many; no further than it takes to find
    as many as are wanted."""
    counted: dict[str, int] = {}
    for limit in COUNTED:
        if len(counted) >= wanted:
            break
        found = passages.frequencies(store, (word for word in common if word not in counted), limit)
        counted |= {word: count for word, count in found.items() if count < limit}
    return counted


def _groups(store: Store, alone: Sequence[str], common: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The common words in two or three groups: as many of the words as keep the passages few that have one of each. In
    a long past most words are common, and few passages have several of them."""
    for count in range(len(common), 1, -1):
        for parts in (2, 3):
            groups = tuple(tuple(common[part:count:parts]) for part in range(parts))
            if all(groups) and passages.together(store, groups, TOGETHER + 1) <= TOGETHER:
                return groups
    # One alone can't be looked for, but tells which of those with a rare word fit better.
    return (tuple(alone), tuple(common[:1])) if alone and common else ()


def is_the_same(question: Collection[str], prompt: Collection[str], covered: float) -> bool:
    """Whether a prompt, by its words, asked the same: it has nearly all of the question, and little else."""
    return covered >= SAME and len(set(prompt) & set(question)) >= OF_IT * len(prompt) > 0


def by_words(store: Store, asked: Asked, projects: Sequence[str], limit: int) -> dict[int, float]:
    """The passages that have its words, with how well they fit."""
    if asked.alone or asked.together:
        hits = passages.best(store, asked.alone, projects, limit, asked.together)
    else:
        hits = passages.newest(store, asked.least, projects, limit, TOGETHER) if asked.least else []
    return {hit.row: hit.bm25 for hit in hits}
