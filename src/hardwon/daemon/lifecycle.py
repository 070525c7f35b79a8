"""Starting, stopping and asking the daemon, from the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

from hardwon.daemon import ask, lock
from hardwon.paths import Home

READY = 5.0
LEAVE = 25.0
"""Seconds for one that is leaving: it writes down what it still has."""
BEGIN = 3.0
"""Seconds in which one that was told to leave says that it does."""


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
    root = str(home.root)
    if not lock.is_held(root):
        return False
    pid, _ = lock.holder(root)
    if ask.ask_socket(home.socket, "leave") is None and pid:
        _signal(pid, signal.SIGTERM)
    # Who leaves takes its id off the lock first.
    is_deaf = not _gone(root, BEGIN) and pid is not None and lock.holder(root)[0] == pid
    if (is_deaf or not _gone(root, LEAVE)) and pid:
        _signal(pid, signal.SIGKILL)
        _gone(root, 2.0)
    return True


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _gone(root: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while lock.is_held(root):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
