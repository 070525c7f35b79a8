"""Forgetting a session: what was said and done in it leaves the journal, and is not kept again.

Its entries go, and with them passages, their index and their vectors; events of it that wait in the spool go, too. What
stays is its id, with the moment up to which nothing of it is taken in: its transcript, read again, brings nothing back.
What was learned from it is memories like all others, and stays unless it is forgotten as such.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardwon.store.connection import Store
from hardwon.store.erasure import forget, spooled
from hardwon.store.maintenance import retention
from hardwon.store.tables import branches, jobs, session_notes

SHOWN = 8
"""Characters of an id that are shown, if no other one begins like this."""
SHORTEST = 4


class UnknownSession(LookupError):
    """No session has this id; says what to do."""


@dataclass(frozen=True, slots=True)
class Session:
    row: int
    host: str
    id: str
    started_at: int
    last_at: int


def short(store: Store, id: str) -> str:
    """As many of its first characters as tell it from all others."""
    others = [other for (other,) in store.rows("select distinct id from sessions where id <> ?", (id,))]
    length = SHOWN
    while length < len(id) and any(other.startswith(id[:length]) for other in others):
        length += 4
    return id[:length]


def find(store: Store, reference: str) -> Session:
    """The session whose id begins like this; with the client and a colon before it, that client's."""
    wanted = reference.strip()
    if len(wanted) < SHORTEST:
        raise UnknownSession(f'"{reference}" is too short for a session: give its first characters, at least four.')
    rows = store.rows(_FIND, {"wanted": wanted})
    exact = [row for row in rows if wanted in (row[2], f"{row[1]}:{row[2]}")]
    if len(found := exact or rows) == 1:
        return Session(*found[0])
    if found:
        longer = ", ".join(f"{row[1]}:{short(store, row[2])}" for row in found[:5])
        raise UnknownSession(f'"{reference}" fits {len(found)} sessions ({longer}): give more of its characters.')
    raise UnknownSession(
        f'No session that is kept has the id "{reference}": `hardwon search --sessions QUERY` shows their ids, '
        "`hardwon sessions` those that left a summary."
    )


_FIND = """
select row, host, id, started_at, last_at from sessions
where :wanted in (substr(id, 1, length(:wanted)), substr(host || ':' || id, 1, length(:wanted))) order by last_at
"""


def entries(store: Store, session: Session) -> int:
    return int(store.value("select count(*) from journal where session = ?", (session.row,)))


def first_prompt(store: Store, session: Session) -> str:
    """By which a person knows it again; empty when none is kept."""
    sql = "select text from journal where session = ? and type = 'prompt_submitted' and text <> '' order by at limit 1"
    return str(store.value(sql, (session.row,)) or "")


def learned(store: Store, session: Session) -> list[str]:
    """The memories that were learned from it, or noted by an agent in it."""
    rows = store.rows(_LEARNED, (f'"{session.host}:{session.id}:', f'"session {session.id}"'))
    return [id for (id,) in rows]


_LEARNED = "select id from memories where instr(evidence, ?) > 0 or instr(evidence, ?) > 0 order by row"


def forget_session(store: Store, session: Session, now: int) -> int:
    """How many events were erased. Returns when the bytes are gone."""
    with store.transaction():
        store.set_meta("purge_due", "1")
        retention.mark_removed(store, session.host, session.id, max(now, session.last_at))
        store.db.execute("delete from journal where session = ?", (session.row,))
        erased = store.db.changes()
        session_notes.forget_session(store, session.row)
        store.db.execute("update showings set session = null where session = ?", (session.row,))
        store.db.execute("delete from sessions where row = ?", (session.row,))
        jobs.drop_session(store, session.host, session.id)
        branches.drop_session(store, session.host, session.id)
        erased += spooled.remove(store.home, session.host, session.id)
    forget.purge(store)
    return erased
