"""What CLAUDE.md and AGENTS.md said at a time: the model had it in sight, so it was nobody's to say again.

A file that git tracks has its past there. One that it does not track is known as long as it was not changed since; a
folder that is gone tells nothing, unless a person says which repository it was.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from hardwon import git
from hardwon.regular_file import regular, status

NAMES = ("CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md")
MOST_BYTES = 400_000


class Instructions(Protocol):
    def at(self, cwd: str, time: int) -> tuple[str, ...] | None:
        """The texts of that time (UTC milliseconds); None where they are not known."""


@dataclass(slots=True)
class OfRepository:
    """All sessions worked on this one repository, which may be a bare one."""

    folder: str
    _commits: list[tuple[int, str]] = field(default_factory=list)
    _asked: bool = False

    def at(self, cwd: str, time: int) -> tuple[str, ...] | None:  # noqa: ARG002  it is the same for every folder
        if not self._asked:
            self._asked = True
            self._commits = _commits(self.folder)
        commit = next((commit for when, commit in self._commits if when <= time), "")
        return _texts(self.folder, commit) if commit else ()


def _commits(folder: str) -> list[tuple[int, str]]:
    """Those that changed one of the files, the newest first."""
    told = git.ask(folder, "log", "--first-parent", "--format=%ct %H", "--", *NAMES)
    return [(int(line.split()[0]) * 1000, line.split()[1]) for line in told.splitlines() if line]


@lru_cache(maxsize=512)
def _texts(folder: str, commit: str) -> tuple[str, ...]:
    told = (git.ask(folder, "show", f"{commit}:{name}") for name in NAMES)
    return tuple(text[:MOST_BYTES] for text in told if text)


class OfDisk:
    """The folders in which the sessions were, as they are now, and their past in git."""

    def __init__(self, user: Path | None) -> None:
        self._own = [user / ".claude" / "CLAUDE.md"] if user else []
        self._repositories: dict[str, OfRepository] = {}

    def at(self, cwd: str, time: int) -> tuple[str, ...] | None:
        if not os.path.isdir(cwd):  # noqa: PTH112
            return None
        found = git.find_repository(git.resolve(cwd))
        root = found.root if found else cwd
        texts: list[str] = []
        if found:
            texts += self._repositories.setdefault(root, OfRepository(root)).at(cwd, time) or ()
        tracked = set(_tracked(root)) if found else set()
        for path in [*(Path(root, name) for name in NAMES if name not in tracked), *self._own]:
            if (about := status(path)) is None:
                continue
            if about.st_mtime * 1000 > time:
                return None  # it said something else then, or was not there
            texts.append(_read(path))
        return tuple(texts)


@lru_cache(maxsize=512)
def _tracked(root: str) -> Sequence[str]:
    return git.ask(root, "ls-files", "--", *NAMES).splitlines()


def _read(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as file:
            return file.read(MOST_BYTES)
    except OSError:
        return ""
