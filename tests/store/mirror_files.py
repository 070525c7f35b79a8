"""A skill's markdown file and the memories behind it: three lessons, and looking at both sides."""

from __future__ import annotations

from pathlib import Path

from hardwon.memory import Memory, Status
from hardwon.store.connection import Store
from hardwon.store.mirror.settle import Settled
from hardwon.store.tables import memories

A = "Rebase before you push to main"
B = "The index lock is left behind by a crashed git"
C = "Submodules need --recursive on clone"


def knowledge(root: Path, skill: str = "git") -> Path:
    return root / "skills" / skill / "KNOWLEDGE.md"


def bodies(store: Store, status: Status = Status.ACTIVE) -> list[str]:
    return sorted(memory.body for memory in memories.all_memories(store) if memory.status is status)


def one(store: Store, body: str) -> Memory:
    return next(memory for memory in memories.all_memories(store) if memory.body == body)


def told(settled: list[Settled]) -> list[str]:
    return sorted(change.what for each in settled for change in each.changes)


def line_of(text: str, body: str) -> str:
    return next(line for line in text.splitlines(keepends=True) if body in line)


def without(text: str, body: str) -> str:
    return text.replace(line_of(text, body), "")
