"""Tokens: how many a text takes, and how much fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memories.search.rank import Ranked
from hardwon.redact import DEFAULT

_CJK = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"

SMALLEST = 24
"""Fewer tokens than this of a memory say nothing."""


def tokens(text: str) -> int:
    """Characters / 4; Chinese, Japanese and Korean one by one."""
    wide = 0 if text.isascii() else len(re.findall(_CJK, text))
    return wide + (len(text) - wide + 3) // 4


@dataclass(frozen=True, slots=True)
class Item:
    """A memory as it will be said: whole, or its beginning."""

    ranked: Ranked
    body: str
    tokens: int

    @property
    def clipped(self) -> bool:
        return self.body != self.ranked.memory.body


def fit(ranked: Sequence[Ranked], limit: int, budget: int) -> list[Item]:
    """The best ones that fit, in order; one that is too long is clipped to what is left."""
    items: list[Item] = []
    left = budget
    for one in ranked:
        if len(items) == limit or left < SMALLEST:
            break
        item = _cut(one, left)
        items.append(item)
        left -= item.tokens
    return items


def _cut(ranked: Ranked, left: int) -> Item:
    body = ranked.memory.body
    title = tokens(ranked.memory.title)
    cost = title + tokens(body)
    if cost <= left:
        return Item(ranked, body, cost)
    kept = clipped(body, max(SMALLEST, left - title))
    return Item(ranked, kept, title + tokens(kept))


def clipped(text: str, room: int) -> str:
    """The beginning of a text that is too long for so many tokens; redacted first, for half a secret no rule knows."""
    kept = DEFAULT.text(text)[: room * 4]
    while tokens(kept) > room:
        kept = kept[: max(1, len(kept) * room // tokens(kept) - 1)]
    return kept.rstrip() + " […]"
