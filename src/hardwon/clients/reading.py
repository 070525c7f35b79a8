"""Reading a client's log of a session: in portions, and from where the last reading ended.

A log may be a gigabyte and may be growing. So its events come a portion at a time, each with the place in the file
from which the next reading goes on; nothing is held longer than its portion.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardwon.clients.log_lines import lines
from hardwon.event import Event

MOST_EVENTS = 200
MOST_TEXT = 2_000_000
"""Characters in the events of a portion."""
MOST_BYTES = 16_000_000
"""Of the file in a portion, whether there are events in it or not: so far it was read, and that shall be known."""


class Reading:
    """One log that grows, and how far it was read. A client's own class says what a line means."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = 0

    def portions(self, offset: int = 0) -> Iterator[list[Event]]:
        """Events after `offset` that were not given yet; meanwhile `end` is where the next reading goes on.

        What stands before it is read too, once: a line after it may only be understood with one before it.
        """
        if self.path.stat().st_size < self.end:  # another file under the same name
            self._forget()
        self._go_to(offset)
        found: list[Event] = []
        text, begun = 0, self.end
        for end, line in lines(self.path, self.end):
            events = self._events(line)
            self.end = end
            if end > offset and events:
                found += events
                text += sum(len(event.text) + len(event.error) for event in events)
            if len(found) >= MOST_EVENTS or text >= MOST_TEXT or end - begun >= MOST_BYTES:
                yield found
                found, text, begun = [], 0, end
        if found or self.end > begun:
            yield found

    def after(self, offset: int) -> list[Event]:
        """All of them at once, of a log that is known to be small."""
        return [event for portion in self.portions(offset) for event in portion]

    def _forget(self) -> None:
        self.end = 0

    def _go_to(self, offset: int) -> None:
        """Begin at an offset without what stands before it, where a client's lines allow that."""

    def _events(self, line: bytes) -> Sequence[Event]:
        raise NotImplementedError


def milliseconds(timestamp: str) -> int:
    """Of a time as clients write it: ISO 8601, UTC where nothing else is said."""
    at = datetime.datetime.fromisoformat(timestamp)
    return int((at if at.tzinfo else at.replace(tzinfo=datetime.UTC)).timestamp() * 1000)
