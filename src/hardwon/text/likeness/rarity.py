"""How rare a word is in what tools print: what everybody's tools say, and what this home has seen itself.

A new home holds three failures and knows no frequencies; the table that comes along says how common words are
elsewhere (`bench/fit/common_output.py`). A word is as common as the one or the other says: a name that stands in every
failure of a home says little there, however rare it is in the world.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("common.txt")
STEP = 1.5
"""The table's levels are steps of this factor."""
_BELIEVED = 30.0
"""So many failures of its own it takes to say that a word is common."""
RAREST = 10.0
"""What a word weighs that nobody has seen (the natural logarithm of one in so many)."""


@cache
def _levels() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for line in TABLE.read_text("utf-8").splitlines():
        level, _, words = line.partition(" ")
        found |= dict.fromkeys(words.split(" "), int(level))
    return found


@dataclass(frozen=True, slots=True)
class Rarity:
    """What a word weighs: 0 where it stands in every output, RAREST where in none."""

    seen: Mapping[str, int] = field(default_factory=dict)
    """In how many of the home's own failures."""
    total: int = 0

    def of(self, word: str) -> float:
        level = _levels().get(word)
        elsewhere = math.exp(-RAREST) if level is None else max(STEP**-level, math.exp(-RAREST))
        # The failure that it is compared with has the word, too: that one time is no news.
        here = max(0, self.seen.get(word, 0) - 1) / (max(0, self.total - 1) + _BELIEVED)
        return -math.log(max(elsewhere, here))
