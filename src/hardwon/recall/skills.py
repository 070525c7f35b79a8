"""The lessons of a skill, best first: by what it is wanted for when that is known, else by use and recency.

A cascade of rungs; the first that finds something answers, and says which it was:

- vectors: lessons that mean what is intended (when there is a model for it);
- words: lessons with the telling words of what is intended, or of the prompt before it;
- flat: lessons by use and recency.

A score is a blend, weighted by the skill's own frontmatter, times what speaks against a lesson:

    (relevance × weight + recency × weight + hits × weight) / sum of the weights × trust × place × doubt

Every rung is bounded: a skill with a hundred thousand lessons is asked as fast as one with a hundred.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from hardwon.memory import GLOBAL, Anchor, Status, Trust
from hardwon.recall import candidates
from hardwon.recall.budget import Item, fit
from hardwon.recall.candidates import Found, Question
from hardwon.recall.embedding.ready import READY
from hardwon.recall.gate import passes
from hardwon.recall.held_back import HeldBack, lacking
from hardwon.recall.rank import DAY, ELSEWHERE, TRUST, Candidate, Ranked, relevance
from hardwon.store import memories
from hardwon.store.connection import Store
from hardwon.store.memories import Lesson
from hardwon.understand.frontmatter import UNTUNED, SkillTuning, Weights

TOKENS = 2_000
EXPLORING = 5
"""Lessons when a skill's file is only read."""
FEW = 50
"""So many lessons of a skill are read and asked one by one; more are searched by the index."""
PRINCIPLES = 5
PRINCIPLE_TOKENS = 300
_HALF = 3.0
"""Hits that count half of what many hits count."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which skill, what for, and where."""

    skill: str
    projects: tuple[str, ...]
    intent: str = ""
    prompt: str = ""
    """What the person asked last: a weaker sign of what the skill is wanted for."""
    anchors: tuple[Anchor, ...] = ()
    until: float = math.inf
    """As a question has it."""


@dataclass(frozen=True, slots=True)
class Lessons:
    rung: str
    """vectors, words, flat, or nothing."""
    items: list[Item] = field(default_factory=list)
    held_back: list[HeldBack] = field(default_factory=list)
    """Below the gate or the skill's own bound."""
    found: Found | None = None


def lessons(
    store: Store,
    wanted: Wanted,
    now: int,
    tuning: SkillTuning = UNTUNED,
    *,
    limit: int | None = None,
    budget: int = TOKENS,
) -> Lessons:
    """At most `limit` (else as many as the frontmatter or the settings say), within `budget` tokens."""
    most = _most(store, tuning) if limit is None else limit
    if most <= 0:
        return Lessons("nothing")
    for rung in (_by_vectors, _by_words):
        answer = rung(store, wanted, now, tuning, most, budget)
        if answer is not None:
            return answer
    items = fit(_by_use(store, wanted, now, tuning.weights, most), most, budget)
    return Lessons("flat" if items else "nothing", items)


def _most(store: Store, tuning: SkillTuning) -> int:
    return store.settings.recall.skill_top if tuning.top is None else tuning.top


def _question(wanted: Wanted, text: str) -> Question:
    return Question(text, wanted.projects, wanted.skill, wanted.anchors if text else (), wanted.until)


def _by_vectors(store: Store, wanted: Wanted, now: int, tuning: SkillTuning, most: int, budget: int) -> Lessons | None:
    """None when there is no model, nothing to ask, or no lesson with a vector that answers."""
    text = wanted.intent.strip() or wanted.prompt.strip()
    if not text or READY.model(store.settings.vectors) is None:
        return None
    found = candidates.gather(store, _question(wanted, text), store.settings.recall.max_postings)
    if all(one.cosine is None for one in found.candidates):
        return None
    return _fitting("vectors", store, wanted, found, now, tuning, most, budget)


def _by_words(store: Store, wanted: Wanted, now: int, tuning: SkillTuning, most: int, budget: int) -> Lessons | None:
    """None when there is nothing to ask, or nothing answers."""
    text = wanted.intent.strip() or wanted.prompt.strip()
    if not text:
        return None
    found = _asked(store, _question(wanted, text), store.settings.recall.max_postings)
    return _fitting("words", store, wanted, found, now, tuning, most, budget)


