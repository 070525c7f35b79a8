"""Which memories are no longer said unasked, and why.

What was shown four times, never helped and was ignored three times is noise where nobody has asked; so is what was
called wrong. It is said neither at a prompt, nor with a skill, nor at a session's beginning; before the very action and
after the very failure it still is, and whoever looks for it finds it. A fix whose command does another job than the one
that failed (an earlier version learned such) is not said there either. What a person said or pinned never goes quiet:
an agent that ignores it has no say in that.

A memory that was ignored at a prompt is said nearer to the action from then on, where it has such a place.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardwon import kinds
from hardwon.memory import LINT_RULE, AnchorKind, Kind, Memory, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import showings
from hardwon.store.tables.showings import NEVER, Counts
from hardwon.text.commands.another_way import INSTEAD, is_another_job

SHOWN = 4
IGNORED = 3
_SAID_AT_ACTIONS = kinds.having("action")
_ACTIONS = frozenset({AnchorKind.COMMAND, AnchorKind.FILE, AnchorKind.ERROR})


def is_quiet(counts: Counts, memory: Memory) -> bool:
    """Whether it is said only before an action, after a failure, or when it is asked for."""
    return bool(reason(counts, memory))


def reason(counts: Counts, memory: Memory) -> str:
    """Why it is quiet; empty when it is not."""
    if memory.pinned or memory.trust is Trust.USER:
        return ""
    if memory.complaints:
        return "it was called wrong"
    if memory.subtype == LINT_RULE:
        return "it is said before the first edit of its language"
    if is_no_way(memory):
        return "its command does another job than the one that failed"
    if counts.shown >= SHOWN and not counts.helped and counts.ignored >= IGNORED:
        return f"it was shown {counts.shown} times, never helped, and was ignored {counts.ignored} times"
    return ""


def is_no_way(memory: Memory) -> bool:
    """Whether it is a fix by another command that does another job; nothing tells of it, not even after the failure."""
    learned = memory.kind is Kind.FIX and memory.subtype == INSTEAD and memory.trust is not Trust.USER
    return learned and not memory.pinned and is_another_job(memory.body)


def waits_for_action(counts: Counts, memory: Memory) -> bool:
    """Whether it is said before the action and no longer at a prompt, where it was ignored."""
    if memory.pinned or not counts.ignored_at_prompt or memory.kind not in _SAID_AT_ACTIONS:
        return False
    return any(anchor.kind in _ACTIONS for anchor in memory.anchors)


def unspoken(store: Store, found: Iterable[Memory], *, prompt: bool = False) -> set[str]:
    """The ids of those that are not said unasked; at a prompt fewer than elsewhere are."""
    given = list(found)
    counts = showings.counts(store, [memory.id for memory in given]) if given else {}
    came = {memory.id: counts.get(memory.id, NEVER) for memory in given}
    return {
        memory.id
        for memory in given
        if is_quiet(came[memory.id], memory) or (prompt and waits_for_action(came[memory.id], memory))
    }
