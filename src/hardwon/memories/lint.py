"""The lint rules of this repository that keep costing calls: the few dearest, said once, at a session's first edit.

Nobody needs to hear of a rule that is kept anyway: it must have cost calls in two sessions, the last of them not long
ago, and it falls silent when it was said twice since and not met again.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memories import Item
from hardwon.memories.search.budget import fit, tokens
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import LINT_RULE, Memory, Status
from hardwon.store.connection import Store
from hardwon.store.tables import memories, recurrences, showings
from hardwon.store.tables.skill_loads import DAY, day_of
from hardwon.text.errors import lint_rules

MOST = 5
LOOKED_AT = 100
SESSIONS = 2
"""In so many it must have cost calls."""
RECENT = 21 * DAY
"""The last of them is no longer ago."""
IN_VAIN = 2
"""Sessions that were told since it was last met, after which it is not said again."""
LINE = "- Lint rules that checks failed on here in more than one session: "
TOKENS = 40
"""Of the line."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What is known of one rule."""

    runs: int
    """Failing ones, from its first finding until it was clean."""
    sessions: int
    last: str
    """The day on which it was last met."""
    told: int = 0
    """Sessions, since that day."""


def is_worth_saying(cost: Cost, now: int) -> bool:
    return cost.sessions >= SESSIONS and cost.last >= day_of(now - RECENT) and cost.told < IN_VAIN


def rules(store: Store, file: str, project: str, now: int) -> list[Item]:
    """Those for files like this one, the dearest first."""
    if "." not in file or not project:
        return []
    rows = memories.anchored(store, [lint_rules.anchor(file)], (project,), LOOKED_AT)
    found = [one for one in memories.by_rows(store, {row for row, _ in rows}).values() if _counts(one)] if rows else []
    hits = memories.hits(store, [one.id for one in found]) if found else {}
    costs = {one.id: _cost(store, one, hits.get(one.id, 0)) for one in found}
    dear = [one for one in found if is_worth_saying(costs[one.id], now)]
    dear.sort(key=lambda one: (-costs[one.id].runs, one.body))
    return fit([Ranked(Candidate(one), 1.0) for one in _in_one_line(dear)], MOST, MOST * TOKENS)


def _cost(store: Store, memory: Memory, hits: int) -> Cost:
    days = recurrences.days(store, memory.id)
    last = max(days, default="")
    told = showings.sessions_told(store, memory.id, _begin(last)) if last else 0
    return Cost(hits + 1, sum(days.values()), last, told)


def _begin(day: str) -> int:
    return int(datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp() * 1000)


def _in_one_line(dear: Sequence[Memory]) -> list[Memory]:
    """As many as the line holds."""
    said, left = [], TOKENS - tokens(LINE)
    for one in dear[:MOST]:
        left -= tokens(f"{rule(one)} [{one.short_id}], ")
        if left < 0:
            break
        said.append(one)
    return said


def _counts(memory: Memory) -> bool:
    return memory.subtype == LINT_RULE and memory.status is Status.ACTIVE and not memory.complaints


def rule(memory: Memory) -> str:
    return memory.body.rpartition(": ")[2]
