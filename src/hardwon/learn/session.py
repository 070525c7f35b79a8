"""Learning from one session: read its journal, derive, keep what is new."""

from __future__ import annotations

from hardwon.learn.derive import Learned, derive
from hardwon.memory import LinkKind
from hardwon.store import changes, journal, memories
from hardwon.store.connection import Store


def learn(store: Store, host: str, session: str, now: int) -> int:
    """How many memories are new."""
    found = derive(list(journal.of_session(store, host, session)))
    return sum(_keep(store, learned, now) for learned in found if learned.draft.scope.project)


def _keep(store: Store, learned: Learned, now: int) -> int:
    with store.transaction():
        noted = changes.note(store, learned.draft, now)
        if noted.outcome is changes.Outcome.CREATED and learned.fixes and noted.id:
            failure = memories.by_origin(store, learned.fixes)
            if failure:
                changes.link(store, noted.id, LinkKind.FIXES, failure, now)
        return int(noted.outcome is changes.Outcome.CREATED)
