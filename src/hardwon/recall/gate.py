"""Speak or stay silent, by quantities that mean the same for every question.

A normalised score says which memory is best, not whether it is any good: the best of a hundred unrelated memories has
the score 1. The share of the question's word weight that a memory covers, and an anchor that both name, do say it.
"""

from __future__ import annotations

from hardwon.memory import AnchorKind
from hardwon.recall.rank import Candidate

# Not a symbol: `ValueError` stands in every other traceback.
_CERTAIN = frozenset({AnchorKind.FILE, AnchorKind.COMMAND, AnchorKind.ERROR})


def passes(candidate: Candidate, min_coverage: float) -> bool:
    if any(anchor.kind in _CERTAIN for anchor in candidate.anchors):
        return True
    return candidate.coverage >= min_coverage
