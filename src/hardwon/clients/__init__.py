"""One module per client. Adding a client means adding one here, with its recorded messages under tests."""

from __future__ import annotations

from typing import Protocol

from hardwon.event import Heard, Reply


class Host(Protocol):
    """What the daemon asks of a host module."""

    NAME: str

    def named(self, payload: bytes) -> str: ...

    def hear(self, event_name: str, payload: bytes, at: int) -> Heard: ...

    def knows(self, event_name: str) -> bool: ...

    def speak(self, event_name: str, reply: Reply) -> bytes: ...


def find(name: str) -> Host | None:
    """The module for a client, loaded when it is first heard of."""
    if name == "claude-code":
        from hardwon.clients.claude_code import messages as claude_code

        return claude_code
    return None
