"""mirror_workers.py WHAT HOME ...: what the tests of the markdown files do in processes of their own."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes, mirror
from hardwon.store.connection import open_store
from tests.support import draft, now


def say(text: str) -> None:
    os.write(1, text.encode() + b"\n")


def notes(home: Home, prefix: str, count: str) -> None:
    """Notes lessons of one skill and writes its file after each, as commands do."""
    with open_store(home, Settings()) as store:
        for number in range(int(count)):
            text = f"{prefix} has learned lesson {number * 7919 % 1000} about thing {number}"
            changes.note(store, draft(text, skill="git"), now())
            say(text)
            mirror.refresh(store, now())


def edits(home: Home, prefix: str, count: str) -> None:
    """An editor: reads the file, thinks, saves it whole with a bullet more."""
    file = home.skills / "git" / "KNOWLEDGE.md"
    for number in range(int(count)):
        while not file.exists():
            time.sleep(0.001)
        text = file.read_text()
        time.sleep(0.01)
        line = f"{prefix} has typed bullet {number * 7919 % 1000} about matter {number}"
        saved = file.with_name(f"{prefix}.tmp")
        saved.write_text(f"{text}- {line}\n")
        saved.rename(file)
        say(line)
        time.sleep(0.03)


if __name__ == "__main__":
    _, what, home, *arguments = sys.argv
    {"notes": notes, "edits": edits}[what](Home(Path(home)), *arguments)
