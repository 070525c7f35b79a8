"""One connection: it is read to its end, handed on, answered and closed.

A protocol and not a stream: a stream would wake a task for each piece that arrives, and the client waits meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

MOST_BYTES = 32_000_000
PATIENCE = 10.0
"""Seconds for a message to arrive whole."""
PARTING = 2.0
"""Seconds for a client to take its reply."""

Handler = Callable[[bytes], Awaitable[bytes]]
Refused = Callable[[str], None]


class Listening(asyncio.Protocol):
    """`handle` gets the whole message and gives the reply; `refuse` is told of messages that never became whole."""

    def __init__(self, handle: Handler, refuse: Refused, count: Callable[[int], None]) -> None:
        self.handle = handle
        self.refuse = refuse
        self.count = count
        self.pieces: list[bytes] = []
        self.size = 0
        self.transport: asyncio.Transport | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.count(1)
        self._within(PATIENCE, f"a message that was not whole after {PATIENCE:g} seconds")

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)
        self.size += len(data)
        if self.size > MOST_BYTES and self.task is None:
            self._give_up(f"a message of more than {MOST_BYTES} bytes")

    def eof_received(self) -> bool:
        """True: the client has said what it had to say, and may be waiting for the reply."""
        if self.task is None and self.transport and not self.transport.is_closing():
            self._end_of_patience()
            self.task = asyncio.get_running_loop().create_task(self._answer(b"".join(self.pieces)))
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  the client has gone, whatever the reason
        self._end_of_patience()
        self.count(-1)

    async def _answer(self, message: bytes) -> None:
        reply = await self.handle(message)
        assert self.transport
        if reply and not self.transport.is_closing():
            self._within(PARTING, "a reply that nobody took")
            self.transport.write(reply)
        self.transport.close()  # when all is written

    def _within(self, seconds: float, problem: str) -> None:
        self.timer = asyncio.get_running_loop().call_later(seconds, self._give_up, problem)

    def _end_of_patience(self) -> None:
        if self.timer:
            self.timer.cancel()

    def _give_up(self, problem: str) -> None:
        self._end_of_patience()
        self.refuse(problem)
        assert self.transport
        self.transport.abort()
