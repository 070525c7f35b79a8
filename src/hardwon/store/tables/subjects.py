"""What a decision is about: one decision per subject holds, a later one replaces it.

The subject is an anchor like any other (`topic=subject:database`), so a decision is found by it, and syncs with it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.changes import Noted, Refused
from hardwon.store.connection import Store
from hardwon.store.tables import memories

_MOST = 50


@dataclass(frozen=True, slots=True)
class Decided:
    noted: Noted
    replaced: tuple[Memory, ...] = ()


def anchor(key: str) -> Anchor:
    """Case and blanks don't count."""
    return Anchor(AnchorKind.TOPIC, f"subject:{' '.join(key.casefold().split())}")


def decide(store: Store, draft: Draft, key: str, now: int) -> Decided:
    """Keep a decision about this subject; what was decided about it here before is replaced.

    Refused when a person decided it and the draft is not a person's: then nothing is kept.
    """
    subject = anchor(key)
    draft = dataclasses.replace(draft, anchors=tuple(dict.fromkeys((subject, *draft.anchors))))
    with store.transaction():
        held = holding(store, subject, draft.scope.project)
        for one in held:
            _may_replace(one, draft.trust, key)
        noted = changes.note(store, draft, now, more=True)
        kept = memories.get(store, noted.id) if noted.id else None
        if kept is None or kept.status is not Status.ACTIVE:  # forgotten, or waiting for a person: what held, holds
            return Decided(noted)
        reason = f'decided again: "{" ".join(key.split())}"'
        replaced = [changes.supersede(store, one.id, kept.id, now, reason=reason) for one in held if one.id != kept.id]
        return Decided(noted, tuple(replaced))


def holding(store: Store, subject: Anchor, project: str) -> list[Memory]:
    """The decisions about a subject that hold in a project."""
    rows = [row for row, _ in memories.anchored(store, [subject], (project,), _MOST)]
    found = memories.by_rows(store, rows).values() if rows else ()
    return [one for one in found if one.kind is Kind.DECISION and one.status is Status.ACTIVE]


def _may_replace(memory: Memory, who: Trust, key: str) -> None:
    if memory.trust.rank > max(who.rank, Trust.VERIFIED.rank):
        raise Refused(
            f'A person decided about "{" ".join(key.split())[:60]}" ({memory.short_id}), and this call comes from an '
            f"agent. Nothing was kept; the person can `hardwon mark decision` in their own terminal, "
            f"or `hardwon wrong {memory.short_id}` puts it up for review."
        )
