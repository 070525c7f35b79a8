"""Memories about the same subject, in the order of time: which one tells the present state, and what was before it.

A link that says so counts most, then a subject that both are kept under. Without either, two memories speak of the same
when they share most of their rare words, or many of them and the later one tells of a change. That only orders them:
nothing is merged, and what nobody vouches for does not go before what somebody does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Memory
from hardwon.recall import words
from hardwon.recall.lines import alike
from hardwon.recall.rank import Ranked
from hardwon.store import memories, search_index
from hardwon.store.connection import Store
from hardwon.understand import speech

DECIDING = frozenset({Kind.DECISION, Kind.CONSTRAINT, Kind.RULE})
SAME, PERHAPS = 0.6, 0.3
"""How much of their words they share; the lesser is enough where a change is told of."""
PROBE = 500
MOST = 24
"""Memories that are looked at."""
MOST_WORDS = 12


def current_first(store: Store, ranked: Sequence[Ranked]) -> list[Ranked]:
    """In order, but of two decisions about the same the later one before the earlier."""
    if sum(one.memory.kind in DECIDING for one in ranked) < 2:
        return list(ranked)
    judge = _Judge(store)
    ordered: list[Ranked] = []
    for one in ranked:
        places = [at for at, other in enumerate(ordered) if judge.continues(one.memory, other.memory)]
        ordered.insert(min(places, default=len(ordered)), one)
    return ordered


def about_the_same(store: Store, memory: Memory) -> list[Memory]:
    """The others of its line, oldest first."""
    found = _linked(store, memory)
    scopes = (memory.scope.project,)
    rows = [row for row, _ in memories.anchored(store, _subjects(memory), scopes, MOST)]
    if memory.kind in DECIDING:
        judge = _Judge(store)
        rows += [hit.row for hit in judge.near(memory, scopes)]
    others = memories.by_rows(store, dict.fromkeys(rows)) if rows else {}
    for other in others.values():
        if memory.kind in DECIDING and (judge.continues(memory, other) or judge.continues(other, memory)):
            found.setdefault(other.id, other)
    found.pop(memory.id, None)
    return sorted(found.values(), key=lambda one: (one.created_at, one.id))


def _linked(store: Store, memory: Memory) -> dict[str, Memory]:
    """What it replaced and what replaced it, along the whole line."""
    known = {memory.id: memory}
    waiting = [memory]
    while waiting and len(known) <= MOST:
        one = waiting.pop()
        before = [link.target for link in one.links if link.kind in (LinkKind.SUPERSEDES, LinkKind.FIXES)]
        before += [id for (id,) in store.rows("select id from memories where superseded_by = ?", (one.id,))]
        ids = [id for id in (*before, one.superseded_by) if id and id not in known]
        for other in memories.by_ids(store, ids).values() if ids else ():
            known[other.id] = other
            waiting.append(other)
    return known


def _subjects(memory: Memory) -> list[Anchor]:
    return [one for one in memory.anchors if one.kind is AnchorKind.TOPIC and one.value.startswith("subject:")]


class _Judge:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.total = search_index.size(store)
        self._weights: dict[str, float] = {}
        self._spelled: dict[str, str] = {}

    def continues(self, later: Memory, earlier: Memory) -> bool:
        if (
            later.id == earlier.id
            or later.created_at <= earlier.created_at
            or later.scope.project != earlier.scope.project
            or not {later.kind, earlier.kind} <= DECIDING
            or later.trust.rank < earlier.trust.rank
        ):
            return False
        if set(_subjects(later)) & set(_subjects(earlier)):
            return True
        least = PERHAPS if speech.tells_change(later.body) else SAME
        return alike(self._stems(later), self._stems(earlier), self._weight) >= least

    def near(self, memory: Memory, scopes: Sequence[str]) -> list[search_index.Hit]:
        rarest = sorted(self._stems(memory), key=self._weight, reverse=True)[:MOST_WORDS]
        spelled = [self._spelled[stem] for stem in rarest]
        return search_index.best(self.store, spelled, scopes, MOST) if spelled else []

    def _stems(self, memory: Memory) -> frozenset[str]:
        telling = words.telling(self.store, f"{memory.title}\n{memory.body}")
        self._spelled |= telling
        return frozenset(telling)

    def _weight(self, stem: str) -> float:
        if stem not in self._weights:
            rows = search_index.rows_with(self.store, self._spelled[stem], PROBE + 1)
            frequency = PROBE + 1 if rows is None else len(rows)
            self._weights[stem] = words.weights({stem: frequency}, self.total)[stem]
        return self._weights[stem]
