"""What waits: for a person's word, and what came back so often that it should be known from the start."""

from __future__ import annotations

from hardwon import kinds
from hardwon.memories.brief import REVIEW, Section
from hardwon.memory import GLOBAL, LINT_RULE, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories

TIMES = 3
MOST = 2
WEEK = 7 * 86_400_000
REACH = 2_000
"""The last changes that are looked through."""


def came_back(store: Store, project: str) -> list[Memory]:
    """Lessons that were learned three times or more, the most frequent first. Lint rules have a moment of their own:
    the first edit of a file that they are about."""
    rows = [row for (row,) in store.rows(_CAME_BACK, (project, GLOBAL, TIMES - 1, MOST))]
    found = memories.by_rows(store, rows) if rows else {}
    return [found[row] for row in rows if row in found]


_CAME_BACK = f"""
select m.row from counts c join memories m on m.id = c.memory
where m.project in (?, ?) and m.kind = '{Kind.LESSON}' and m.status = '{Status.ACTIVE}' and m.skill is null
  and m.trust <> '{Trust.UNTRUSTED}' and m.subtype <> '{LINT_RULE}'
group by m.row having sum(c.hits) >= ? order by sum(c.hits) desc, m.row desc limit ?
"""


def came_meanwhile(store: Store, project: str, since: int) -> list[Memory]:
    """What every session of the project should hear of, and is new since then: the latest first."""
    which = ", ".join(f"'{kind}'" for kind in kinds.in_order(kinds.having("meanwhile")))
    sql = (
        "select row from (select row, project, kind, created_at from memories indexed by memories_by_time"
        f" where updated_at > ? order by updated_at desc limit {REACH})"
        f" where project in (?, ?) and kind in ({which}) and created_at > ? limit ?"
    )
    rows = [row for (row,) in store.rows(sql, (since, project, GLOBAL, since, MOST))]
    found = memories.by_rows(store, rows) if rows else {}
    return [found[row] for row in rows if row in found]


def for_review(store: Store, project: str) -> tuple[int, int]:
    """How many candidates of this project a person has not decided about, and which came last."""
    which = ", ".join(f"'{kind}'" for kind in kinds.in_order(kinds.having("review")))
    sql = (
        "select count(*), coalesce(max(row), 0) from memories"
        f" where project = ? and status = '{Status.CANDIDATE}' and kind in ({which})"
    )
    ((count, newest),) = store.rows(sql, (project,))
    return count, newest


def section(store: Store, project: str, now: int) -> Section:
    """Once a week, and only when something has come since it was told last: the agent can do nothing about it, and
    nobody wants to hear each morning what they have left for later."""
    count, newest = for_review(store, project)
    told = f"review:{project}:"
    lately = store.row("select 1 from told where instr(what, ?) = 1 and at > ? limit 1", (told, now - WEEK))
    mark = f"{told}{newest}"
    if not count or lately or store.row("select 1 from told where what = ? limit 1", (mark,)):
        return Section("review", REVIEW)
    things = "1 thing waits" if count == 1 else f"{count} things wait"
    return Section("review", REVIEW, (f"- {things} for the person's word: `hardwon review list`",), marks=(mark,))
