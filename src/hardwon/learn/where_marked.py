"""On which branch something was marked: written down when it is, from the folder that it was marked in."""

from __future__ import annotations

from hardwon import git_head
from hardwon.memories import marked
from hardwon.memory import GLOBAL
from hardwon.redact import border
from hardwon.store.connection import Store
from hardwon.store.tables import branches, memories, spoken
from hardwon.text.branches.fact import Fact, What


def record(store: Store, id: str | None, folder: str, now: int, host: str = "", session: str = "") -> None:
    """Only the id, so that what becomes of the memory is what is told of it. Of what holds everywhere nothing."""
    memory = memories.get(store, id) if id and folder else None
    if memory is None or memory.scope.project == GLOBAL or not marked.can_be(memory):
        return
    head = git_head.read(folder)
    if not head.branch:
        return
    fact = Fact(
        What.MARK, head.branch, memory.id, state=str(memory.kind), how="marked", worktree=head.root, at=now,
        host=host, session=_gone_on_as(store, host, session), key=f"mark:{memory.id}",
    )  # fmt: skip
    branches.record(store, memory.scope.project, [fact])


def _gone_on_as(store: Store, host: str, session: str) -> str:
    """A client's server is not told of /clear."""
    session = border.identifier(session, store.redactor)
    seen = {session}
    while session and (after := spoken.went_on_as(store, host, session)) and after not in seen:
        seen.add(after)
        session = after
    return session
