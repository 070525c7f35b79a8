"""Handoffs on their way: which wait for a session, to whom one was said, and whether that session has surely read it.

A handoff is a memory; who got it stands here. Said is not taken: a window that was opened and closed again has read
nothing. Taken means that the client's model has worked in that session since.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.memory import GLOBAL, Kind, Memory, Status
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories

MOST = 20


@dataclass(frozen=True, slots=True)
class Way:
    """How far one handoff has come."""

    memory: Memory
    host: str = ""
    session: str = ""
    """To which it was said; empty while it waits."""
    offered_at: int = 0
    taken_at: int | None = None

    @property
    def state(self) -> str:
        if self.taken_at is not None or self.memory.status is Status.RESOLVED:
            return "taken"
        return "said" if self.offered_at else "waiting"


def ways(store: Store, project: str, *, all_: bool = False) -> list[Way]:
    """Those of a project, the newest first; with `all_` those that were taken, too."""
    statuses = (Status.ACTIVE, Status.RESOLVED) if all_ else (Status.ACTIVE,)
    which = memories.Filter(projects=(project, GLOBAL), kinds=(Kind.HANDOFF,), statuses=statuses)
    found = sorted(memories.listed(store, which, MOST)[0], key=lambda one: (-one.created_at, one.id))
    return [_way(store, one) for one in found]


def way(store: Store, memory: Memory) -> Way:
    return _way(store, memory)


def _way(store: Store, memory: Memory) -> Way:
    row = store.row(
        "select coalesce(s.host, ''), coalesce(s.id, ''), h.offered_at, h.taken_at from handoffs h"
        " left join sessions s on s.row = h.session where h.memory = ?",
        (memory.id,),
    )
    return Way(memory, *row) if row else Way(memory)


def offer(store: Store, memory: str, host: str, session: str, at: int) -> None:
    """It was said to this session."""
    with store.transaction():
        store.db.execute(
            "insert into handoffs (memory, session, offered_at) values"
            " (?, (select row from sessions where host = ? and id = ?), ?)"
            " on conflict (memory) do update set session = excluded.session, offered_at = excluded.offered_at"
            " where taken_at is null",
            (memory, host, session, at),
        )


def proved(store: Store, host: str, session: str, at: int) -> list[str]:
    """The session has gone on working since: what was said to it is taken. Their ids."""
    rows = store.rows(_SAID, (host, session, at))
    with store.transaction():
        for (memory,) in rows:
            store.db.execute("update handoffs set taken_at = ? where memory = ?", (at, memory))
            known = memories.get(store, memory)
            if known and known.status is Status.ACTIVE:
                changes.move(store, memory, Status.RESOLVED, at, reason=f"taken by session {session[:8]}")
    return [memory for (memory,) in rows]


_SAID = """
select h.memory from handoffs h join sessions s on s.row = h.session
where s.host = ? and s.id = ? and h.taken_at is null and h.offered_at < ?
"""


def given_back(store: Store, host: str, session: str) -> None:
    """The session ended without a sign that it read what was said to it."""
    with store.transaction():
        store.db.execute(
            "delete from handoffs where taken_at is null"
            " and session = (select row from sessions where host = ? and id = ?)",
            (host, session),
        )


def reopen(store: Store, memory: str, now: int) -> None:
    """It waits for the next session again."""
    with store.transaction():
        store.db.execute("delete from handoffs where memory = ?", (memory,))
        known = memories.get(store, memory)
        if known and known.status is not Status.ACTIVE:
            changes.move(store, memory, Status.ACTIVE, now, reason="reopened")


def forget(store: Store, memory: str) -> None:
    store.db.execute("delete from handoffs where memory = ?", (memory,))
