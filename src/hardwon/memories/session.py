"""What holds in a session: after compaction the client has forgotten it, and the person need not say it again.

What was asked last is not among it: the client's own summary has that.
"""

from __future__ import annotations

import json

from hardwon import kinds
from hardwon.memories import memory_lines
from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories

MOST, TOKENS = 10, 500
REACH = 20_000
"""The last changes that are looked through."""
KINDS = kinds.in_order(kinds.having("session"))


def current(store: Store, host: str, session: str) -> list[Item]:
    """Tasks, constraints and decisions that were said in this session and hold, newest first."""
    own = json.dumps(f"{host}:{session}:", ensure_ascii=False)[:-1]
    rows = [row for (row,) in store.rows(_OF_SESSION, {"host": host, "session": session, "own": own, "most": MOST})]
    found = memories.by_rows(store, rows) if rows else {}
    holding = memory_lines.holding(store, [found[row] for row in rows if row in found])
    return fit([Ranked(Candidate(memory, coverage=1.0), 1.0) for memory in holding], MOST, TOKENS)


# A session's memories are not older than the session: the newest changes are enough.
_OF_SESSION = f"""
select row from (
  select row, kind, status, trust, evidence, created_at, updated_at from memories indexed by memories_by_time
  where updated_at >= (select started_at from sessions where host = :host and id = :session)
  order by updated_at desc, row desc limit {REACH}
)
where kind in ({", ".join(f"'{kind}'" for kind in KINDS)}) and status = '{Status.ACTIVE}'
  and trust <> '{Trust.UNTRUSTED}' and instr(evidence, :own) > 0
order by created_at desc, row desc limit :most
"""
