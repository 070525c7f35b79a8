"""How often each skill is loaded, and what its memory did for it.

Counted when an event comes into the journal, and kept when the journal is pruned. The Skill tool, the reading of
SKILL.md and the transcript all tell of one load: it counts once per session, agent and turn.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.redact.border import clean
from hardwon.store.connection import Store

DAY = 86_400_000


def is_load(event: Event) -> bool:
    """Whether an event says that a skill was loaded. The transcript has only the outcome of the Skill tool."""
    if not event.target:
        return False
    return event.type is EventType.SKILL_LOADED or (
        event.type is EventType.TOOL_FINISHED and event.tool == action.SKILL
    )


def count(store: Store, event: Event) -> bool:
    """Count an event that has just come into the journal; False when its load was counted before."""
    if not is_load(event):
        return False
    skill = clean(event.target, store.redactor)
    if _is_told(store, event, skill):
        return False
    with store.transaction():
        store.db.execute(_COUNT, (skill, day_of(event.at), store.device, event.at))
    return True


_COUNT = """
insert into skill_loads (skill, day, device, loads, last_at) values (?, ?, ?, 1, ?)
on conflict (skill, day, device) do update set
  loads = loads + 1, last_at = max(last_at, excluded.last_at)
"""


def _is_told(store: Store, event: Event, skill: str) -> bool:
    """Whether another event of the journal tells of the same load: the same call, or this turn of this agent."""
    given = {
        "host": event.host,
        "session": event.session,
        "key": event.key,
        "skill": skill,
        "call": event.call,
        "agent": event.agent,
        "prompt": event.prompt,
        "at": event.at,
    }
    return store.row(_TOLD, given) is not None


_TOLD = """
select 1 from journal j join sessions s on s.row = j.session
where s.host = :host and s.id = :session and j.key <> :key and j.target = :skill
  and (j.type = 'skill_loaded' or (j.type = 'tool_finished' and j.tool = 'Skill'))
  and (
    (:call <> '' and j.call = :call)
    or (j.agent = :agent and :prompt <> '' and j.prompt = :prompt)
    or (j.agent = :agent and :prompt = '' and j.at >= coalesce((
      select max(at) from journal where session = j.session and at <= :at and type in ('prompt_submitted', 'turn_ended')
    ), 0))
  )
limit 1
"""


def day_of(at: int) -> str:
    """The day of a moment, in UTC as all times are."""
    return datetime.datetime.fromtimestamp(at / 1000, datetime.UTC).strftime("%Y-%m-%d")


@dataclass(slots=True)
class Use:
    """What one skill's memory looks like, and what it did."""

    skill: str
    loads: int = 0
    last_seen: int | None = None
    active: int = 0
    archived: int = 0
    shown: int = 0
    helped: int = 0
    by_day: dict[str, int] = field(default_factory=dict)
    """Loads per day, for the days that were asked for and had any."""


def uses(store: Store, now: int, days: int = 30) -> list[Use]:
    """Every skill that was loaded or has a lesson, the one loaded most first; `by_day` covers the last `days`."""
    found: dict[str, Use] = {}
    since = day_of(now - (days - 1) * DAY)
    for skill, day, loads, last in store.rows(_LOADS):
        use = found.setdefault(skill, Use(skill))
        use.loads += loads
        use.last_seen = max(use.last_seen or 0, last)
        if day >= since:
            use.by_day[day] = loads
    for skill, active, archived in store.rows(_LESSONS):
        use = found.setdefault(skill, Use(skill))
        use.active, use.archived = active, archived
    for skill, shown, helped in store.rows(_SHOWN):
        use = found.setdefault(skill, Use(skill))
        use.shown, use.helped = shown, helped
    return sorted(found.values(), key=lambda use: (-use.loads, -use.active, use.skill))


_LOADS = """
select skill, day, sum(loads), max(last_at) from skill_loads group by skill, day order by skill, day
"""
_LESSONS = """
select skill, sum(status = 'active'), sum(status = 'archived') from memories
where skill is not null and kind = 'lesson' group by skill
"""
_SHOWN = """
select m.skill, count(*), sum(s.outcome = 'helped') from showings s join memories m on m.id = s.memory
where m.skill is not null group by m.skill
"""


def cut(store: Store, patterns: dict[str, re.Pattern[str]]) -> None:
    """A forgotten text is no skill's name either: what was counted under it goes."""
    for (skill,) in store.rows("select distinct skill from skill_loads"):
        if any(pattern.search(skill) for pattern in patterns.values()):
            store.db.execute("delete from skill_loads where skill = ?", (skill,))


def scrub(store: Store, found: Callable[[str], None], *, dry_run: bool) -> int:
    """Today's rules over the names; `found` is told each that holds a secret. How many rows were changed."""
    changed = 0
    for (skill,) in store.rows("select distinct skill from skill_loads"):
        name = clean(skill, store.redactor)
        if name == skill:
            continue
        found(skill)
        changed += int(store.value("select count(*) from skill_loads where skill = ?", (skill,)))
        if not dry_run:
            store.db.execute(_RENAME, (name, skill))
            store.db.execute("delete from skill_loads where skill = ?", (skill,))
    return changed


_RENAME = """
insert into skill_loads (skill, day, device, loads, last_at)
select ?, day, device, loads, last_at from skill_loads where skill = ?
on conflict (skill, day, device) do update set
  loads = loads + excluded.loads, last_at = max(last_at, excluded.last_at)
"""
