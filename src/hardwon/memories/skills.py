"""The lessons of a skill, best first: by what it is wanted for when that is known, else by use and recency.

What is known of a skill is one small shelf, so nothing is left out for what it is wanted for: its lessons are only put
into order, always. How well one fits is told by comparison with the others: the same word, or the same cosine, says
much on one shelf and nothing on another. Which rung answered is said:

- vectors: by what the lessons mean, and by the telling words (where there is a model);
- words: by the telling words of what is intended, or of the prompt before it;
- flat: no lesson has one, or nothing was asked: by use and recency.

A score is a blend, weighted by the skill's own frontmatter, times what speaks against a lesson:

    (relevance × weight + recency × weight + hits × weight) / sum of the weights × trust × place × doubt

Every rung is bounded: a skill with a hundred thousand lessons is asked as fast as one with a hundred.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from hardwon.memories import legacy
from hardwon.memories.doubles import leader
from hardwon.memories.search import candidates
from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.candidates import Found, Question
from hardwon.memories.search.held_back import HeldBack
from hardwon.memories.search.rank import ANCHOR, ANCHORED, DAY, ELSEWHERE, TRUST, Candidate, Ranked
from hardwon.memory import GLOBAL, IN_VAIN, Anchor, Kind, Memory, Status, Trust, normalise
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.store.tables.memories import Lesson
from hardwon.text.skills.frontmatter import UNTUNED, SkillTuning, Weights

TOKENS = 2_000
EXPLORING = 5
"""Lessons when a skill's file is only read."""
FEW = 100
"""So many lessons of a skill are read and asked one by one; more are searched by the index."""
MEANT = 0.7
"""The share of meaning beside that of words."""
SPREAD = 0.2
"""Cosines that lie nearer together tell less: none of the lessons is much nearer than the others."""
TELLING = 0.25
"""The share of the question's words from which on the best counts as fitting whole."""
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
    files: tuple[str, ...] = ()
    """Where an earlier tool may have left lessons of this skill."""

    @property
    def text(self) -> str:
        return self.intent.strip() or self.prompt.strip()


@dataclass(frozen=True, slots=True)
class Lessons:
    rung: str
    """vectors, words, flat, or nothing."""
    items: list[Item] = field(default_factory=list)
    held_back: list[HeldBack] = field(default_factory=list)
    """Below the skill's own bound."""
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
    found = _asked(store, wanted, now, most)
    said = _each_once([one for one in found.candidates if is_lesson(one)])
    rung = _rung(said, asked=bool(wanted.text))
    half_life = store.settings.recall.half_life_days
    ranked = ranking(said, tuning.weights, now, half_life, asked=rung in ("vectors", "words"))
    least = tuning.min_score if rung in ("vectors", "words") else 0.0
    items = fit([one for one in ranked if one.score >= least], most, budget)
    reason = f"(needs {least:.2f}, the skill's own bound)"
    below = [HeldBack(one.candidate, f"scores {one.score:.2f} {reason}") for one in ranked if one.score < least]
    return Lessons(rung if ranked else "nothing", items, below, found if wanted.text else None)


def _most(store: Store, tuning: SkillTuning) -> int:
    return store.settings.recall.skill_top if tuning.top is None else tuning.top


def _rung(found: Sequence[Candidate], *, asked: bool) -> str:
    if asked and any(one.cosine is not None for one in found):
        return "vectors"
    return "words" if asked and any(one.coverage or one.anchors for one in found) else "flat"


def _asked(store: Store, wanted: Wanted, now: int, most: int) -> Found:
    """All of a few lessons, else those that fit best and those that are used most; with what other tools left."""
    text = wanted.text
    question = Question(text, wanted.projects, wanted.skill, wanted.anchors if text else (), wanted.until)
    left = [Candidate(memory, hits=hits) for memory, hits in legacy.lessons(store, wanted.skill, wanted.files)]
    usual = memories.lessons(store, wanted.skill, wanted.projects, max(FEW if text else 0, most + candidates.SPARE))
    if not text:
        half_life, weights = store.settings.recall.half_life_days, UNTUNED.weights
        best = _best(usual, most + candidates.SPARE, weights, now, half_life)
        return Found([*candidates.loaded(store, best), *left], {}, {}, (), "flat")
    near = candidates.among(store, question, usual, left)
    if not memories.has_more_lessons(store, wanted.skill, wanted.projects, FEW):
        return near
    far = candidates.gather(store, question, store.settings.recall.max_postings)
    known = {one.memory.id for one in far.candidates}
    rest = [one for one in near.candidates if one.memory.id not in known]
    return dataclasses.replace(far, candidates=[*far.candidates, *rest])


def is_lesson(one: Candidate) -> bool:
    """What is worth having before the skill is at work again: not an attempt that was no use, nor a failure that was
    seen once."""
    memory = one.memory
    if memory.status is not Status.ACTIVE or memory.kind is Kind.CHECKPOINT:
        return False
    if memory.kind is Kind.FIX:
        return memory.subtype not in IN_VAIN
    return memory.kind is not Kind.FAILURE or one.hits > 0


def _each_once(found: Sequence[Candidate]) -> list[Candidate]:
    """The same text of this project, of everywhere and of another tool's file is one lesson; so are doubles."""
    first: dict[str, Candidate] = {}
    for one in sorted(found, key=lambda one: (_is_elsewhere(one.memory), -one.hits)):
        first.setdefault(normalise(one.memory.body), one)
    there = {one.memory.id for one in first.values()}
    return [one for one in first.values() if leader(one.memory) == one.memory.id or leader(one.memory) not in there]


def _is_elsewhere(memory: Memory) -> int:
    return 2 if memory.id.startswith(legacy.SIGN) else int(memory.scope.project == GLOBAL)


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
    fits = relevance(found) if asked else [0.0] * len(found)
    scored = [
        _scored(candidate, fit, weights, now, half_life_days, asked) for candidate, fit in zip(found, fits, strict=True)
    ]
    return sorted(scored, key=lambda one: (-one.score, -one.memory.updated_at, one.memory.id))


def relevance(found: Sequence[Candidate]) -> list[float]:
    """How well each fits, beside the others."""
    cosines = [one.cosine for one in found if one.cosine is not None]
    low = min(cosines, default=0.0)
    width = max(SPREAD, max(cosines, default=0.0) - low)
    most = max(TELLING, max((_worded(one) for one in found), default=0.0))
    fits = []
    for one in found:
        worded = _worded(one) / most
        meant = worded if one.cosine is None else (1 - MEANT) * worded + MEANT * (one.cosine - low) / width
        anchored = max((ANCHOR[anchor.kind] for anchor in one.anchors), default=0.0)
        fits.append(1 - (1 - ANCHORED * anchored) * (1 - meant))
    return fits


def _worded(one: Candidate) -> float:
    return 0.7 * one.coverage + 0.3 * one.lexical


def _best(found: Sequence[Lesson], most: int, weights: Weights, now: int, half_life_days: float) -> list[Lesson]:
    """The same order where nothing was asked, before their texts are read."""

    def score(one: Lesson) -> float:
        recency = _recency(one.updated_at, bool(one.pinned), now, half_life_days)
        against = math.prod(_against(Trust(one.trust), one.project, bool(one.doubted)))
        return _blend(weights, 0.0, recency, _use(one.hits), asked=False) * against

    return heapq.nlargest(most, found, key=lambda one: (score(one), one.updated_at))


def _scored(candidate: Candidate, fit: float, weights: Weights, now: int, half_life_days: float, asked: bool) -> Ranked:
    memory, use = candidate.memory, _use(candidate.hits)
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
