from __future__ import annotations

from hardwon.memory import Status
from hardwon.surfaces.cli import lifecycle
from hardwon.surfaces.cli.options import Id, Json, Reason


def run(id: Id, reason: Reason = "", json: Json = False) -> None:
    """Put a memory away: never said, still found by search

    Example: `hardwon archive 7f3a1c`

    `hardwon reopen` brings it back.
    """
    lifecycle.change(id, "archive", "archived", json, lifecycle.move_to(Status.ARCHIVED, reason))
