"""Kilo sends what OpenCode sends: it is the same plugin."""

from __future__ import annotations

from hardwon.clients.opencode.messages import HOOKS, PROBE, heard, knows, named, speak
from hardwon.event import Heard

__all__ = ["HOOKS", "NAME", "PROBE", "hear", "knows", "named", "speak"]

NAME = "kilo"


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    return heard(NAME, event_name, payload, at)
