"""Somebody who listens in the daemon's place, and the ways in which they may behave."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

from hardwon.hook import install
from tests.daemon.running import Daemon

Behaviour = Callable[[socket.socket, threading.Event], None]
"""What somebody does with a connection, until it is over."""


@contextlib.contextmanager
def peer(daemon: Daemon, behave: Behaviour) -> Iterator[None]:
    """Somebody who listens in the daemon's place."""
    install.refresh(daemon.home)
    over = threading.Event()
    kept: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(daemon.home.socket))
        server.listen()

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                kept.append(connection)
                connection.settimeout(5)
                with contextlib.suppress(OSError):
                    behave(connection, over)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            for connection in kept:
                connection.close()


def everything(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


def never_answers(connection: socket.socket, over: threading.Event) -> None:
    everything(connection)
    over.wait(10)


def never_reads(connection: socket.socket, over: threading.Event) -> None:
    over.wait(10)


def one_byte_at_a_time(connection: socket.socket, over: threading.Event) -> None:
    while not over.wait(0.05):
        connection.sendall(b"x")


def closes_at_once(connection: socket.socket, over: threading.Event) -> None:
    connection.close()


def closes_after_reading(connection: socket.socket, over: threading.Event) -> None:
    everything(connection)
    connection.close()


def resets(connection: socket.socket, over: threading.Event) -> None:
    import struct

    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


PEERS = [never_answers, never_reads, one_byte_at_a_time, closes_at_once, closes_after_reading, resets]
