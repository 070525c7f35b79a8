from __future__ import annotations

from hardwon.cli.support.options import Id, Json, Reason
from hardwon.cli.verbs import lifecycle
from hardwon.memory import Status


def run(id: Id, reason: Reason = "", json: Json = False) -> None:
    """Put a memory away: never said, still found by search

    Example: `hardwon archive 7f3a1c`

    `hardwon reopen` brings it back.
    """
    lifecycle.change(id, "archive", "archived", json, lifecycle.move_to(Status.ARCHIVED, reason))
