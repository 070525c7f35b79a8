"""Where sessions were: which project a folder is, and what its instruction files said."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from hardwon.project import describe
from hardwon.rehearsal.instructions import Instructions
from hardwon.store import projects
from hardwon.store.connection import Store


@dataclass(slots=True)
class Grounds:
    """`repository`: all sessions worked on this one, wherever their folders were."""

    instructions: Instructions
    repository: str = ""
    _placed: set[str] = field(default_factory=set)

    def project(self, cwd: str) -> str:
        """The same for every folder and every clone of one project; for comparing only."""
        return self.repository or (_project(cwd) if cwd else "")

    def place(self, store: Store, cwd: str, at: int) -> None:
        """Make a folder known as one of the repository's, before anything that happened in it is kept."""
        if not self.repository or not cwd or cwd in self._placed:
            return
        self._placed.add(cwd)
        _, whole = projects.claim(store, self.repository, at)
        _, own = projects.claim(store, cwd, at)
        if own.id != whole.id:
            projects.merge(store, own.name, whole.name)


@lru_cache(maxsize=4_096)
def _project(cwd: str) -> str:
    place = describe(cwd)
    return next((alias.value for alias in place.aliases), place.root)
