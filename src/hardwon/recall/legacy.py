"""Lessons that an earlier tool left beside a skill's file: shown as long as the memory has none of its own for it.

`hardwon import fireworks` takes them in. A file inside the project is somebody's repository and not looked at: its
words would reach the model as if they had been learned here.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from hardwon.memory import GLOBAL, Kind, Memory, Scope, Status, Trust
from hardwon.recall.budget import Item, fit
from hardwon.recall.rank import Candidate, Ranked
from hardwon.regular_file import regular
from hardwon.store.connection import Store
from hardwon.understand import knowledge_entries

NAME = "KNOWLEDGE.md"
SIGN = "file:"
"""How the id begins of what is in no memory."""
MOST_BYTES = 2_000_000


def lessons(store: Store, skill: str, skill_file: str, root: str, limit: int, tokens: int) -> list[Item]:
    """The most used first."""
    if not skill_file:
        return []
    file = Path(skill_file).with_name(NAME)
    if root and file.is_relative_to(root):
        return []
    try:
        if file.stat().st_size > MOST_BYTES:
            return []
        with open(file, encoding="utf-8", errors="replace", opener=regular) as opened:
            text = opened.read()
    except OSError:
        return []
    entries = [entry for entry in knowledge_entries.parse(text).entries if entry.text and not entry.is_placeholder]
    entries.sort(key=lambda entry: -entry.hits)
    found = [_memory(store, skill, entry.text) for entry in entries[:limit]]
    return fit([Ranked(Candidate(memory), 1.0) for memory in found], limit, tokens)


def _memory(store: Store, skill: str, text: str) -> Memory:
    id = SIGN + hashlib.sha256(f"{skill}\n{text}".encode()).hexdigest()[:16]
    body = store.redactor.text(text)
    return Memory(id, Kind.LESSON, body, Scope(GLOBAL, skill), Trust.AGENT, NAME, Status.ACTIVE, 0, 0)
