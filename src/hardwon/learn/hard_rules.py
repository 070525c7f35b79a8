"""What was met on three different days is worth a line in CLAUDE.md or AGENTS.md: it is offered, never written.

A rule that the person had to say again, or a failure with one signature: the same mistake, not the same sort of
mistake. A rule's days are told from its evidence, where each later day leaves a mark; a failure's are counted apart
(`store/tables/recurrences.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from hardwon.memories.moments import fixes_of
from hardwon.memory import AnchorKind, Kind, Memory, Status
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.store.tables.skill_loads import DAY, day_of
from hardwon.text import commands, errors, untrusted
from hardwon.text.commands.another_way import INSTEAD

DAYS = 3
WITHIN = 180 * DAY
"""What was not met for longer is no habit any more."""
REACH = 20_000
"""The last changes that are looked through for rules."""
MOST_EVIDENCE = 20
_MARK = re.compile(r"@(\d{4}-\d\d-\d\d)$")


@dataclass(frozen=True, slots=True)
class Offer:
    """A line that a person may add to the instructions of a project."""

    memory: Memory
    days: int
    line: str


def met(store: Store, rule: Memory, evidence: str, at: int) -> bool:
    """Note that a rule was met on a day on which it had not been met; whether that is so."""
    day = day_of(at)
    if day in days(rule):
        return False
    marked = [*rule.evidence, f"{evidence}@{day}"]
    if len(marked) > MOST_EVIDENCE:
        marked = [marked[0], *marked[1 - MOST_EVIDENCE :]]
    changes.edit(store, rule.id, {"evidence": marked}, max(at, rule.updated_at))
    return True


def days(rule: Memory) -> set[str]:
    """The days on which it was said."""
    return {day_of(rule.created_at), *(mark[1] for one in rule.evidence if (mark := _MARK.search(one)))}


def offers(store: Store, now: int) -> list[Offer]:
    """Those that nobody has accepted (which pins them) or put away, most often met first."""
    made = [*_rules(store, now), *_failures(store, now)]
    return sorted(made, key=lambda one: (-one.days, one.memory.id))


def _rules(store: Store, now: int) -> list[Offer]:
    rows = [row for (row,) in store.rows(_SAID_AGAIN, (now - WITHIN,))]
    found = memories.by_rows(store, rows).values() if rows else ()
    counted = [(rule, len(days(rule))) for rule in found]
    return [Offer(rule, count, _rule_line(rule)) for rule, count in counted if count >= DAYS]


# Two marks, or more: the first day has none.
_SAID_AGAIN = f"""
select row from (
  select row, kind, status, pinned, evidence from memories indexed by memories_by_time
  where updated_at > ? order by updated_at desc limit {REACH}
)
where pinned = 0 and kind = '{Kind.RULE}' and status in ('{Status.CANDIDATE}', '{Status.ACTIVE}')
  and evidence like '%@____-__-__"%@____-__-__"%'
"""


@dataclass(slots=True)
class _Recurring:
    days: set[str] = field(default_factory=set)
    rows: set[int] = field(default_factory=set)


def _failures(store: Store, now: int) -> list[Offer]:
    """By project and error signature, whatever the command; a signature that says nothing joins nothing."""
    groups: dict[tuple[str, str], _Recurring] = defaultdict(_Recurring)
    for project, signature, row, day in store.rows(_FAILED, (day_of(now - WITHIN),)):
        if not errors.generic(signature):
            group = groups[project, signature]
            group.days.add(day)
            group.rows.add(row)
    return [_failure_offer(store, group) for group in groups.values() if len(group.days) >= DAYS]


_FAILED = f"""
select m.project, a.value, m.row, r.day from recurrences r
join memories m on m.id = r.memory join anchors a on a.memory_row = m.row and a.kind = '{AnchorKind.ERROR}'
where r.day >= ? and m.pinned = 0 and m.kind = '{Kind.FAILURE}'
  and m.status in ('{Status.ACTIVE}', '{Status.RESOLVED}')
"""


def _failure_offer(store: Store, group: _Recurring) -> Offer:
    newest = max(memories.by_rows(store, group.rows).values(), key=lambda one: (one.updated_at, one.id))
    return Offer(newest, len(group.days), _failure_line(store, newest))


def _rule_line(rule: Memory) -> str:
    """The person's own words, as one would write them down."""
    words = " ".join((rule.title or rule.body).split()).rstrip(" .!。！,，")
    return f"- {words[:1].upper()}{words[1:]}"


def _failure_line(store: Store, failure: Memory) -> str:
    """The command and what worked; the error only as a quotation, for a tool wrote it."""
    command = next((one.value for one in failure.anchors if one.kind is AnchorKind.COMMAND), "it")
    said = untrusted.quoted(failure.body.partition(" failed: ")[2] or failure.body)
    worked = [fix for fix in fixes_of(store, failure) if fix.subtype in ("worked", INSTEAD)]
    remedy = f"; {untrusted.seen(' '.join(worked[0].body.split()))}" if worked else ""
    return f"- `{commands.typed(command)}` has failed with {said}{remedy}"
