"""What the hook client does when there is no daemon: start one, and deliver through a process that nobody waits for.

`client.py` runs this text when it can't connect. Like it, it imports only built-in modules and is copied into the home.
"""

import _signal  # type: ignore[import-not-found]
import _socket
import posix
import sys

START = 5.0
"""Seconds that the orphaned process waits for a daemon that it has started."""


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
        posix.execv(start[0], [*start, b"serve"])
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


def connect(path: str):  # type: ignore[no-untyped-def]  # annotations would need an import
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        if not path.endswith("/daemon.sock"):  # as in `client.py`
            folder = posix.lstat(path.rpartition("/")[0])
            if (folder.st_uid, folder.st_mode & 0o170077) != (posix.getuid(), 0o040000):
                raise PermissionError
        connection.connect(path)
    except OSError:
        return None
    return connection


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
