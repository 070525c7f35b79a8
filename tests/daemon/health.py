"""How a daemon is: what it says of itself, whether it works, and how much memory it may take."""

from __future__ import annotations

import time
from typing import Any

from tests.daemon.running import Daemon, until
from tests.daemon.session import Session

MEGABYTE = 1_000_000
MOST_MEMORY = 60 * MEGABYTE


def status(daemon: Daemon) -> dict[str, Any]:
    found = daemon.status()
    assert found is not None, "it does not answer"
    return found


def works(daemon: Daemon) -> None:
    """It answers, and what it is told is kept."""
    mark = f"still here at {time.monotonic_ns()}"
    Session(daemon, "works").prompt(mark)
    until(lambda: mark in [event.text for event in daemon.journal("works")], "it is kept")
