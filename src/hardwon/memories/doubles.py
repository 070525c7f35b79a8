"""Lessons that say nearly the same in other words, found by their vectors when these are made.

The later one is linked to the earlier one, which counts once more. Both keep their texts, and of the two a loading
skill is told one. A cosine knows neither "not" nor a number, and hardly the name of a thing: so what tells has to be
the same in both, and so have their anchors. What was linked once is not counted again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.memories.search import vectors
from hardwon.memory import Kind, LinkKind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text.skills import wordings

SAME = 0.90
"""The cosine from which on two lessons of one place are taken for doubles."""
NEAR = 8
LONGEST = 1_000


def link_doubles(store: Store, model: str, rows: Sequence[int], now: int) -> int:
    """How many were linked."""
    found = [one for one in memories.by_rows(store, rows).values() if _is_lesson(one)] if rows else []
    linked = 0
    for memory in sorted(found, key=_age):
        near = vectors.like(store, model, memory.id, memory.scope.project, NEAR)
        alike = memories.by_rows(store, [row for row, cosine in near.items() if cosine >= SAME])
        others = sorted((one for one in alike.values() if are_doubles(memory, one)), key=_age)
        if others and _link(store, memory, others[0], now):
            linked += 1
    return linked


def _link(store: Store, one: Memory, other: Memory, now: int) -> bool:
    earlier, later = sorted(memories.by_ids(store, [one.id, other.id]).values(), key=_age)  # it may just have changed
    first = leader(earlier)
    if leader(later) != later.id or first == later.id:
        return False
    with store.transaction():
        changes.link(store, later.id, LinkKind.SAME_AS, first, now)
        changes.hit(store, first)
        memories.apply(store, first)
    return True


def are_doubles(one: Memory, other: Memory) -> bool:
    """Of one place, about the same things, with the same of what tells."""
    if one.id == other.id or not _is_lesson(other) or one.scope != other.scope:
        return False
    if set(one.anchors) != set(other.anchors) or (one.because, one.rejected) != (other.because, other.rejected):
        return False
    if _ORDERED.search(one.body) or _ORDERED.search(other.body):  # the same words turned round have the same cosine
        return False
    return _telling(one.body) == _telling(other.body)


def _telling(text: str) -> list[str]:
    """Numbers, paths, flags, names, negations, and whatever else may turn a sentence round."""
    return sorted(piece.key for piece in wordings.pieces(text) if piece.tells and piece.key not in _JOINTS)


_JOINTS = frozenset(
    [
        "to",
        "from",
        "into",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "through",
        "via",
        "as",
        "and",
        "must",
        "may",
        "can",
        "will",
        "while",
        "when",
    ]
)
"""The same is said with other ones of these."""
_ORDERED = re.compile(r"(?i)\b(?:first|then|before|after|until|than|instead|rather|last|next|previous|unless)\b")


def _is_lesson(one: Memory) -> bool:
    is_told = one.kind is Kind.LESSON and one.status is Status.ACTIVE and one.trust is not Trust.UNTRUSTED
    return is_told and len(one.body) <= LONGEST


def _age(one: Memory) -> tuple[int, str]:
    return one.created_at, one.id


def leader(memory: Memory) -> str:
    """The lesson that it says once more; its own id where there is none."""
    return next((link.target for link in memory.links if link.kind is LinkKind.SAME_AS), memory.id)
