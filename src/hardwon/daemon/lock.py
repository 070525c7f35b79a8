"""One daemon per home, by a file lock that the operating system drops when the process dies."""

import contextlib
import fcntl
import os
import time

from hardwon import __version__

WAIT = 10.0
"""Seconds for one that was asked to leave."""


def take(home: str) -> int | None:
    """The lock's handle; None when a daemon of this version runs already."""
    os.makedirs(home, 0o700, exist_ok=True)  # noqa: PTH103
    handle = os.open(os.path.join(home, "daemon.lock"), os.O_CREAT | os.O_RDWR, 0o600)  # noqa: PTH118
    if (_try(handle) or (_hand_over(home) and _wait(handle, home))) and _is_in(handle, home):
        with contextlib.suppress(OSError):  # on a full disk it is not known who holds it, but it is held
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()} {__version__}\n".encode())
        return handle
    os.close(handle)
    return None


def _is_in(handle: int, home: str) -> bool:
    """Whether this is the home's lock still: it may have been removed, with the home, while it was waited for."""
    return _is_same(os.path.join(home, "daemon.lock"), os.fstat(handle))  # noqa: PTH118


def tell_leaving(handle: int) -> None:
    """A starter waits for the lock from now on."""
    os.ftruncate(handle, 0)


def release(handle: int) -> None:
    os.close(handle)


def _try(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _hand_over(home: str) -> bool:
    """Ask a daemon of an older version to drain and go; True when the holder of the lock is leaving."""
    pid, version = holder(home)
    if pid is None:  # it is leaving just now, or has come just now
        return True
    if version == __version__:  # before anything is imported: most starters are done here
        return False
    from hardwon.daemon.version import is_newer

    if not is_newer(__version__, version):
        return False
    from hardwon.daemon import ask

    return ask.ask(home, "leave") is not None


def _wait(handle: int, home: str) -> bool:
    """Until it is free; given up when another one of this version has been faster."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        if _try(handle):
            return True
        if holder(home)[1] == __version__:
            return False
        time.sleep(0.02)
    return False


def holder(home: str) -> tuple[int | None, str]:
    """The process that last took the lock and its version; it may be gone."""
    try:
        with open(os.path.join(home, "daemon.lock"), encoding="ascii") as file:  # noqa: PTH118, PTH123
            pid, _, version = file.read().strip().partition(" ")
        return int(pid), version
    except (OSError, ValueError):
        return None, ""


def is_held(home: str) -> bool:
    try:
        handle = os.open(os.path.join(home, "daemon.lock"), os.O_RDWR)  # noqa: PTH118
    except OSError:
        return False
    free = _try(handle)
    os.close(handle)
    return not free


def is_open_in(pid: int, home: str) -> bool:
    """Whether the process of this number has the home's lock open, so that it is the one that the lock names.

    The number alone does not say so: it counts where the process runs, and a home may be shared with a container, where
    other processes have the same numbers. Without /proc there are none of these, and the number is believed.
    """
    try:
        own = os.stat(os.path.join(home, "daemon.lock"))  # noqa: PTH116, PTH118
        if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112
            return True
        handles = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return False
    return any(_is_same(f"/proc/{pid}/fd/{handle}", own) for handle in handles)


def _is_same(path: str, known: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), known)  # noqa: PTH116
    except OSError:
        return False
