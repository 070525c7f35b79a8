"""A mark of a text that stays near when the text changes a little: 64 bits over its words (simhash).

A lesson keeps the mark of the skill that it was learned with. When the skill's text is another one by now, the lesson
is said with that remark. The mark gives nothing of the text away.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from typing import Any

BITS = 64
FAR = 16
"""So many differing bits mean another text: small edits stay below, rewrites are above (`test_mark.py`)."""
MOST_WORDS = 30_000

# Nothing is compiled or counted at the import: every command imports this, few need a mark.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = f"[{_CJK}]|[^\\W_{_CJK}]+"
"""Chinese, Japanese and Korean have no blanks: there each sign is a word."""
_LANE = 16
"""Bits of each counter; `MOST_WORDS` fit."""


@cache
def _spread() -> list[int]:
    """Each bit of a byte as a number of its own, so that one addition counts all of them."""
    return [sum((byte >> bit & 1) << (bit * _LANE) for bit in range(8)) for byte in range(256)]


def mark(text: str) -> str:
    """Sixteen hexadecimal digits; empty for a text without words."""
    from hashlib import blake2b

    words = re.findall(_WORD, text.casefold())[:MOST_WORDS]
    if not words:
        return ""
    # Pairs of words: single ones are shared by any two texts about the same thing.
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(words)] or words
    counts, spread = [0] * (BITS // 8), _spread()
    for pair in pairs:
        for place, byte in enumerate(blake2b(pair.encode(), digest_size=BITS // 8).digest()):
            counts[place] += spread[byte]
    half, lane = len(pairs) / 2, (1 << _LANE) - 1
    ones = [count >> (bit * _LANE) & lane for count in counts for bit in range(8)]
    return f"{sum((count > half) << bit for bit, count in enumerate(ones)):016x}"


def distance(one: str, other: str) -> int:
    """How many bits of two marks differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def is_another(one: str, other: str) -> bool:
    """Whether two marks are of texts that differ much; never when one is not known."""
    return bool(one and other) and distance(one, other) >= FAR


def checked(value: Any) -> str:
    """A mark as it comes from a record of any home; what is none is as good as not known."""
    return value if isinstance(value, str) and re.fullmatch("[0-9a-f]{16}", value) else ""
