"""One command, in a child of the runner: as the process that asked would have run it."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import signal
import socket
import sys
import time
import traceback

from hardwon import __version__
from hardwon.cli import app
from hardwon.cli.runner import client, peer
from hardwon.cli.support import caller
from hardwon.paths import home

PATIENCE = 1.0
"""Seconds for a command line to arrive whole."""
GO = 60.0
"""Seconds for the word to go: on a busy machine it may take a while, and who gives up hangs up."""
_OTHER_CODE = (b"HARDWON_CLIENTS", b"PYTHONPATH", b"PYTHONHOME")
"""Variables by which other code would be loaded than is loaded here."""


def run(connection: socket.socket, root: str) -> None:
    """Nothing is done before the other side says go."""
    connection.settimeout(PATIENCE)
    try:
        words = _asked(connection)
        _become(peer.of(connection), root, words)
        connection.sendall(b"r")
        connection.settimeout(GO)
        go, streams, _, _ = socket.recv_fds(connection, 1, 3)
        if go != b"g" or len(streams) != 3:
            return
    except (peer.Stranger, OSError, ValueError):
        return
    _use(streams, words[3], words[4])
    _end_with(connection)
    code = _code(words[5:])
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    connection.sendall(bytes([code & 0xFF]))
    os._exit(0)


def _asked(connection: socket.socket) -> list[str]:
    """The words of the message."""
    raw = connection.recv(client.LONGEST + 4)
    while len(raw) < 4 + int.from_bytes(raw[:4], "big"):
        if not (more := connection.recv(client.LONGEST)):
            raise ValueError("half a message")
        raw += more
    words = raw[4:].decode("utf-8", "surrogateescape").split("\0")
    if len(words) < 6 or words[:3] != [__version__, client.__file__, sys.prefix] or words[5] not in client.VERBS:
        raise ValueError("another version, or a verb that is not run here")
    return words


def _become(who: peer.Peer, root: str, words: list[str]) -> None:
    """Its environment, folder and mask; and who it is, for good."""
    if any(who.environment.get(name) for name in _OTHER_CODE):
        raise ValueError("other code is wanted")
    os.chdir(f"/proc/{who.pid}/cwd")
    os.umask(who.umask)
    os.environb.clear()
    os.environb.update(who.environment)
    time.tzset()
    if str(home().root) != root:
        raise ValueError("another home")
    caller.establish(who.pid, has_terminal=who.has_terminal)
    sys.argv[1:] = words[5:]


def _use(streams: list[int], errors_in: str, errors_out: str) -> None:
    """As Python opens them when it starts."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False), "utf-8", errors_in)  # noqa: SIM115
    sys.stdout = _written(1, errors_out, os.isatty(1))
    sys.stderr = _written(2, "backslashreplace", True)


def _written(number: int, errors: str, by_line: bool) -> io.TextIOWrapper:
    raw = open(number, "wb", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, "utf-8", errors, line_buffering=by_line)


def _end_with(connection: socket.socket) -> None:
    """Whoever interrupts the command ends what is done for it."""

    def look(*_: object) -> None:
        try:
            gone = connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            gone = False
        if gone:
            raise KeyboardInterrupt

    connection.setblocking(True)  # a limit would be waited for in there
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGIO, look)
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, fcntl.fcntl(connection, fcntl.F_GETFL) | os.O_ASYNC)
    look()  # it may have gone before that


def _code(argv: list[str]) -> int:
    """Run it; the exit status, with all that it printed written out. What nobody caught is shown as Python shows it."""
    try:
        app.run(argv)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    finally:
        if sys.exc_info()[0]:
            traceback.print_exc()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
