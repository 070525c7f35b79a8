"""How many memories there are, by project and kind; what was tried in vain is an attempt, and no fix."""

from __future__ import annotations

from hardwon.memory import ATTEMPT, IN_VAIN
from hardwon.store.connection import Store

_KIND = f"case when kind = 'fix' and subtype in {IN_VAIN} then '{ATTEMPT}' else kind end"


def census(store: Store) -> dict[tuple[str, str], int]:
    """Of all memories, whatever their status: before and after, it says what was learned."""
    rows = store.rows(f"select project, {_KIND}, count(*) from memories group by 1, 2")
    return {(project, kind): count for project, kind, count in rows}


def active(store: Store, project: str) -> dict[str, int]:
    """Of those of a project that count now."""
    sql = f"select {_KIND}, count(*) from memories where project = ? and status = 'active' group by 1 order by 1"
    return dict(store.rows(sql, (project,)))
