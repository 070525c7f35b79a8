"""How far a figure could be off by the choice of the questions: the same questions, drawn again and again.

All methods are drawn alike, so that the difference of two is that of the same questions.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon.evaluation.metrics import mean

RESAMPLES = 1_000
SEED = 6
OUTSIDE = 0.025
"""On either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of these, with its 95 % interval."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    means = sorted(sum(map(values.__getitem__, draw)) / len(values) for draw in _draws(len(values)))
    outside = int(OUTSIDE * len(means))
    return Estimate(mean(values), means[outside], means[-outside - 1])


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """How much better ours are, question by question."""
    return estimate([one - other for one, other in zip(ours, theirs, strict=True)])


@lru_cache(maxsize=8)
def _draws(count: int) -> list[array[int]]:
    chance = random.Random(SEED)
    return [array("L", chance.choices(range(count), k=count)) for _ in range(RESAMPLES)]
