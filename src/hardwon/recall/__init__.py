"""From a question to the few memories worth saying, or to silence.

candidates → rank → gate → budget. Everything after the candidates is pure, with `now` passed in.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.memory import Status
from hardwon.recall.budget import Item, fit
from hardwon.recall.candidates import Found, Question, flat, gather
from hardwon.recall.gate import passes
from hardwon.recall.rank import Candidate, Ranked, rank
from hardwon.store.connection import Store

__all__ = ["Candidate", "Item", "Question", "Ranked", "Recollection", "recall"]


@dataclass(frozen=True, slots=True)
class Recollection:
    items: list[Item]
    held_back: list[Ranked]
    """Ranked, but below the gate: what silence was kept about."""
    found: Found

    @property
    def silent(self) -> bool:
        return not self.items


def recall(store: Store, question: Question, now: int, *, limit: int, budget: int) -> Recollection:
    settings = store.settings.recall
    if question.skill and not question.text.strip() and not question.anchors:
        found = flat(store, question, limit)
    else:
        found = gather(store, question, settings.max_postings)
    ranked = rank(found.candidates, now, settings.half_life_days)
    spoken = [one for one in ranked if passes(one.candidate, settings.min_coverage)]
    held_back = [one for one in ranked if not passes(one.candidate, settings.min_coverage)]
    return Recollection(fit(_current(spoken), limit, budget), held_back, found)


def _current(ranked: list[Ranked]) -> list[Ranked]:
    """Without memories whose replacement is said anyway."""
    said = {one.memory.id for one in ranked if one.memory.status is not Status.SUPERSEDED}
    successors = {one.memory.id: one.memory.superseded_by for one in ranked}
    return [one for one in ranked if not _is_replaced(one, successors, said)]


def _is_replaced(one: Ranked, successors: dict[str, str | None], said: set[str]) -> bool:
    id, steps = one.memory.superseded_by, 0
    while id and steps <= len(successors):
        if id in said:
            return True
        id, steps = successors.get(id), steps + 1
    return False
