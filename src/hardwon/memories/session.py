"""What holds in a session: after compaction the client has forgotten it, and the person need not say it again."""

from __future__ import annotations

import json

from hardwon import kinds
from hardwon.event import EventType
from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories

MOST, TOKENS = 10, 500
REACH = 20_000
"""The last changes that are looked through."""
LONGEST_REQUEST = 300
_WORDS = 4
"""Fewer are an answer ("yes", "go on"), not a request."""
KINDS = kinds.in_order(kinds.having("session"))


def current(store: Store, host: str, session: str) -> list[Item]:
    """Tasks, constraints and decisions that were said in this session and hold, newest first."""
    own = json.dumps(f"{host}:{session}:", ensure_ascii=False)[:-1]
    rows = [row for (row,) in store.rows(_OF_SESSION, {"host": host, "session": session, "own": own, "most": MOST})]
    found = memories.by_rows(store, rows) if rows else {}
    return fit([Ranked(Candidate(found[row], coverage=1.0), 1.0) for row in rows if row in found], MOST, TOKENS)


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


def request(store: Store, host: str, session: str) -> str:
    """What the person last asked for, in their words: the session's current task. Empty when nothing tells."""
    for (text,) in store.rows(_PROMPTS, (host, session)):
        flat = " ".join(str(text).split())
        if len(flat.split()) >= _WORDS or (not flat.isascii() and len(flat) >= 2 * _WORDS):
            return flat if len(flat) <= LONGEST_REQUEST else flat[: LONGEST_REQUEST - 1] + "…"
    return ""


_PROMPTS = f"""
select j.text from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = '{EventType.PROMPT_SUBMITTED}' and j.agent = ''
order by j.at desc, j.row desc limit 20
"""
