"""The lint rules of this repository that more than one session ran into: said once, before the first edit."""

from __future__ import annotations

from hardwon.memory import LINT_RULE, Memory, Status
from hardwon.recall import Item
from hardwon.recall.budget import fit
from hardwon.recall.rank import Candidate, Ranked
from hardwon.store import memories
from hardwon.store.connection import Store
from hardwon.understand import lint_rules

MOST = 5
LOOKED_AT = 100
TOKENS = 120
"""Of the memories; what is said names them in one line of forty at most."""


def rules(store: Store, file: str, project: str) -> list[Item]:
    """Those for files like this one, the most frequent first."""
    if "." not in file or not project:
        return []
    rows = memories.anchored(store, [lint_rules.anchor(file)], (project,), LOOKED_AT)
    found = [one for one in memories.by_rows(store, {row for row, _ in rows}).values() if _counts(one)] if rows else []
    hits = memories.hits(store, [one.id for one in found]) if found else {}
    again = sorted((one for one in found if hits.get(one.id)), key=lambda one: (-hits[one.id], one.body))
    return fit([Ranked(Candidate(one), 1.0) for one in again[:MOST]], MOST, TOKENS)


def _counts(memory: Memory) -> bool:
    return memory.subtype == LINT_RULE and memory.status is Status.ACTIVE and not memory.complaints


def rule(memory: Memory) -> str:
    return memory.body.rpartition(": ")[2]
