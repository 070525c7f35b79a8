"""Texts of events that wait in the spool: files that a daemon puts there (`daemon/spool.py`), and that are no hiding
place for what is forgotten or scrubbed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardwon.paths import Home


def change(home: Home, changed: Callable[[Any], Any], *, dry_run: bool = False, drafts: bool = True) -> int:
    """Every file with what this leaves of its payload; how many it changed. Half a file, which a killed process has
    left, goes with `drafts`: no daemon would read it."""
    if not home.spool.is_dir():
        return 0
    count = 0
    for path in sorted(home.spool.iterdir()):
        try:
            line = json.loads(path.read_bytes()) if path.suffix == ".json" else {}
            left = line | {"payload": changed(line["payload"])}
        except (OSError, ValueError, KeyError, TypeError):
            if drafts and not dry_run:
                path.unlink(missing_ok=True)
            continue
        if left == line:
            continue
        count += 1
        if not dry_run:
            _write(path, json.dumps(left))  # as `daemon/spool.py` writes them: half an emoji is no UTF-8
    return count


def remove(home: Home, host: str, session: str) -> int:
    """Delete the events of one session, and half files, which may be of it; how many events."""
    count = 0
    for path in sorted(home.spool.iterdir()) if home.spool.is_dir() else ():
        try:
            line = json.loads(path.read_bytes()) if path.suffix == ".json" else {}
            theirs = (line["host"], line["payload"]["session_id"]) == (host, session)
        except (OSError, ValueError, KeyError, TypeError):
            path.unlink(missing_ok=True)
            continue
        if theirs:
            path.unlink(missing_ok=True)
            count += 1
    return count


def _write(path: Path, text: str) -> None:
    """Whole or not at all. What a daemon has taken in meanwhile it takes in once more, and knows already."""
    draft = path.with_suffix(".cut")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    draft.rename(path)
