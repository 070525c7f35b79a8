"""What a command does first: hand an everyday verb to the runner, if there is one. It imports what is built in.

In three steps, so that nothing is done twice: the runner says that it is ready, this process says go and hands over its
streams, and the runner says how it ended. Until go the command can be run here after all; a runner that comes too late
finds nobody, and holds no stream that somebody reads from.
"""

import _socket
import posix
import sys

from hardwon import __version__

VERBS = frozenset({"note", "recall", "check", "list", "show", "why", "search", "status"})
READY = 0.25
"""Seconds in which a runner says that it is ready; who is slower is not waited for."""
DONE = 120.0
"""Seconds for the command itself, more than any lock of the store is waited for."""
LONGEST = 60_000
"""Bytes of a command line: one that is longer does not fit into a socket's buffer."""
RUNNER, DAEMON = "cli.sock", "daemon.sock"


def run(argv: list[str]) -> int | None:
    """The exit status; None when the command is to be run here."""
    root = _home()
    if root is None or not argv or argv[0] not in VERBS or not _is_plain(argv):
        return None
    connection = _connected(f"{root}/{RUNNER}", READY)
    if connection is None:
        return None
    try:
        connection.sendall(_message(argv))
        if connection.recv(1) != b"r":
            return None
        connection.settimeout(DONE)
        connection.sendmsg([b"g"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, _streams())])
    except KeyboardInterrupt:
        return 130
    except OSError:  # it hangs, it has gone, it wants nothing of us
        return None
    return _done(connection)


def wish() -> None:
    """Tell a daemon that a runner would have been of use. Nobody waits for what it answers."""
    root = _home()
    connection = _connected(f"{root}/{DAEMON}", READY) if root else None
    if connection is not None:
        try:
            connection.sendall(f"1 {__version__} control runner 0\n".encode())
            connection.shutdown(_socket.SHUT_WR)
        except OSError:
            pass
        connection.close()


def _done(connection: _socket.socket) -> int:
    """From here on the command is the runner's, and is never run here as well."""
    try:
        if ended := connection.recv(1):
            return ended[0]
    except KeyboardInterrupt:
        return 130
    except OSError:
        pass
    posix.write(2, b"hardwon: what ran this command ended before it was done, so it is not known whether it was; "
                   b"`hardwon list` shows what is kept.\n")  # fmt: skip
    return 1


def _home() -> str | None:
    """As `hardwon.paths` finds it, where that is plain; the runner compares it with its own."""
    named, user = posix.environ.get(b"HARDWON_HOME", b"").strip(), posix.environ.get(b"HOME", b"")
    root = named or (user + b"/.hardwon" if user else b"")
    return root.decode("utf-8", "surrogateescape") if root.startswith(b"/") else None


def _is_plain(argv: list[str]) -> bool:
    """Whether the runner's streams would be like ours, and nobody is asked to type something."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if any(one is None or one.encoding != "utf-8" for one in streams) or sys.getfilesystemencoding() != "utf-8":
        return False
    return not ("-" in argv and posix.isatty(0))


def _message(argv: list[str]) -> bytes:
    """What is compared, then the command line. Who we are is not in it: the runner looks for itself."""
    own = [__version__, __file__, sys.prefix, sys.stdin.errors, sys.stdout.errors]
    words = "\0".join(str(one) for one in (*own, *argv)).encode("utf-8", "surrogateescape")
    if len(words) > LONGEST:
        raise OSError
    return len(words).to_bytes(4, "big") + words


def _streams() -> bytes:
    """The numbers of input, output and error, as the system takes them."""
    return b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))


def _connected(path: str, seconds: float) -> _socket.socket | None:
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(seconds)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection
