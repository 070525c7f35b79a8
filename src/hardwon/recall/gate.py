"""Speak or stay silent, by quantities that mean the same for every question.

A normalised score says which memory is best, not whether it is any good: the best of a hundred unrelated memories has
the score 1. The share of the question's word weight that a memory covers, the plain cosine, and an anchor that both
name do say it. `docs/benchmarks.md` has the curve that the bounds were taken from.
"""

from __future__ import annotations

from hardwon.memory import AnchorKind
from hardwon.recall.embedding.model import is_mostly_cjk
from hardwon.recall.rank import Candidate

# Not a symbol: `ValueError` stands in every other traceback.
CERTAIN = frozenset({AnchorKind.FILE, AnchorKind.COMMAND, AnchorKind.ERROR})
ALIKE = 0.50
"""A cosine that is enough without a word in common."""
UNLIKE = 0.40
"""A cosine below which words that are shared say little."""
PLAINLY = 0.6
"""A coverage that counts whatever the meaning."""
BY_ONE_WORD = 1.45
"""So many times as much as several words must one word cover alone, which is about half: of "gleam test" the one that
is known weighs less."""


PAIRS = 0.5
"""Of the coverage, where a question is written without blanks: about every second pair of characters stands across two
words, and no other text has it."""


def coverage(text: str, least: float) -> float:
    """The coverage that is asked for of this question."""
    return least if text.isascii() or not is_mostly_cjk(text) else PAIRS * least


def likeness(min_coverage: float, usual: float) -> float:
    """The cosine that is asked for: where more words are than usual, more likeness is, too."""
    return min(1.0, ALIKE * min_coverage / usual) if usual else 0.0


def unlike(min_cosine: float = ALIKE) -> float:
    """The cosine below which words have to say nearly all."""
    return min(UNLIKE, min_cosine)


def needed(candidate: Candidate, min_coverage: float, min_cosine: float = ALIKE) -> float:
    """The coverage with which this one is said for its words."""
    plainly = max(PLAINLY, min_coverage)
    if candidate.cosine is not None and candidate.cosine < unlike(min_cosine):
        return plainly
    return min(plainly, BY_ONE_WORD * min_coverage) if len(candidate.words) == 1 else min_coverage


def passes(candidate: Candidate, min_coverage: float, min_cosine: float = ALIKE) -> bool:
    if any(anchor.kind in CERTAIN for anchor in candidate.anchors):
        return True
    if candidate.cosine is not None and candidate.cosine >= min_cosine:
        return True
    return candidate.coverage >= needed(candidate, min_coverage, min_cosine)
