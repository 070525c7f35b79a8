"""Anchors that are made from what a statement says (`acts.py` makes them): how they begin. Nearly every command shows
anchors, and few make any."""

from __future__ import annotations

from hardwon.memory import Anchor, AnchorKind

ACT, NAMES, SORT = "act:", "names:", "sort:"


def is_made(anchor: Anchor) -> bool:
    """One that is made from what a statement says, for finding it: nobody has given it, so nobody needs to see it."""
    return anchor.kind is AnchorKind.TOPIC and anchor.value.startswith((ACT, NAMES, SORT))
