"""Speak or stay silent, by quantities that mean the same for every question.

A normalised score says which memory is best, not whether it is any good: the best of a hundred unrelated memories has
the score 1. The share of the question's word weight that a memory covers, the plain cosine, and an anchor that both
name do say it. `docs/benchmarks.md` has the curve that the bounds were taken from.

Two words are soon shared by chance: so they must be rare ones, or much of what the memory says, and one of them must
stand where it says what it is about, unless they are most of the question. Who asks is told a little more than who was
not asking.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.embedding.model import is_mostly_cjk
from hardwon.memories.search.rank import Candidate
from hardwon.memory import AnchorKind

# Not a symbol: `ValueError` stands in every other traceback.
CERTAIN = frozenset({AnchorKind.FILE, AnchorKind.COMMAND, AnchorKind.ERROR})
USUAL = 0.34
"""The coverage that the bounds of words go with: who asks for less of it asks for fewer words, too."""
BY_ONE_WORD = 1.45
"""So many times as much as several words must one word cover alone, which is about half: of "gleam test" the one that
is known weighs less."""
PAIRS = 0.5
"""Of the coverage, where a question is written without blanks: about every second pair of characters stands across two
words, and no other text has it."""


@dataclass(frozen=True, slots=True)
class Bounds:
    alike: float
    """A cosine that is enough without a word in common."""
    unlike: float
    """A cosine below which words that are shared say little."""
    plainly: float
    """A coverage that counts whatever the meaning."""
    mostly: float
    """A coverage that counts however common the words."""
    rare: float
    """How rare the words that are shared must be together, where one that no other memory has counts 1..."""
    part: float
    """...or so much for each word of the memory: two rare ones of some fifteen."""


ASKED = Bounds(alike=0.50, unlike=0.35, plainly=0.60, mostly=0.50, rare=1.90, part=0.120)
UNASKED = Bounds(alike=0.55, unlike=0.35, plainly=0.65, mostly=0.65, rare=2.70, part=0.145)
ALIKE = ASKED.alike


def coverage(text: str, least: float) -> float:
    """The coverage that is asked for of this question."""
    return least if text.isascii() or not is_mostly_cjk(text) else PAIRS * least


def likeness(min_coverage: float, usual: float, bounds: Bounds = ASKED) -> float:
    """The cosine that is asked for: where more words are than usual, more likeness is, too."""
    return min(1.0, bounds.alike * min_coverage / usual) if usual else 0.0


def unlike(min_cosine: float = ALIKE, bounds: Bounds = ASKED) -> float:
    """The cosine below which words have to say nearly all."""
    return min(bounds.unlike, min_cosine)


def needed(candidate: Candidate, min_coverage: float, min_cosine: float = ALIKE, bounds: Bounds = ASKED) -> float:
    """The coverage with which this one is said for its words."""
    if candidate.cosine is not None and candidate.cosine < unlike(min_cosine, bounds):
        return max(bounds.plainly, min_coverage)
    mostly = max(bounds.mostly, min_coverage)
    if candidate.shared < rare(candidate, min_coverage, bounds):
        return mostly
    if not candidate.headed:  # who asks for less coverage asks for less of this, too
        return max(min_coverage, mostly * min(1.0, min_coverage / USUAL))
    return min(mostly, BY_ONE_WORD * min_coverage) if len(candidate.words) == 1 else min_coverage


def rare(candidate: Candidate, min_coverage: float, bounds: Bounds = ASKED) -> float:
    """How rare the words that it shares have to be where they are not most of the question."""
    return min(bounds.rare, bounds.part * candidate.size) * min_coverage / USUAL


def passes(candidate: Candidate, min_coverage: float, min_cosine: float = ALIKE, bounds: Bounds = ASKED) -> bool:
    if any(anchor.kind in CERTAIN for anchor in candidate.anchors):
        return True
    if candidate.cosine is not None and candidate.cosine >= min_cosine:
        return True
    return candidate.coverage >= needed(candidate, min_coverage, min_cosine, bounds)
