"""The markdown mirror: lessons and checkpoints as files that people read and edit.

`<home>/skills/<skill>/KNOWLEDGE.md` and `CHECKPOINTS.md`, and the same two under `global/` for what belongs to no
skill. The database is the truth; a file is a view of it that can be written to. What we wrote last is the base of a
three-way merge (`merge.py`), so that a hand edit is told from a change of ours.

This module is asked by every command, so it loads the rest only when there is something to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.store import control
from hardwon.store.connection import Store

if TYPE_CHECKING:
    from hardwon.store.mirror.settle import How, Settled


def is_due(store: Store) -> bool:
    """Whether a lesson or checkpoint that files show has changed since they were written."""
    return store.writable and store.value("select 1 from mirror_due limit 1") is not None


def refresh(store: Store, now: int) -> list[Settled]:
    """Write the files of what has changed; what somebody did to them meanwhile is taken in on the way."""
    if not is_due(store) or control.why_not(store, "", "", now):
        return []
    from hardwon.store.mirror import settle, tables

    skills = tables.due(store)
    if not store.settings.mirror.enabled:
        with store.transaction():
            store.db.execute("delete from mirror_due")
        return []
    return _each(store, skills, settle.How(now))


def absorb(store: Store, now: int, skill: str | None = None) -> list[Settled]:
    """Take in the files, or those of one skill, that somebody has changed since we wrote them."""
    usable = store.writable and store.settings.mirror.enabled and not control.why_not(store, "", "", now)
    if not usable or not (store.home.skills.is_dir() or store.home.global_.is_dir()):
        return []
    from hardwon.store.mirror import settle

    return _each(store, touched(store, skill), settle.How(now))


def touched(store: Store, skill: str | None = None) -> list[str]:
    """The skills whose files are not as we left them."""
    from hardwon.store.mirror import disk, tables

    files = tables.on_disk(store)[0] if skill is None else tables.files_of(store, skill)
    left = dict(store.rows("select file, stamp from mirror_files where device = ?", (store.device,)))
    return sorted({one.skill for one in files if disk.stamp(one.path(store.home)) != left.get(one.name, "")})


def reconcile(store: Store, how: How, skill: str | None = None) -> list[Settled]:
    """All files and all memories, or those of one skill, whether something seems to have changed or not."""
    from hardwon.store.mirror import settle, tables

    if skill is not None:
        return _each(store, [skill], how)
    files, problems = tables.on_disk(store)
    skills = sorted({one.skill for one in files} | set(tables.with_memories(store)))
    odd = [settle.Settled("", problem=problem) for problem in problems]
    return _each(store, skills, how) + odd


def _each(store: Store, skills: list[str], how: How) -> list[Settled]:
    from hardwon.store.mirror import disk, settle

    if how.only_look:
        return [done for skill in skills for done in settle.settle(store, skill, how)]
    if not skills:
        return []
    before, store.by_hand = store.by_hand, store.by_hand and how.asked
    try:
        with disk.alone(store.home, store.settings.store.busy_seconds):
            return [done for skill in skills for done in settle.settle(store, skill, how)]
    finally:
        store.by_hand = before
