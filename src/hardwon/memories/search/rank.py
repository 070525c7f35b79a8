"""The rank of a memory: relevance × recency × strength × trust × status × place × intent, in one pure function.

Time takes a seventh at most: what failed once does not become untrue by waiting, and between two memories that fit, the
better fit counts more than the newer date (`bench/quality.py` shows what more costs). A replaced memory
never stands before the one that replaced it, whatever the factors say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardwon import kinds
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Kind, LinkKind, Memory, Status, Trust

DAY = 86_400_000

# How much it says that a memory carries an anchor the question names.
ANCHOR = {
    AnchorKind.FILE: 1.0,
    AnchorKind.COMMAND: 1.0,
    AnchorKind.ERROR: 1.0,
    AnchorKind.SYMBOL: 0.5,
    AnchorKind.PACKAGE: 0.5,
    AnchorKind.TOPIC: 0.5,
    AnchorKind.DIRECTORY: 0.4,
}
TRUST = {Trust.USER: 1.0, Trust.VERIFIED: 1.0, Trust.AGENT: 0.97, Trust.UNTRUSTED: 0.5}
ANCHORED = 0.6
"""The share of relevance that an exact anchor gives; the words decide among those that have it."""
_MEANT = 0.5
"""The share of meaning beside that of words."""
_OLDEST = 0.85
"""What is left of a very old memory's score."""
# Candidates, archived memories and those that were called wrong are not brought back at all.
_STATUS = {Status.ACTIVE: 1.0, Status.RESOLVED: 0.5, Status.SUPERSEDED: 0.25}
ELSEWHERE = 0.97
"""A memory that holds everywhere yields to one of this project."""


@dataclass(frozen=True, slots=True)
class Candidate:
    memory: Memory
    coverage: float = 0.0
    """Share of the question's word weight that the memory covers."""
    lexical: float = 0.0
    """BM25, 1.0 for the best of this question."""
    anchors: tuple[Anchor, ...] = ()
    """Anchors that the question names and the memory carries."""
    words: tuple[str, ...] = ()
    shared: float = 0.0
    """How rare the words are that it shares with the question, together: one that no other memory has counts 1."""
    size: int = 0
    """Its own words, each once; 0 where their number does not matter."""
    headed: bool = True
    """A word that it shares stands where it says what it is about, in its title or its intent."""
    hits: int = 0
    cosine: float | None = None
    """How near its meaning is to the question's; None without vectors."""
    shown: int = 0
    helped: int = 0
    ignored: int = 0
    """What came of its showings."""


@dataclass(frozen=True, slots=True)
class Ranked:
    candidate: Candidate
    score: float
    factors: Mapping[str, float] = field(default_factory=dict)
    before: tuple[Memory, ...] = ()
    """What it took the place of, the latest first."""

    @property
    def memory(self) -> Memory:
        return self.candidate.memory


def rank(
    candidates: Sequence[Candidate], now: int, half_life_days: float, liked: Mapping[Kind, float] | None = None
) -> list[Ranked]:
    """Best first. `liked` has the kinds that the question is after, with a factor."""
    scored = {c.memory.id: _scored(c, now, half_life_days, liked) for c in candidates if c.memory.status in _STATUS}
    replaced_by = _replacements(scored)
    ordered = [_below_replacement(ranked, scored, replaced_by) for ranked in scored.values()]
    return sorted(ordered, key=lambda ranked: (-ranked.score, -ranked.memory.updated_at, ranked.memory.id))


def _scored(candidate: Candidate, now: int, half_life_days: float, liked: Mapping[Kind, float] | None) -> Ranked:
    factors = {
        "relevance": relevance(candidate),
        "recency": recency(candidate.memory, now, half_life_days * kinds.of(candidate.memory.kind).half_life),
        "strength": strength(candidate),
        "trust": TRUST[candidate.memory.trust],
        "status": _STATUS[candidate.memory.status],
        "place": ELSEWHERE if candidate.memory.scope.project == GLOBAL else 1.0,
    }
    if liked:
        factors["intent"] = liked.get(candidate.memory.kind, 1.0)
    return Ranked(candidate, math.prod(factors.values()), factors)


def relevance(candidate: Candidate) -> float:
    """Anchors, words and meaning each speak for it; either alone can be enough."""
    anchored = max((ANCHOR[anchor.kind] for anchor in candidate.anchors), default=0.0)
    worded = 0.7 * candidate.coverage + 0.3 * candidate.lexical
    if candidate.cosine is not None:
        worded = (1 - _MEANT) * worded + _MEANT * max(0.0, candidate.cosine)
    return 1 - (1 - ANCHORED * anchored) * (1 - worded)


def recency(memory: Memory, now: int, half_life_days: float) -> float:
    """1.0 when new or pinned, falling towards `_OLDEST`."""
    if memory.pinned:
        return 1.0
    days = max(0, now - memory.updated_at) / DAY
    return _OLDEST + (1 - _OLDEST) * math.exp2(-days / half_life_days)


def strength(candidate: Candidate) -> float:
    """What was learned again and again is likely to matter, and what has helped; less so what was ignored again and
    again, or called wrong."""
    learned = 1 + min(0.5, 0.1 * math.log2(1 + candidate.hits))
    helped = 1 + min(_MOST_HELPED, 0.05 * math.log2(1 + candidate.helped))
    # Once is no sign: there are other reasons not to follow it.
    ignored = max(_LEAST_IGNORED, 0.9 ** max(0, candidate.ignored - candidate.helped - 1))
    return learned * helped * ignored * (0.5 if candidate.memory.complaints else 1.0)


_MOST_HELPED = 0.2
_LEAST_IGNORED = 0.6


def _replacements(scored: Mapping[str, Ranked]) -> dict[str, str]:
    """From a replaced memory to what replaced it, where both are here."""
    found = {}
    for id, ranked in scored.items():
        if ranked.memory.superseded_by in scored:
            found[id] = str(ranked.memory.superseded_by)
        for link in ranked.memory.links:
            if link.kind in (LinkKind.SUPERSEDES, LinkKind.FIXES) and link.target in scored:
                found.setdefault(link.target, id)
    return found


def _below_replacement(ranked: Ranked, scored: Mapping[str, Ranked], replaced_by: Mapping[str, str]) -> Ranked:
    """Cap the score just under that of every memory further along the line of replacements."""
    score, id, steps = ranked.score, ranked.memory.id, 0
    while id in replaced_by and steps < len(scored):
        id, steps = replaced_by[id], steps + 1
        if _is_replaced(ranked.memory):
            score = min(score, scored[id].score * 0.99**steps)
    return Ranked(ranked.candidate, score, ranked.factors)


def _is_replaced(memory: Memory) -> bool:
    return memory.status in (Status.SUPERSEDED, Status.RESOLVED)
