"""What fits a prompt: a plan for it, the one recall, what may be said unasked, and what belongs to that."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardwon import kinds
from hardwon.memories import Item, Question, acts, chains, decisions, likeness, memory_lines, recall
from hardwon.memories.chains import Step
from hardwon.memories.moments import fixes_of
from hardwon.memories.search import quiet
from hardwon.memories.search.budget import fit
from hardwon.memories.search.gate import UNASKED
from hardwon.memories.search.plan import Plan, Policy, plan, policy
from hardwon.memories.search.rank import Ranked
from hardwon.memory import GLOBAL, IN_VAIN, Anchor, AnchorKind, Kind, Trust
from hardwon.store.connection import Store
from hardwon.text import errors
from hardwon.text.likeness import At, trouble

KINDS = kinds.having("prompt")
PLAINLY = 0.7
"""Share of the question's word weight."""
PROVEN = (Trust.VERIFIED, Trust.USER)
BY_CHANCE = 3
"""Fewer words than this can be all of a prompt ("commit this"), and say nothing of what a command once did."""
CHAIN_SHARE = 3
"""One part in so many of the tokens, at most, is for what belongs to the memories that fit."""


@dataclass(frozen=True, slots=True)
class Fitting:
    items: list[Item] = field(default_factory=list)
    chains: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    """By the id of the memory that is said."""


def fitting(
    store: Store,
    text: str,
    project: str,
    anchors: tuple[Anchor, ...],
    now: int,
    session: str = "",
    until: float = math.inf,
) -> Fitting:
    """`session` is the one that the prompt was typed in: its own tasks are no news to it."""
    planned = plan(text, anchors)
    may = policy(planned.risk, store.settings.recall)
    question = Question(text, (project, GLOBAL), None, planned.pivots, until)
    room = store.settings.recall.budget_tokens * 3
    found = recall(
        store,
        question,
        now,
        limit=may.candidates,
        budget=room,
        liked=planned.liked,
        min_coverage=may.min_coverage,
        bounds=UNASKED,
    )
    fits = [item.ranked for item in found.items if _may_stand_alone(item.ranked, session)]
    unspoken = quiet.unspoken(store, [one.memory for one in fits], prompt=True)
    against = [item.ranked for item in decisions.against(store, text, project, now)]
    spoken = [item.ranked for item in acts.named(store, text, project, now)]
    against += [one for one in spoken if one.memory.id not in {other.memory.id for other in against}]
    turned_down = memory_lines.current(store, against)  # perhaps it was decided otherwise since
    ids = unspoken | {one.memory.id for one in turned_down}
    fits = likeness.merged(store, [one for one in fits if one.memory.id not in ids], project, now)
    fits = [one for one in fits if not _is_unmended(store, one)]
    pasted = _pasted(store, planned, text, project, now)
    known = {one.memory.id for one in pasted}
    return _within(store, [*turned_down, *pasted, *(one for one in fits if one.memory.id not in known)], may)


def _pasted(store: Store, planned: Plan, text: str, project: str, now: int) -> list[Ranked]:
    """The failure that an error in the prompt is, however much stands around it."""
    if not any(anchor.kind is AnchorKind.ERROR for anchor in planned.pivots) or not errors.recognised(text):
        return []
    found = likeness.best(likeness.look_up(store, trouble("", text), project, now, At.PROMPT), hedged=False)
    return [one.known.item.ranked for one in found if one.known.fixes]


def _within(store: Store, ranked: Sequence[Ranked], may: Policy) -> Fitting:
    """As many as there is room for together with what belongs to them."""
    items = fit(ranked, may.items, may.tokens)
    if not items:
        return Fitting()
    stitched = chains.stitched(store, [item.ranked.memory for item in items], may.tokens // CHAIN_SHARE)
    steps = [step for own in stitched.values() for step in own]
    if steps:
        along = {step.memory.id for step in steps}
        alone = [item.ranked for item in items if item.ranked.memory.id not in along]
        items = fit(alone, may.items, may.tokens - sum(step.tokens for step in steps))
    return Fitting(items, stitched)


def _may_stand_alone(ranked: Ranked, session: str) -> bool:
    """A skill's lessons come with the skill. What one command did in one session must be plainly meant, by that
    command's name or in several words: it has moments of its own, right before that command and right after that
    error, where nothing has to be guessed. So must a task: it was said when the session began."""
    memory, candidate = ranked.memory, ranked.candidate
    if memory.kind not in KINDS or memory.scope.skill is not None:
        return False
    plainly = candidate.coverage >= PLAINLY
    if memory.kind is Kind.TASK:
        return plainly and not any(f":{session}:" in one for one in memory.evidence if session)
    if memory.source != "session" or memory.kind not in (Kind.FAILURE, Kind.FIX):
        return True
    if memory.kind is Kind.FIX and (memory.subtype in IN_VAIN or memory.trust not in PROVEN):
        return False
    named = {anchor.kind for anchor in candidate.anchors}
    return AnchorKind.ERROR in named or (
        plainly and (AnchorKind.COMMAND in named or len(set(candidate.words)) >= BY_CHANCE)
    )


def _is_unmended(store: Store, ranked: Ranked) -> bool:
    """A failure that a session ran into and nobody is known to have mended: who asks for something else can do nothing
    with it."""
    if ranked.memory.source != "session" or ranked.memory.kind is not Kind.FAILURE:
        return False
    return not any(one.trust in PROVEN for one in fixes_of(store, ranked.memory))
