"""What belongs to a memory that is said: what worked against a failure, what a decision replaced, what binds a task.

Links are followed two steps at most, each memory is said once, and all of it together stays within a share of the
budget: first what belongs to each most closely, then what is further off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from hardwon import kinds
from hardwon.memories.moments import attempts_at
from hardwon.memories.search.budget import SMALLEST, clipped, tokens
from hardwon.memory import GLOBAL, IN_VAIN, AnchorKind, Kind, LinkKind, Memory, Status
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text.speech import acts


class Relation(StrEnum):
    """How a memory belongs to the one that is said."""

    WORKED = "what worked"
    TRIED = "tried"
    AGAINST = "against"
    REPLACED = "replaced"
    REPLACED_EARLIER = "before that"
    CAUSED_BY = "caused by"
    WORKED_THERE = "what worked there"
    BOUND_BY = "bound by"
    RESTS_ON = "rests on"
    LATER = "said later"


@dataclass(frozen=True, slots=True)
class Step:
    relation: Relation
    memory: Memory
    text: str
    """Of the memory, as much as there is room for."""
    tokens: int


LONGEST = 100
"""Tokens of one step."""
_EACH = 2
"""So many of one sort belong to one memory."""
_CONSTRAINTS = 50
"""The newest ones that are looked through for a task's."""
_HOLDS = frozenset({Status.ACTIVE, Status.RESOLVED, Status.SUPERSEDED})
_CERTAIN = frozenset({AnchorKind.FILE, AnchorKind.COMMAND})

_Link = tuple[Relation, Memory]


def stitched(store: Store, said: Sequence[Memory], share: int) -> dict[str, tuple[Step, ...]]:
    """What belongs to each of these, by their ids, in so many tokens together.

    The first step of each has a place of its own, and what worked against two failures is named at both: a failure
    without would say that nothing has worked. A fix belongs to its failure, also where it is among what is said.
    """
    links = [linked(store, memory) for memory in said]
    found: dict[str, list[Step]] = {memory.id: [] for memory in said}
    taken = {memory.id for memory in said if memory.kind is not Kind.FIX}
    left, waiting = share, sum(map(bool, links))
    for depth, row in enumerate(zip_longest(*links)):
        for memory, link in zip(said, row, strict=True):
            if link is None:
                continue
            (relation, other), first = link, depth == 0
            waiting -= first
            room = min(LONGEST, left - SMALLEST * waiting)
            if (other.id in taken and relation not in _OF_FAILURE) or (room < SMALLEST and not first):
                continue
            step = _step(relation, other, max(room, SMALLEST), again=other.id in taken)
            taken.add(other.id)
            left -= step.tokens
            found[memory.id].append(step)
    return {id: tuple(steps) for id, steps in found.items() if steps}


_OF_FAILURE = (Relation.WORKED, Relation.TRIED)
SAME = "the same"
"""The words of what is named a second time."""


def _step(relation: Relation, memory: Memory, room: int, *, again: bool) -> Step:
    whole = relation in (*_OF_FAILURE, Relation.WORKED_THERE, Relation.BOUND_BY, Relation.LATER)
    text = SAME if again else memory.body if whole else memory.headline
    text = text if tokens(text) <= room else clipped(text, room - 1)
    return Step(relation, memory, text, tokens(text))


def linked(store: Store, memory: Memory) -> list[_Link]:
    """What belongs to it, closest first."""
    if memory.kind is Kind.FAILURE:
        return [*_attempts(store, memory), *_cause(store, memory)]
    if memory.kind is Kind.TASK:
        return [*_constraints(store, memory), *_replaced(store, memory)]
    found = [*_later(store, memory), *_replaced(store, memory)]
    found += [(Relation.AGAINST, one) for one in _targets(store, memory, LinkKind.FIXES)]
    found += [(Relation.RESTS_ON, one) for one in _targets(store, memory, LinkKind.EVIDENCE)]
    return found


def _later(store: Store, memory: Memory) -> list[_Link]:
    """What a person has said since about the same sort of thing: whether the earlier one still holds is told by both,
    with their days."""
    about = acts.sorts(memory.anchors)
    if memory.kind not in _STATEMENTS or not about:
        return []
    rows = {row for row, _ in memories.anchored(store, about, (memory.scope.project, GLOBAL), _LATER)}
    since = [
        one
        for one in memories.by_rows(store, rows).values()
        if one.is_heard and one.kind in _STATEMENTS and one.status is Status.ACTIVE
        and one.id != memory.id and one.created_at > memory.created_at
    ]  # fmt: skip
    return [(Relation.LATER, one) for one in sorted(since, key=lambda one: -one.created_at)[:_EACH]]


_STATEMENTS = kinds.having("decides")
_LATER = 6


def _attempts(store: Store, failure: Memory) -> list[_Link]:
    """What worked; only where nothing did, what was tried."""
    attempts = attempts_at(store, failure)
    worked = [one for one in attempts if one.subtype not in IN_VAIN]
    relation = Relation.WORKED if worked else Relation.TRIED
    return [(relation, one) for one in (worked or attempts)[:_EACH]]


def _cause(store: Store, failure: Memory) -> list[_Link]:
    causes = _targets(store, failure, LinkKind.CAUSED_BY)[:1]
    return [
        link
        for cause in causes
        for link in (
            (Relation.CAUSED_BY, cause),
            *(
                (Relation.WORKED_THERE, one)
                for relation, one in _attempts(store, cause)[:1]
                if relation is Relation.WORKED
            ),
        )
    ]


def _replaced(store: Store, memory: Memory) -> list[_Link]:
    """What it replaced, and what that had replaced."""
    before = _targets(store, memory, LinkKind.SUPERSEDES)
    found = [(Relation.REPLACED, one) for one in before]
    earlier = [one for first in before for one in _targets(store, first, LinkKind.SUPERSEDES)]
    return found + [(Relation.REPLACED_EARLIER, one) for one in earlier[:_EACH]]


def _targets(store: Store, memory: Memory, kind: LinkKind) -> list[Memory]:
    """Where its links of a kind lead to, newest first, in the same project."""
    ids = [link.target for link in memory.links if link.kind is kind and link.target != memory.id]
    found = memories.by_ids(store, ids).values() if ids else ()
    here = (memory.scope.project, GLOBAL)
    near = [one for one in found if one.status in _HOLDS and one.scope.project in here]
    return sorted(near, key=lambda one: -one.created_at)[:_EACH]


def _constraints(store: Store, task: Memory) -> list[_Link]:
    """Constraints that were said in the same breath as a task, or are about the same file or command."""
    which = memories.Filter((task.scope.project,), kinds=(Kind.CONSTRAINT,), statuses=(Status.ACTIVE,))
    found, _ = memories.listed(store, which, _CONSTRAINTS)
    said, about = set(task.evidence), {anchor for anchor in task.anchors if anchor.kind in _CERTAIN}
    own = [one for one in found if not said.isdisjoint(one.evidence) or not about.isdisjoint(one.anchors)]
    return [(Relation.BOUND_BY, one) for one in own[:_EACH]]
