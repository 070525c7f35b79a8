"""A handoff: what somebody says that the next session must know, filled in with what can be seen of this one."""

from __future__ import annotations

from hardwon.learn import sessions
from hardwon.memory import Draft, Kind, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.changes import Noted, Outcome
from hardwon.store.connection import Store
from hardwon.store.tables import handoffs
from hardwon.text import handover
from hardwon.text.handover import Handover


class NothingToHandOver(ValueError):
    """Neither was anything said, nor is there a session to tell of."""


def make(
    store: Store,
    given: Handover,
    note: str,
    project: str,
    now: int,
    *,
    trust: Trust,
    author: str = "",
    session: tuple[str, str] | None = None,
) -> Noted:
    """`session`: the client and the id of the one that hands off. A later one of it takes the earlier one's place."""
    seen = sessions.derived(store, *session) if session else Handover()
    whole = handover.merged(given, seen)
    body = "\n".join(filter(None, (handover.text(whole), note.strip())))
    if not body:
        raise NothingToHandOver
    draft = Draft(
        kind=Kind.HANDOFF,
        body=body,
        scope=Scope(project),
        trust=trust,
        source="user" if trust is Trust.USER else "agent",
        title=whole.goal[:120] or note.strip().partition("\n")[0][:120],
        author=author,
        evidence=(f"session {session[1]}",) if session else (),
    )
    with store.transaction():
        noted = changes.note(store, changes.passed(store, draft), now)
        if noted.id and noted.outcome is Outcome.CREATED and session:
            _replace_earlier(store, project, session[1], noted.id, now)
    return noted


def _replace_earlier(store: Store, project: str, session: str, new: str, now: int) -> None:
    for way in handoffs.ways(store, project):
        if way.memory.id != new and f"session {session}" in way.memory.evidence and way.taken_at is None:
            changes.move(store, way.memory.id, Status.ARCHIVED, now, reason="the same session handed off again")
