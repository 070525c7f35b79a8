"""From a question to the few memories worth saying, or to silence.

plan → candidates → rank → gate → lines → budget. All but the candidates and the lines is pure, with `now` passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardwon.memories.memory_lines import current
from hardwon.memories.search import gate
from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.candidates import Found, Question, flat, gather
from hardwon.memories.search.gate import ASKED, Bounds, passes
from hardwon.memories.search.held_back import HeldBack, held_back
from hardwon.memories.search.rank import Candidate, Ranked, rank
from hardwon.memory import Kind, Status
from hardwon.store.connection import Store
from hardwon.text.speech import discourse

__all__ = ["Candidate", "HeldBack", "Item", "Question", "Ranked", "Recollection", "recall"]


@dataclass(frozen=True, slots=True)
class Recollection:
    items: list[Item]
    found: Found
    held_back: list[HeldBack]
    """What silence was kept about; looked for only where it is asked for."""

    @property
    def silent(self) -> bool:
        return not self.items


def recall(
    store: Store,
    question: Question,
    now: int,
    *,
    limit: int,
    budget: int,
    explain: bool = False,
    liked: Mapping[Kind, float] | None = None,
    min_coverage: float | None = None,
    bounds: Bounds = ASKED,
) -> Recollection:
    """`liked` are the kinds that a plan wants a little more. `min_coverage` is the settings' unless said otherwise;
    `bounds` are the gate's others.

    To explain a silence, what it was kept about is looked for in a second go, which changes nothing of what is said.
    """
    settings = store.settings.recall
    least = settings.min_coverage if min_coverage is None else min_coverage
    alike = gate.likeness(least, settings.min_coverage, bounds)
    least = gate.coverage(question.text, least)
    if question.skill and not question.text.strip() and not question.anchors:
        found = flat(store, question, limit)
    else:
        found = gather(store, question, settings.max_postings, least, alike)
    ranked = rank(found.candidates, now, settings.half_life_days, liked)
    spoken = [one for one in ranked if passes(one.candidate, least, alike, bounds)]
    past = discourse.asks_what_was(question.text) and discourse.is_question(question.text)
    items = fit(current(store, _without_replaced(spoken), past=past), limit, budget)
    if not explain:
        return Recollection(items, found, [])
    found = gather(store, question, settings.max_postings)
    said = {item.ranked.memory.id for item in items}
    rest = [one for one in found.candidates if one.memory.id not in said]
    return Recollection(items, found, held_back(rest, least, alike))


def _without_replaced(ranked: list[Ranked]) -> list[Ranked]:
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
