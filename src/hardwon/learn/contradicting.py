"""A decision that chooses what an earlier one has turned down: it waits for the person to say which one holds.

A passing proposal ("let's use MySQL for the orders table") must not stand beside the decision against it as if both
held. About the very same subject the later one takes the earlier one's place, as ever: see `prompts.keep_extra`.
"""

from __future__ import annotations

import re

from hardwon.learn.prompts import SUBJECT
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Memory, Trust
from hardwon.recall import decisions
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.understand import wishes

_THEN = r"(?:\s+v?\d[\w.]*)?(?:\s+(?:for|in|on|at|as|with|to|after|again|now|here|instead|everywhere)\b|\W|$)"
"""What may follow the name of a tool: its version, where it is used."""


def turned_down(store: Store, draft: Draft) -> Memory | None:
    """The decision against what this one chooses, where the two don't have the same subject."""
    if draft.kind is not Kind.DECISION or draft.source != "prompt":
        return None
    chosen = [decisions.bare(one.chosen) for one in wishes.read(draft.body).decisions if one.chosen]
    found = decisions.deciding(store, projects.canonical(store, draft.scope.project), chosen) if chosen else []
    against = [one for one in found if one.trust.rank >= draft.trust.rank and _choice(one, chosen)]
    if any(_subjects(one.anchors) & _subjects(draft.anchors) for one in against):
        return None
    return next(iter(against), None)


def ask(store: Store, id: str, draft: Draft, other: Memory, now: int) -> None:
    """Say in `review` why it waits."""
    chosen = [decisions.bare(one.chosen) for one in wishes.read(draft.body).decisions]
    reason = f"it chooses {_choice(other, chosen)}, which {other.short_id} has turned down: which one holds?"
    changes.complain(store, id, Trust.UNTRUSTED, reason, now)


def _choice(against: Memory, chosen: list[str]) -> str:
    """What the one turned down and the other chooses; empty when there is nothing."""
    for one in against.rejected:
        name = decisions.bare(one.what)
        if len(name) > 1 and any(re.match(re.escape(name) + _THEN, choice) for choice in chosen):
            return one.what
    return ""


def _subjects(anchors: tuple[Anchor, ...]) -> set[Anchor]:
    return {one for one in anchors if one.kind is AnchorKind.TOPIC and one.value.startswith(SUBJECT)}