def _fitting(
    rung: str, store: Store, wanted: Wanted, found: Found, now: int, tuning: SkillTuning, most: int, budget: int
) -> Lessons | None:
    settings = store.settings.recall
    current = [one for one in found.candidates if one.memory.status is Status.ACTIVE]
    ranked = ranking(current, tuning.weights, now, settings.half_life_days, asked=True)
    fitting = [one for one in ranked if passes(one.candidate, settings.min_coverage) and one.score >= tuning.min_score]
    if not fitting:
        return None
    ids = {one.memory.id for one in fitting}
    if not wanted.intent.strip():  # the prompt may be about something else: the others are not left out
        fitting += [one for one in _by_use(store, wanted, now, tuning.weights, most) if one.memory.id not in ids]
    others = [one for one in ranked if one.memory.id not in ids]
    held_back = [HeldBack(one.candidate, _reason(one, settings.min_coverage, tuning)) for one in others]
    return Lessons(rung, fit(fitting, most, budget), held_back, found)


def _reason(one: Ranked, min_coverage: float, tuning: SkillTuning) -> str:
    if not passes(one.candidate, min_coverage):
        return lacking(one.candidate, min_coverage)
    return f"scores {one.score:.2f} (needs {tuning.min_score:.2f}, the skill's own bound)"


def _by_use(store: Store, wanted: Wanted, now: int, weights: Weights, most: int) -> list[Ranked]:
    half_life = store.settings.recall.half_life_days
    found = memories.lessons(store, wanted.skill, wanted.projects, most + candidates.SPARE)
    best = _best(found, most, weights, now, half_life)
    return ranking(candidates.loaded(store, best), weights, now, half_life, asked=False)


def _asked(store: Store, question: Question, most_postings: int) -> Found:
    skill = question.skill or ""
    if memories.has_more_lessons(store, skill, question.projects, FEW):
        return candidates.gather(store, question, most_postings)
    return candidates.among(store, question, memories.lessons(store, skill, question.projects, FEW))


def principles(store: Store, now: int) -> list[Item]:
    """Lessons that hold everywhere, whatever the skill; the most used and newest of them."""
    half_life, weights = store.settings.recall.half_life_days, UNTUNED.weights
    best = _best(memories.principles(store, 6 * PRINCIPLES), PRINCIPLES, weights, now, half_life)
    ranked = ranking(candidates.loaded(store, best), weights, now, half_life, asked=False)
    return fit(ranked, PRINCIPLES, PRINCIPLE_TOKENS)


def ranking(
    found: Sequence[Candidate], weights: Weights, now: int, half_life_days: float, *, asked: bool
) -> list[Ranked]:
    """Best first. Where nothing was asked, relevance has no say."""
    scored = [_scored(candidate, weights, now, half_life_days, asked) for candidate in found]
    return sorted(scored, key=lambda one: (-one.score, -one.memory.updated_at, one.memory.id))


def _best(found: Sequence[Lesson], most: int, weights: Weights, now: int, half_life_days: float) -> list[Lesson]:
    """The same order where nothing was asked, before their texts are read."""

    def score(one: Lesson) -> float:
        recency = _recency(one.updated_at, bool(one.pinned), now, half_life_days)
        against = math.prod(_against(Trust(one.trust), one.project, bool(one.doubted)))
        return _blend(weights, 0.0, recency, _use(one.hits), asked=False) * against

    return heapq.nlargest(most, found, key=lambda one: (score(one), one.updated_at))


def _scored(candidate: Candidate, weights: Weights, now: int, half_life_days: float, asked: bool) -> Ranked:
    memory = candidate.memory
    fit, use = relevance(candidate), _use(candidate.hits)
    recency = _recency(memory.updated_at, memory.pinned, now, half_life_days)
    trust, place, doubt = _against(memory.trust, memory.scope.project, bool(memory.complaints))
    factors = {"recency": recency, "hits": use, "trust": trust, "place": place, "doubt": doubt}
    score = _blend(weights, fit, recency, use, asked=asked) * trust * place * doubt
    return Ranked(candidate, score, {"relevance": fit} | factors if asked else factors)


def _blend(weights: Weights, fit: float, recency: float, use: float, *, asked: bool) -> float:
    relevance = weights.relevance if asked else 0.0
    total = relevance + weights.recency + weights.hits
    return (relevance * fit + weights.recency * recency + weights.hits * use) / total if total else 1.0


def _recency(updated_at: int, pinned: bool, now: int, half_life_days: float) -> float:
    """1.0 when new or pinned, half of it after the half-life."""
    return 1.0 if pinned else math.exp2(-max(0, now - updated_at) / DAY / half_life_days)


def _use(hits: int) -> float:
    return hits / (hits + _HALF)


def _against(trust: Trust, project: str, doubted: bool) -> tuple[float, float, float]:
    return TRUST[trust], ELSEWHERE if project == GLOBAL else 1.0, 0.5 if doubted else 1.0
