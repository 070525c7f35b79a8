"""The daemon's log: what went wrong at the host boundary, and what upkeep removed; a short redacted line each.

It stays small. `doctor` shows the last thing that went wrong.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import shared_redactor

MOST_BYTES = 500_000
UPKEEP = "upkeep: "
"""So begins what is told and is no incident."""


def record(home: Home, settings: Settings, what: str) -> None:
    """Without what the user's own rules find, too. Never raises: there is nowhere left to say it. Never makes a home:
    it may have been removed."""
    with contextlib.suppress(OSError):
        home.log.parent.mkdir(mode=0o700, exist_ok=True)
        if home.log.exists() and home.log.stat().st_size > MOST_BYTES:
            home.log.replace(home.log.with_suffix(".old.log"))
        line = " ".join(shared_redactor(settings).text(what).split())[:500]
        _append(home.log, f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n")


def last(home: Home) -> str:
    """The last thing that went wrong; empty when nothing did."""
    lines = home.log.read_text(encoding="utf-8", errors="replace").splitlines() if home.log.exists() else []
    return next((line for line in reversed(lines) if not line.partition(" ")[2].startswith(UPKEEP)), "")


def _append(path: Path, line: str) -> None:
    import os

    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, line.encode("utf-8", "replace"))
    finally:
        os.close(handle)
