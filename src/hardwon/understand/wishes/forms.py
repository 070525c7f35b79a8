"""The form of a sentence: a pattern, and what a match says. Compiled when first needed: there are many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

STRONG, WEAK = 0.9, 0.6


@dataclass(frozen=True, slots=True)
class Form:
    """The groups `want` and `not` of the pattern are what is wanted and what is not."""

    pattern: str
    confidence: float = STRONG
    standing: bool = False
    bare: bool = False
    """It says only that something is wrong, not what is wanted."""

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return compiled(self.pattern).fullmatch(text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
