"""Starting, stopping and asking the daemon, from the command line."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import Any

from hardwon.daemon import ask, lock
from hardwon.paths import Home, remove_socket

READY = 5.0
LEAVE = 25.0
"""Seconds for one that is leaving: it writes down what it still has."""
BEGIN = 3.0
"""Seconds in which one that was told to leave says that it does."""


class StillRunning(Exception):
    """The daemon could not be stopped; shown to the user as it is."""

    def __init__(self, home: Home, pid: int | None) -> None:
        who = f"process {pid}" if pid else "a process"
        if pid and not lock.is_open_in(pid, str(home.root)):
            who = f"process {pid} of a container or another machine that shares this folder"
        super().__init__(
            f"The daemon of {home.root} still runs: {who} does not answer and could not be ended from here. "
            "End it where it was started, then try again."
        )


def status(home: Home) -> dict[str, Any] | None:
    """What the running daemon says of itself; None when none answers."""
    return ask.ask_socket(home.socket, "status")


def start(home: Home, *, how: str = "run") -> dict[str, Any] | None:
    """Start one unless it runs; None when it did not come up in time. `how` as in `__main__`: with the settings of this
    environment, or without."""
    if running := status(home):
        return running
    command = [sys.executable, "-E", "-P", "-m", "hardwon.daemon", str(home.root), how]
    nowhere = subprocess.DEVNULL
    # Through a shell that leaves at once: the daemon is then nobody's child.
    orphaned = ["/bin/sh", "-c", '"$@" &', "sh", *command]
    subprocess.run(orphaned, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True, check=False)
    until = time.monotonic() + READY
    while time.monotonic() < until:
        if running := status(home):
            return running
        time.sleep(0.02)
    return None


def stop(home: Home) -> bool:
    """Ask it to drain and go; one that does not answer is ended by its id. False when none ran."""
    ran = _stop(home)
    if not lock.is_held(str(home.root)):
        remove_socket(home)  # one that was killed could not do so
    return ran


def _stop(home: Home) -> bool:
    root = str(home.root)
    if not lock.is_held(root):
        return False
    pid, _ = lock.holder(root)
    if ask.ask_socket(home.socket, "leave") is None:
        _signal(root, pid, signal.SIGTERM)
    # Who leaves takes its id off the lock first.
    is_deaf = not _gone(root, pid, BEGIN) and pid is not None and lock.holder(root)[0] == pid
    if is_deaf or not _gone(root, pid, LEAVE):
        _signal(root, pid, signal.SIGKILL)
        if not _gone(root, pid, 2.0):
            raise StillRunning(home, pid)
    return True


def _signal(root: str, pid: int | None, number: int) -> None:
    """Never to a process that only has the same number: the daemon may run in a container that shares the home."""
    if pid is not None and lock.is_open_in(pid, root):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _gone(root: str, pid: int | None, seconds: float) -> bool:
    """Whether the lock is free within this time, or another daemon has it already."""
    until = time.monotonic() + seconds
    while lock.is_held(root) and lock.holder(root)[0] in (pid, None):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
