"""What may be said at each moment: which question it asks of the memory, and how much may be answered."""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.memory import GLOBAL, Anchor, AnchorKind, Kind, LinkKind, Memory, Status, Trust
from hardwon.recall import Item, Question, recall
from hardwon.recall.budget import fit
from hardwon.recall.rank import Candidate, Ranked, rank
from hardwon.store import memories
from hardwon.store.connection import Store

PROMPT_KINDS = frozenset({Kind.CONSTRAINT, Kind.DECISION, Kind.FAILURE, Kind.FIX, Kind.LESSON, Kind.RULE})
ACTION_KINDS = frozenset({Kind.FAILURE, Kind.LESSON, Kind.RULE, Kind.CONSTRAINT})
ACTION_TOKENS = 300
BRIEF_TOKENS = 800
SKILL_TOKENS = 2_000
EXPLORING = 5
"""Lessons when a skill's file is only read."""


def at_prompt(store: Store, text: str, project: str, anchors: tuple[Anchor, ...], now: int) -> list[Item]:
    settings = store.settings.recall
    question = Question(text, (project, GLOBAL), None, anchors)
    found = recall(store, question, now, limit=settings.limit * 3, budget=settings.budget_tokens * 3)
    fitting = [item.ranked for item in found.items if _may_stand_alone(item.ranked.memory)]
    return fit(fitting, settings.limit, settings.budget_tokens)


def _may_stand_alone(memory: Memory) -> bool:
    """A skill's lessons come with the skill."""
    return memory.kind in PROMPT_KINDS and memory.scope.skill is None


def at_skill(store: Store, skill: str, intent: str, project: str, now: int, *, exploring: bool = False) -> list[Item]:
    limit = EXPLORING if exploring else store.settings.recall.skill_top
    scopes = (project, GLOBAL)
    found = recall(store, Question(intent, scopes, skill), now, limit=limit, budget=SKILL_TOKENS)
    if found.silent and intent:
        found = recall(store, Question("", scopes, skill), now, limit=limit, budget=SKILL_TOKENS)
    return found.items


@dataclass(frozen=True, slots=True)
class Known:
    """A memory about exactly this, and what worked."""

    item: Item
    fixes: tuple[Memory, ...]

    @property
    def should_stop(self) -> bool:
        """Failed here at least twice, not succeeded since (that would have resolved it), and a proven fix is known."""
        memory = self.item.ranked.memory
        again = self.item.ranked.candidate.hits >= 1
        proven = any(fix.trust in (Trust.VERIFIED, Trust.USER) for fix in self.fixes)
        return memory.kind is Kind.FAILURE and memory.status is Status.ACTIVE and again and proven


def about(store: Store, anchor: Anchor, project: str, now: int, kinds: frozenset[Kind] = ACTION_KINDS) -> list[Known]:
    """Memories that carry exactly this anchor, best first."""
    rows = memories.anchored(store, [anchor], (project, GLOBAL), 20)
    found = [memory for memory in memories.by_rows(store, {row for row, _ in rows}).values() if memory.kind in kinds]
    hits = memories.hits(store, [memory.id for memory in found])
    candidates = [Candidate(memory, anchors=(anchor,), hits=hits.get(memory.id, 0)) for memory in found]
    ranked = rank(candidates, now, store.settings.recall.half_life_days)
    return [Known(item, fixes_of(store, item.ranked.memory)) for item in fit(ranked, 2, ACTION_TOKENS)]


def known_fixes(store: Store, signature: str, project: str, now: int) -> list[Known]:
    """Failures with this error, and what worked against it."""
    return about(store, Anchor(AnchorKind.ERROR, signature), project, now, frozenset({Kind.FAILURE}))


def fixes_of(store: Store, memory: Memory) -> tuple[Memory, ...]:
    rows = store.rows("select source from links where target = ? and kind = ?", (memory.id, LinkKind.FIXES))
    found = memories.by_ids(store, [id for (id,) in rows]).values()
    return tuple(sorted((one for one in found if one.status is Status.ACTIVE), key=lambda one: -one.updated_at))


def brief(store: Store, project: str, *, compacted: bool) -> list[Item]:
    """What a session should begin with: the handoff, open tasks, hard rules; after compaction what holds, too."""
    wanted: list[tuple[Kind, int]] = [(Kind.HANDOFF, 1), (Kind.TASK, 5), (Kind.RULE, 5)]
    if compacted:
        wanted += [(Kind.CONSTRAINT, 5), (Kind.DECISION, 5)]
    found: list[Memory] = []
    for kind, most in wanted:
        which = memories.Filter(projects=(project, GLOBAL), kinds=(kind,), statuses=(Status.ACTIVE,))
        found += memories.listed(store, which, most)[0]
    ranked = [Ranked(Candidate(memory), 1.0) for memory in found if memory.trust is not Trust.UNTRUSTED]
    return fit(ranked, 12, BRIEF_TOKENS)
