"""What changed in a project while nobody was looking: memories that are new or other than when its last session ended.

Notes at a terminal, another machine, a session that ran beside it: whoever begins should know that there is something
to ask for. It is said in one line, with the newest by name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon import kinds
from hardwon.memories.search.budget import Item
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import LINT_RULE, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories

MOST = 1_000
"""As many are counted; a project with more of them had a large import."""
REACH = 20_000
"""The last changes of all projects that are looked through: a session's start must not wait for more."""
NAMED = 3
LOOKED_AT = 20
"""Among the newest those are chosen that are named."""
TOKENS = 120
"""For all of it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """How many, and the newest of them."""

    count: int = 0
    newest: tuple[Item, ...] = ()

    def named(self, told: Sequence[Item]) -> list[Memory]:
        """The newest that are not told in full anyway."""
        ids = {item.ranked.memory.id for item in told}
        return [item.ranked.memory for item in self.newest if item.ranked.memory.id not in ids][:NAMED]


@dataclass(frozen=True, slots=True)
class Ended:
    """A session, and when it was last heard of."""

    host: str
    session: str
    at: int


def last_session(store: Store, project: str, host: str, session: str) -> Ended | None:
    """The project's last one that is not this one."""
    row = store.row(
        "select host, id, last_at from sessions where project = ? and not (host = ? and id = ?)"
        " order by last_at desc limit 1",
        (project, host, session),
    )
    return Ended(*row) if row else None


def since(store: Store, project: str, ended: Ended) -> Changed:
    """New or changed since then, but for what that session itself taught and was only learned after its end."""
    own = json.dumps(f"{ended.host}:{ended.session}:", ensure_ascii=False)[:-1]
    bound = {"project": project, "at": ended.at, "own": own, "most": MOST}
    rows = [row for (row,) in store.rows(_CHANGED, bound)]
    found = memories.by_rows(store, rows[:LOOKED_AT])
    newest = (Ranked(Candidate(found[row]), 1.0) for row in rows[:LOOKED_AT])
    return Changed(len(rows), tuple(Item(one, one.memory.body, 0) for one in newest))


_UNTOLD = ", ".join(f"'{kind}'" for kind in kinds.in_order(set(Kind) - kinds.having("changed")))
# Left to itself SQLite takes the index of the project, and reads all of its memories.
_CHANGED = f"""
select row from (
  select row, project, trust, kind, subtype, status, evidence, created_at, updated_at
  from memories indexed by memories_by_time
  where updated_at > :at order by updated_at desc, row desc limit {REACH}
)
where project = :project and trust <> '{Trust.UNTRUSTED}' and kind not in ({_UNTOLD})
  and status in ('{Status.ACTIVE}', '{Status.RESOLVED}') and subtype <> '{LINT_RULE}'
  and not (created_at > :at and instr(evidence, :own) > 0)
order by updated_at desc, row desc limit :most
"""
