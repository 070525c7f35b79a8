"""The hot path: what a client runs on every event. It parses nothing, keeps nothing, and never fails.

    <python> -I -S client.py SOCKET HOST EVENT LIMIT_MS 2>/dev/null || :

It forwards standard input to the daemon and prints the reply. LIMIT_MS is the wall-clock limit for an answer; 0 means
that none is due. Only built-in modules are imported: `import json` alone would double its time. It is copied into the
home (`hook/install.py`), so that it runs when the package is gone.
"""

import _signal  # type: ignore[import-not-found]
import _socket
import posix
import sys

VERSION = "@VERSION@"
DELIVER = 0.25
"""Seconds for an event that needs no answer."""
START = 5.0
"""Seconds that the orphaned helper waits for a daemon that it has started."""


def main() -> None:
    if b"HARDWON_GUARD" in posix.environ:  # hardwon's own model call: not to be observed
        return
    _, socket_path, host, event, limit = sys.argv
    due = int(limit) / 1000
    _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, due or DELIVER)
    header = f"1 {VERSION} {host} {event} {limit}\n".encode()
    connection = connect(socket_path)
    if connection is None:
        without_daemon(socket_path, header, due)
        return
    connection.sendall(header)
    while piece := posix.read(0, 65536):
        connection.sendall(piece)
    connection.shutdown(_socket.SHUT_WR)
    if due:
        show(connection)


def connect(path: str):  # type: ignore[no-untyped-def]  # annotations would need an import
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        return None
    return connection


def show(connection) -> None:  # type: ignore[no-untyped-def]
    reply = b""
    while piece := connection.recv(65536):
        reply += piece
    if reply:
        posix.write(1, reply)


def without_daemon(path: str, header: bytes, due: float) -> None:
    """Start the daemon and deliver through an orphan; wait for its answer only if one is due."""
    answer, report = posix.pipe()
    if posix.fork() == 0:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        posix.setsid()
        orphan(path, header, report)
        posix._exit(0)
    posix.close(report)
    if due:
        reply = b""
        while piece := posix.read(answer, 65536):
            reply += piece
        if reply:
            posix.write(1, reply)


def orphan(path: str, header: bytes, report: int) -> None:
    """Nobody waits for this process. It holds the event in memory: raw events never touch the disk."""
    nowhere = posix.open("/dev/null", posix.O_RDWR)
    posix.dup2(nowhere, 1)
    posix.dup2(nowhere, 2)
    _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, START * 2)
    payload = b""
    while piece := posix.read(0, 65536):
        payload += piece
    posix.dup2(nowhere, 0)
    start = read(sys.argv[0].rpartition("/")[0] + "/start").split(b"\n")
    if posix.fork() == 0:
        posix.setsid()
        posix.execv(start[0], [*start, b"run"])
    connection = retry(path)
    if connection is None:
        spool(start, header + payload)
        return
    connection.sendall(header + payload)
    connection.shutdown(_socket.SHUT_WR)
    while piece := connection.recv(65536):
        posix.write(report, piece)


def retry(path: str):  # type: ignore[no-untyped-def]
    """A daemon that was just started, as soon as it listens."""
    import time

    for _ in range(int(START / 0.01)):
        if connection := connect(path):
            return connection
        time.sleep(0.01)
    return None


def spool(start: list[bytes], message: bytes) -> None:
    """No daemon to be had: hand the event to a process that redacts it before it writes it down."""
    source, target = posix.pipe()
    if posix.fork() == 0:
        posix.dup2(source, 0)
        posix.close(target)
        posix.execv(start[0], [*start, b"spool"])
    posix.close(source)
    while message:
        message = message[posix.write(target, message) :]


def read(path: str) -> bytes:
    handle = posix.open(path, posix.O_RDONLY)
    return posix.read(handle, 65536).strip(b"\n")


if __name__ == "__main__":
    try:
        main()
    finally:  # whatever happened, the client must not notice
        posix._exit(0)
