"""What was marked in a session, or on a branch: decisions, open tasks, traps. Nothing here is guessed from a text:
a person or an agent said that this is one, and it still holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hardwon.memory import Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories

SOURCES = ("marked", "agreed", "agent", "user", "prompt")
"""Who says that it is one: an agent with the person's words, an agent, a person, and what a person plainly said."""
DECIDED = (Kind.DECISION, Kind.CONSTRAINT, Kind.RULE)
MOST = 30


@dataclass(frozen=True, slots=True)
class Marked:
    """Each newest first."""

    decisions: tuple[Memory, ...] = ()
    tasks: tuple[Memory, ...] = ()
    traps: tuple[Memory, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.tasks or self.traps)


def of_session(store: Store, host: str, session: str) -> Marked:
    """By the evidence of each memory: `host:session:prompt` of a person's words, `session ID` of an agent's note."""
    if not session:
        return Marked()
    own = json.dumps(f"{host}:{session}:", ensure_ascii=False)[:-1]
    noted = json.dumps(f"session {session}", ensure_ascii=False)
    bound = {"host": host, "session": session, "own": own, "noted": noted, "most": MOST}
    ids = [id for (id,) in store.rows(_OF_SESSION, bound)]
    return sorted_out(memories.by_ids(store, ids).values()) if ids else Marked()


# What was marked in a session is not older than the session.
_OF_SESSION = f"""
select id from memories indexed by memories_by_time
where updated_at >= (select started_at from sessions where host = :host and id = :session)
  and status = '{Status.ACTIVE}' and (instr(evidence, :own) > 0 or instr(evidence, :noted) > 0)
order by updated_at desc, row desc limit :most
"""


def of_branch(store: Store, ids: Iterable[str]) -> Mapping[str, Memory]:
    """Of what was marked there, what still holds."""
    wanted = list(dict.fromkeys(ids))[-MOST:]
    found = memories.by_ids(store, wanted) if wanted else {}
    return {id: one for id, one in found.items() if holds(one)}


def holds(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and memory.trust is not Trust.UNTRUSTED and memory.source in SOURCES


def sorted_out(found: Iterable[Memory]) -> Marked:
    known = sorted((one for one in found if holds(one)), key=lambda one: (-one.created_at, one.id))
    return Marked(
        tuple(one for one in known if one.kind in DECIDED),
        tuple(one for one in known if one.kind is Kind.TASK),
        tuple(one for one in known if is_trap(one)),
    )


def can_be(memory: Memory) -> bool:
    """Whether a mark of it is told of: also while it waits for a person's word, for it may get that."""
    return memory.source in SOURCES and (memory.kind in (*DECIDED, Kind.TASK, Kind.LESSON) or is_trap(memory))


def is_trap(memory: Memory) -> bool:
    """A failure that somebody marked, or a note of that sort."""
    return memory.kind is Kind.FAILURE or (memory.kind is Kind.LESSON and memory.subtype == "gotcha")
