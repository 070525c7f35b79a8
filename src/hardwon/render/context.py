"""What enters an agent's context: plain, declarative, sourced, fenced; data, never an order.

Each line carries a short id, so that one can ask (`hardwon why`) and complain (`hardwon wrong`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.memory import Kind, Memory
from hardwon.recall import Item
from hardwon.recall.moments import Known
from hardwon.render.plain import one_line, visible

_TAG = re.compile(r"<(?=[\s/<]*(?:hardwon|skill-memory|system))", re.IGNORECASE)
ASIDE = 400
"""Characters of a reason, an alternative or a fix: what goes along with a memory and is not in its budget."""


def prompt(items: Sequence[Item]) -> str:
    return _fenced("prompt", [_line(item) for item in items])


def brief(items: Sequence[Item], changed: int, *, compacted: bool) -> str:
    lines = [_line(item) for item in items]
    if changed and not compacted:
        lines.append(f"{changed} memories of this project are new since its last session.")
    return _fenced("after compaction" if compacted else "session start", lines)


def skill(name: str, items: Sequence[Item]) -> str:
    if not items:
        return ""
    safe = re.sub(r"[^\w./:@-]", "", name)
    lines = "\n".join(f"- {_clean(item.body)} [{item.ranked.memory.short_id}]" for item in items)
    return f'<skill-memory skill="{safe}">\nLearned in earlier uses of this skill:\n{lines}\n</skill-memory>'


def known(moment: str, found: Sequence[Known]) -> str:
    """Prior failures of this very target, with what worked."""
    return _fenced(moment, [_experience(one) for one in found])


def stop(one: Known, what: str) -> str:
    """The reason given when a call is stopped once."""
    return (
        f"hardwon: this {what} has failed here before and was not run. {_experience(one).removeprefix('- ')} "
        f"Issued again unchanged, it runs."
    )


def _experience(one: Known) -> str:
    memory = one.item.ranked.memory
    times = one.item.ranked.candidate.hits + 1
    said = f"{_clean(one.item.body)} [{memory.short_id}]"
    if memory.kind is not Kind.FAILURE:
        return f"- {memory.kind}: {said}"
    worked = "; ".join(f"{_aside(fix.body)} [{fix.short_id}]" for fix in one.fixes[:2])
    seen = f"seen {times} times" if times > 1 else "seen once"
    return f"- {said} ({seen}). " + (f"What worked: {worked}" if worked else "No fix is known yet.")


def _line(item: Item) -> str:
    memory = item.ranked.memory
    because = f" Because: {_aside(memory.because)}." if memory.because else ""
    rejected = "".join(f" Rejected: {_aside(r.what)} ({_aside(r.why)})." for r in memory.rejected[:3])
    return f"- {memory.kind}: {_clean(item.body)}{because}{rejected} [{memory.short_id}, {_source(memory)}]"


def _source(memory: Memory) -> str:
    return "said by the user" if memory.trust == "user" else f"from {memory.source}"


def _clean(text: str) -> str:
    """On one line, without control characters and without anything that could close our fence.

    A sign in the place of `<`, not nothing: what is left could join to another tag.
    """
    return _TAG.sub("‹", " ".join(visible(text).split()))


def _aside(text: str) -> str:
    return one_line(_clean(text), ASIDE)


def _fenced(moment: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    body = "\n".join(lines)
    return f'<hardwon moment="{moment}">\nFrom earlier sessions; for information:\n{body}\n</hardwon>'
