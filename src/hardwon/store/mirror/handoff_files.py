"""Handoffs as Markdown, `handoffs/DATE-ID.md` in the home, for a person and any client. Written, never read back."""

from __future__ import annotations

import contextlib
import datetime
import os
from pathlib import Path

from hardwon.memory import Kind, Status
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.tables import handoffs, memories
from hardwon.store.tables.handoffs import Way
from hardwon.text import handover

MOST = 100


def write(store: Store) -> int:
    """The newest ones, each whole; the file of one that is gone goes. How many files changed."""
    if not store.on_disk or not store.settings.mirror.enabled:
        return 0
    folder = store.home.handoffs
    which = memories.Filter(kinds=(Kind.HANDOFF,), statuses=(Status.ACTIVE, Status.RESOLVED, Status.ARCHIVED))
    ways = [handoffs.way(store, memory) for memory in memories.listed(store, which, MOST)[0]]
    wanted = {_name(way): _text(store, way) for way in ways}
    there = {path.name for path in folder.glob("*.md")} if folder.is_dir() else set()
    changed = 0
    for name in sorted(there - set(wanted)):
        with contextlib.suppress(FileNotFoundError):
            (folder / name).unlink()
        changed += 1
    if wanted:
        folder.mkdir(mode=0o700, exist_ok=True)
    return changed + sum(_written(folder / name, text) for name, text in wanted.items())


def _name(way: Way) -> str:
    day = datetime.datetime.fromtimestamp(way.memory.created_at / 1000, datetime.UTC)
    return f"{day:%Y-%m-%d}-{way.memory.short_id}.md"


def _text(store: Store, way: Way) -> str:
    known = projects.get(store, way.memory.scope.project)
    said, note = handover.parsed(way.memory.body)
    name = way.memory.headline.removeprefix("Goal: ")
    head = ["---", f"name: handoff {way.memory.short_id}", f"description: {_quoted(name[:120])}", "type: handoff",
            f"project: {_quoted(known.name if known else '')}", f"status: {way.state}",
            f"date: {_name(way)[:10]}", "---", ""]  # fmt: skip
    body = []
    for field, title in handover.TITLES.items():
        value = getattr(said, field)
        if value:
            items = [value] if isinstance(value, str) else value
            body += [f"## {title}", "", *(f"- {item}" for item in items), ""]
    if note:
        body += ["## Note", "", note, ""]
    return store.redactor.text("\n".join([*head, *body]))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _written(path: Path, text: str) -> bool:
    """Whole or not at all."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text("utf-8") == text:
            return False
    half = path.with_suffix(".tmp")
    half.write_text(text, "utf-8")
    half.chmod(0o600)
    os.replace(half, path)  # noqa: PTH105
    return True
