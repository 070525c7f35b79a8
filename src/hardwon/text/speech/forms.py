"""The form of a sentence: a pattern, and what a match says. There are many, and most sentences fit none.

So each form names words of which every match has one, and is only tried, and compiled, where one of them is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Generic, Protocol, TypeVar

STRONG, WEAK = 0.9, 0.6


@dataclass(frozen=True, slots=True)
class Form:
    """The groups `want` and `not` of the pattern are what is wanted and what is not."""

    pattern: str
    confidence: float = STRONG
    standing: bool = False
    bare: bool = False
    """It says only that something is wrong, not what is wanted."""
    has: str = ""
    """Words in lower case, with `|` between them, of which every match has one; empty: try it always."""

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return compiled(self.pattern).fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        return compiled(self.pattern).search(text)


class HasWords(Protocol):
    @property
    def has(self) -> str: ...


F = TypeVar("F", bound=HasWords)


class Forms(Generic[F]):
    """Some of them, in the order in which they are tried."""

    def __init__(self, *forms: F) -> None:
        self.all = forms
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, form in enumerate(forms):
            for word in form.has.split("|"):
                self._places[word].append(place)

    def for_sentence(self, text: str) -> Iterator[F]:
        """Those that this may fit."""
        folded = fold(text)
        places = {place for word, some in self._places.items() if word in folded for place in some}
        return (self.all[place] for place in sorted(places))


# What a pattern that ignores case takes for i, s and k beside these.
_ALIKE = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


@lru_cache(maxsize=4)  # the same sentence is asked about by all sorts of forms
def fold(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_ALIKE).lower()


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
