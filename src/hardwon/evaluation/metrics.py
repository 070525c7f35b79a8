"""From a ranked list to figures. R is the share of the right documents that are found, hit whether any is."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from hardwon.evaluation.corpus import Asked

SESSION = "session "
"""How the name of a figure begins that counts sessions instead of documents."""
EXCHANGE = "exchange "
"""How the name of a figure begins that counts exchanges: a prompt and what was answered, as a search shows them."""
BEFORE = "before"
"""Whether a right document stands before all outdated ones."""


def figure(
    name: str,
    asked: Asked,
    ranked: Sequence[str],
    sessions: dict[str, str],
    exchanges: dict[str, str] | None = None,
) -> float | None:
    """One figure of one question: R@5, hit@1, MRR, nDCG@10, `before`; None where the data says nothing about
    it."""
    gold, outdated = asked.gold, asked.outdated
    if name.startswith(SESSION):
        gold = asked.sessions or frozenset(sessions[id] for id in gold)
        outdated = frozenset(sessions[id] for id in outdated)
        ranked = list(dict.fromkeys(sessions[id] for id in ranked))
        name = name.removeprefix(SESSION)
    elif name.startswith(EXCHANGE):
        of = exchanges or {}
        gold, outdated = (frozenset(of.get(id, id) for id in ids) for ids in (gold, outdated))
        ranked = list(dict.fromkeys(of.get(id, id) for id in ranked))
        name = name.removeprefix(EXCHANGE)
    if not gold:
        return None
    if name == BEFORE:
        return before(ranked, gold, outdated)
    if name == "MRR":
        return reciprocal_rank(ranked, gold)
    kind, _, depth = name.partition("@")
    return {"R": found, "hit": hit, "nDCG": ndcg}[kind](ranked, gold, int(depth))


def found(ranked: Sequence[str], gold: Set[str], depth: int) -> float:
    return len(gold & set(ranked[:depth])) / len(gold)


def hit(ranked: Sequence[str], gold: Set[str], depth: int) -> float:
    return float(not gold.isdisjoint(ranked[:depth]))


def reciprocal_rank(ranked: Sequence[str], gold: Set[str]) -> float:
    return next((1 / place for place, id in enumerate(ranked, 1) if id in gold), 0.0)


def ndcg(ranked: Sequence[str], gold: Set[str], depth: int) -> float:
    """Each right document counts 1, less the further down it stands; 1 when all stand on top."""
    gained = sum(_gain(place) for place, id in enumerate(ranked[:depth]) if id in gold)
    return gained / sum(_gain(place) for place in range(min(len(gold), depth)))


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def before(ranked: Sequence[str], gold: Set[str], outdated: Set[str]) -> float:
    first = next((id for id in ranked if id in gold or id in outdated), None)
    return float(first in gold)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
