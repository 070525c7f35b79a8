"""What goes over the socket: one header line, then the client's own bytes.

1 <version of the sender> <host> <event> <limit in milliseconds>\\n
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    version: str
    host: str
    event: str
    limit: int
    payload: bytes


def parse(raw: bytes) -> Message:
    """ValueError when it is not one of ours."""
    header, newline, payload = raw.partition(b"\n")
    words = header.decode("ascii", "replace").split(" ")
    if not newline or len(words) != 5 or words[0] != "1" or not words[4].isdigit():
        raise ValueError("not a message of hardwon's hook client")
    return Message(words[1], words[2], words[3], int(words[4]), payload)
