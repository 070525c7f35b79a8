"""Lessons that an earlier tool left in its own folders: read where they lie, never written, each said once.

Where it looked for them, hardwon does, in the same order: beside a skill's file, then in that tool's own home. `hardwon
import fireworks` takes them in; one that the memory has, or had and gave up, is not read from the file any more. A file
inside the project is somebody's repository and not looked at: its words would reach the model as if they had been
learned here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from hardwon.memory import GLOBAL, Kind, Memory, Scope, Status, Trust
from hardwon.regular_file import regular
from hardwon.store.connection import Store
from hardwon.store.foreign.fireworks import knowledge_files
from hardwon.store.log import tombstones
from hardwon.store.tables import memories
from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry

NAME = "KNOWLEDGE.md"
SIGN = "file:"
"""How the id begins of what is in no memory."""
MOST_BYTES = 2_000_000
MOST = 200
"""Lessons of one file, the most used."""


def files(skill: str, skill_file: str, root: str, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Where lessons of a skill may lie: the first that exists counts, as it did for the tool that wrote them."""
    home = environ.get("HOME", "")
    usual = knowledge_files(skill, environ, Path(home)) if home.startswith("/") else []
    found = [Path(skill_file).with_name(NAME), *usual] if skill_file else usual
    return tuple(str(file) for file in dict.fromkeys(found) if not (root and file.is_relative_to(root)))


def lessons(store: Store, skill: str, found: Sequence[str]) -> list[tuple[Memory, int]]:
    """Those that the memory does not know, each with its hits."""
    entries = next((known for file in found if (known := _read(file))), ())
    told = [(_memory(store, skill, entry.text), entry.hits) for entry in entries]
    return [(memory, hits) for memory, hits in told if not _is_known(store, memory)]


def _is_known(store: Store, memory: Memory) -> bool:
    """Also one that was archived, called wrong or forgotten: what a person decided holds for the file, too."""
    if tombstones.is_buried(store, memory.body, None):
        return True
    twins = memories.by_ids(store, memories.with_text(store, memory.body)).values()
    return any(one.scope.skill == memory.scope.skill for one in twins)


def _read(file: str) -> tuple[Entry, ...]:
    try:
        known = os.stat(file)  # noqa: PTH116
    except (OSError, ValueError):
        return ()
    return _parsed(file, known.st_mtime_ns, known.st_size, known.st_ino) if known.st_size <= MOST_BYTES else ()


@lru_cache(maxsize=64)
def _parsed(file: str, mtime: int, size: int, inode: int) -> tuple[Entry, ...]:  # noqa: ARG001  whether it changed
    try:
        with open(file, encoding="utf-8", errors="replace", opener=regular) as opened:
            text = opened.read()
    except OSError:
        return ()
    entries = [entry for entry in knowledge_entries.parse(text).entries if entry.text and not entry.is_placeholder]
    return tuple(sorted(entries, key=lambda entry: -entry.hits)[:MOST])


def _memory(store: Store, skill: str, text: str) -> Memory:
    id = SIGN + hashlib.sha256(f"{skill}\n{text}".encode()).hexdigest()[:16]
    body = store.redactor.text(text)
    return Memory(id, Kind.LESSON, body, Scope(GLOBAL, skill), Trust.AGENT, NAME, Status.ACTIVE, 0, 0)
