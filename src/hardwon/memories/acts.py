"""What a person said that a call goes against, or that is about its like: said right before it, never holding it up."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon import action, kinds
from hardwon.event import Event
from hardwon.memories import memory_lines
from hardwon.memories.search import quiet
from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import GLOBAL, Anchor, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import commands
from hardwon.text.speech import acts

KINDS = kinds.having("decides")
MOST, TOKENS, LOOKED_AT = 2, 200, 10
REFUSED = "refused"
LASTS = 60 * 24 * 3_600_000
"""What was said when a call was refused, and never again, is over after so long."""


def about(store: Store, event: Event, project: str, now: int) -> list[Item]:
    """Newest first: where two speak of one thing, the later word wins."""
    if not project or (event.tool == action.SHELL and commands.only_looks(event.target)):
        return []
    return _found(store, acts.of_call(event), project, now)


def named(store: Store, prompt: str, project: str, now: int) -> list[Item]:
    """What a person said that speaks against a tool which a prompt names."""
    return _found(store, acts.of_prompt(prompt), project, now) if project else []


def _found(store: Store, used: Sequence[Anchor], project: str, now: int) -> list[Item]:
    if not used:
        return []
    rows = {row for row, _ in memories.anchored(store, used, (project, GLOBAL), LOOKED_AT)}
    found = [one for one in memories.by_rows(store, rows).values() if _is_said(one, now)] if rows else []
    if not found:
        return []
    unspoken = quiet.unspoken(store, found)
    newest = sorted((one for one in found if one.id not in unspoken), key=lambda one: -one.created_at)
    holding = memory_lines.holding(store, newest)
    return fit([Ranked(Candidate(one, coverage=1.0), 1.0) for one in holding], MOST, TOKENS)


def _is_said(memory: Memory, now: int) -> bool:
    if memory.status is not Status.ACTIVE or memory.kind not in KINDS or memory.trust is Trust.UNTRUSTED:
        return False
    return memory.source != REFUSED or now - memory.updated_at < LASTS
