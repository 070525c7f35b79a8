"""Room: above a number of lessons in one place, the least useful ones are archived.

Nothing is deleted: `hardwon reopen` brings a lesson back. What counts is use, not the date: how often it was learned
again and how often it helped after it was shown. Age costs a lesson at most one such point, over two years, and nothing
at all when it came with hardwon. Pinned ones stay; what a person said goes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hardwon.memory import GLOBAL, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.log import records
from hardwon.store.tables import memories

REASON = "made room"
AT_ONCE = 500
"""Archived by one call; what is still too much then goes with the next, so that no command waits for thousands."""

_HELPED = 3.0
_YEARS = 2 * 365.25 * 86_400_000
STARTER = "starter"


@dataclass(frozen=True, slots=True)
class Entry:
    """What has to be known of a lesson to tell how useful it is."""

    id: str
    created_at: int
    hits: int = 0
    helped: int = 0
    complaints: int = 0
    pinned: bool = False
    trust: Trust = Trust.AGENT
    source: str = "agent"


def too_many(entries: Sequence[Entry], most: int, now: int) -> list[str]:
    """Those to archive so that `most` are left, the least useful first; 0 means that there is no limit."""
    surplus = len(entries) - most
    if not most or surplus <= 0:
        return []
    loose = [one for one in entries if not one.pinned]
    loose.sort(key=lambda one: (one.trust is Trust.USER, usefulness(one, now), one.created_at, one.id))
    return [one.id for one in loose[:surplus]]


def usefulness(one: Entry, now: int) -> float:
    age = 0.0 if one.source == STARTER else min(1.0, max(0, now - one.created_at) / _YEARS)
    return one.hits + _HELPED * one.helped - one.complaints - age


@dataclass(frozen=True, slots=True)
class Made:
    """What was archived to make room, and how many more there are to archive."""

    archived: tuple[str, ...] = ()
    left: int = 0


def make(store: Store, now: int, skills: Iterable[str] | None = None, action: int = 0) -> Made:
    """Make room where it is needed, everywhere or for these skills ("" for lessons of none).

    `action`: that of the command that made it necessary, so that `undo` takes both back; else `undo` passes over it.
    """
    doomed = [
        id
        for skill, project in _crowded(store, skills)
        for id in too_many(_entries(store, skill, project), _most(store, skill), now)
    ]
    if not doomed:
        return Made()
    before, store.by_hand = store.by_hand, False
    try:
        with store.transaction():
            for id in doomed[:AT_ONCE]:
                payload = {"status": Status.ARCHIVED, "reason": REASON, "by": None}
                records.append(store, id, records.STATUS, payload, now, action)
                memories.apply(store, id)
    finally:
        store.by_hand = before
    return Made(tuple(doomed[:AT_ONCE]), len(doomed[AT_ONCE:]))


def _most(store: Store, skill: str) -> int:
    return store.settings.skills.max if skill else store.settings.skills.global_max


_OF_SKILL = "skill is not null and status = 'active' and kind <> 'checkpoint'"
_OF_NONE = "project = '*' and skill is null and kind = 'lesson' and status = 'active'"


def _crowded(store: Store, skills: Iterable[str] | None) -> list[tuple[str, str]]:
    """Skill and project with more lessons than there is room for."""
    most, wanted = store.settings.skills.max, None if skills is None else list(skills)
    found: list[tuple[str, str]] = []
    if most and wanted is None:
        sql = f"select skill, project from memories where {_OF_SKILL} group by skill, project having count(*) > ?"
        found += store.rows(sql, (most,))
    elif most:
        sql = f"select project from memories where skill = ? and {_OF_SKILL} group by project having count(*) > ?"
        found += [(skill, project) for skill in wanted or () if skill for (project,) in store.rows(sql, (skill, most))]
    if store.settings.skills.global_max and (wanted is None or "" in wanted):
        count = store.value(f"select count(*) from memories where {_OF_NONE}")
        found += [("", GLOBAL)] if count > store.settings.skills.global_max else []
    return found


def _entries(store: Store, skill: str, project: str) -> list[Entry]:
    where, values = (f"skill = ? and project = ? and {_OF_SKILL}", (skill, project)) if skill else (_OF_NONE, ())
    rows = store.rows(
        "select id, created_at, hits, (select count(*) from showings where memory = id and outcome = 'helped'),"
        f" json_array_length(complaints), pinned, trust, source from memories where {where} and kind = 'lesson'",
        values,
    )
    return [
        Entry(id, created_at, hits, helped, complaints, bool(pinned), Trust(trust), source)
        for id, created_at, hits, helped, complaints, pinned, trust, source in rows
    ]
