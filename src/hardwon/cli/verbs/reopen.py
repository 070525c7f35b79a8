from __future__ import annotations

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context
from hardwon.cli.support.options import Id, Json, Reason
from hardwon.cli.verbs import lifecycle
from hardwon.memory import Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store


def run(id: Id, reason: Reason = "", json: Json = False) -> None:
    """Make a resolved, replaced, stale or archived memory active again

    Example: `hardwon reopen 7f3a1c --reason "it fails again"`

    What was said against it is dismissed, if a person reopens it.
    """

    def reopened(store: Store, memory: Memory) -> Memory:
        if memory.status is Status.CANDIDATE:
            fail(f"{memory.short_id} was never accepted: `hardwon review accept {memory.short_id}` does that.")
        with store.transaction():
            active = lifecycle.move_to(Status.ACTIVE, reason)(store, memory)
            if active.complaints and caller.trust() is Trust.USER:
                return changes.edit(store, memory.id, {"complaints": []}, context.now())
            return active

    lifecycle.change(id, "reopen", "reopened", json, reopened)
