"""The hot path: what a client runs on every event. It parses nothing, keeps nothing, and never fails.

    <python> -I -S client.py SOCKET HOST EVENT LIMIT_MS 2>/dev/null || :

It forwards standard input to the daemon and prints the reply. LIMIT_MS is the wall-clock limit for an answer; 0 means
that none is due. Only built-in modules are imported: `import json` alone would double its time. What is needed only
when there is no daemon stands in `starting.py`: every line here is compiled on every call. Both are copied into the
home (`hook/install.py`), so that they run when the package is gone.
"""

import _signal  # type: ignore[import-not-found]
import _socket
import posix
import sys

VERSION = "@VERSION@"
DELIVER = 0.25
"""Seconds for an event that needs no answer."""


def main() -> None:
    environ = posix.environ
    if b"HARDWON_GUARD" in environ:  # hardwon's own model call: not to be observed
        return
    enabled = environ.get(b"HARDWON_CONTROL_ENABLED") or environ.get(b"CODEMEMORY_ENABLED")
    if enabled and enabled.strip().lower() not in (b"", b"true", b"yes", b"on", b"1"):  # this session is switched off
        return
    _, socket_path, host, event, limit = sys.argv
    due = int(limit) / 1000
    _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, due or DELIVER)
    header = f"1 {VERSION} {host} {event} {limit}\n".encode()
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        if not socket_path.endswith("/daemon.sock"):  # not in the home: its folder may be somebody else's
            folder = posix.lstat(socket_path.rpartition("/")[0])
            if (folder.st_uid, folder.st_mode & 0o170077) != (posix.getuid(), 0o040000):
                raise PermissionError
        connection.connect(socket_path)
    except OSError:
        starting()["without_daemon"](socket_path, header, due)  # type: ignore[no-untyped-call]
        return
    connection.sendall(header + posix.read(0, 65536))
    while piece := posix.read(0, 65536):
        connection.sendall(piece)
    connection.shutdown(_socket.SHUT_WR)
    if due:
        show(connection)


def show(connection) -> None:  # type: ignore[no-untyped-def]
    reply = b""
    while piece := connection.recv(65536):
        reply += piece
    if reply:
        posix.write(1, reply)


def starting():  # type: ignore[no-untyped-def]  # annotations would need an import
    """What the file beside this one defines; there is no path to import it from."""
    path = sys.argv[0].rpartition("/")[0] + "/starting.py"
    names = {"__name__": "starting"}
    exec(posix.read(posix.open(path, posix.O_RDONLY), 65536), names)
    return names


if __name__ == "__main__":
    try:
        main()
    finally:  # whatever happened, the client must not notice
        posix._exit(0)
