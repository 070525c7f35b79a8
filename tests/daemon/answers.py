"""What was said to a session: the ids in it; and a second project, of which nothing may be said in the first."""

from __future__ import annotations

import re
from pathlib import Path

from tests.daemon.running import Daemon


def ids_in(text: str) -> list[str]:
    """The short ids that a text carries, in order."""
    return re.findall(r"\[([0-9a-f]{6})[],]", text)


def short(*ids: str) -> list[str]:
    return [id[-6:] for id in ids]


def other_project(daemon: Daemon) -> Path:
    folder = daemon.folder.parent / "other"
    folder.mkdir(exist_ok=True)
    return folder
