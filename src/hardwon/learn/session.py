"""Learning from one session: read its journal, derive, keep what is new."""

from __future__ import annotations

from hardwon.learn.derive import Learned, derive
from hardwon.memory import LinkKind, Status
from hardwon.store import changes, journal, memories
from hardwon.store.connection import Store


def learn(store: Store, host: str, session: str, now: int) -> int:
    """How many memories are new."""
    found = derive(list(journal.of_session(store, host, session)))
    return sum(_keep(store, learned, now) for learned in found if learned.draft.scope.project)


def _keep(store: Store, learned: Learned, now: int) -> int:
    with store.transaction():
        known = learned.draft.origin_key and memories.by_origin(store, learned.draft.origin_key)
        noted = changes.note(store, learned.draft, now)
        if learned.fixes and noted.id and not known:
            _fixed(store, learned.fixes, noted.id, now)
        return int(noted.outcome is changes.Outcome.CREATED)


def _fixed(store: Store, origin: str, fix: str, now: int) -> None:
    """Link the fix to its failure, which is resolved until it happens again."""
    id = memories.by_origin(store, origin)
    failure = memories.get(store, id) if id else None
    if failure is None:
        return
    changes.link(store, fix, LinkKind.FIXES, failure.id, now)
    if failure.status is Status.ACTIVE:
        changes.move(store, failure.id, Status.RESOLVED, now, reason=f"fixed by {fix[-6:]}")
