"""Scrub: today's redaction rules over everything that is already stored.

By hand it is a list first: what it takes out can't be brought back. What a rule recognises by its name goes from old
homes by itself (`upgrade.py`), with the same steps, a portion at a time.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hardwon.project import Alias
from hardwon.redact import Redactor, border
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.erasure import forget, spooled
from hardwon.store.log import records
from hardwon.store.tables import memories, skill_loads

_TEXT_COLUMNS = {
    "sessions": ("cwd", "transcript"),
    "session_notes": ("branch", "content"),
    "set_aside": ("line",),
    "projects": ("name", "root"),
    "transcripts": ("path",),
    "jobs": ("result",),
    "branch_facts": ("value", "how", "worktree"),
}
_KEYS = {"projects": "id", "set_aside": "device || ':' || sequence", "transcripts": "path"}
_JOURNAL = ("target", "text", "error", "agent", "prompt", "call", "tool", "key")
_NAMES = 3
"""Of these columns the first that are free text; the others are names that a client gives."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    memories: int
    rows: int
    findings: dict[str, int]
    """How many of each type were found; never the secrets."""


@dataclass(slots=True)
class Found:
    """What is found on the way."""

    findings: Counter[str] = field(default_factory=Counter)
    memories: set[str] = field(default_factory=set)
    rows: int = 0

    @property
    def scrubbed(self) -> Scrubbed:
        return Scrubbed(len(self.memories), self.rows, dict(self.findings))


def scrub(store: Store, *, dry_run: bool = False) -> Scrubbed:
    from hardwon.store.mirror import erase

    found = Found()
    with contextlib.nullcontext() if dry_run else erase.alone(store), _all_or_nothing(store, dry_run):
        for record in records.all_records(store):
            clean_record(store, record, found, dry_run)
        for row in store.rows(f"select row, {', '.join(_JOURNAL)} from journal"):
            clean_event(store, row, found, dry_run)
        clean_rest(store, found, dry_run)
        if (found.memories or found.rows) and not dry_run:
            store.set_meta("purge_due", "1")
    if (found.memories or found.rows) and not dry_run:
        forget.purge(store)
    return found.scrubbed


def _all_or_nothing(store: Store, dry_run: bool) -> contextlib.AbstractContextManager[None]:
    """Looking locks nobody out, and needs no home that can be written."""
    return contextlib.nullcontext() if dry_run else store.transaction()


@contextlib.contextmanager
def rules(store: Store, redactor: Redactor) -> Iterator[None]:
    """For a while the store knows these rules only."""
    before, store.redactor = store.redactor, redactor
    try:
        yield
    finally:
        store.redactor = before


def clean_record(store: Store, record: records.Record, found: Found, dry_run: bool = False) -> None:
    """The caller applies the memories of `found` again."""
    if record.payload is None:
        return
    cleaned = border.clean(record.payload, store.redactor)
    if cleaned == border.plain(record.payload):
        return
    found.memories.add(record.memory)
    _count(store, json.dumps(record.payload, ensure_ascii=False), found)
    if not dry_run:
        records.rewrite_payload(store, record, cleaned)


JOURNAL = f"select row, {', '.join(_JOURNAL)} from journal where row > ? order by row limit ?"


def clean_event(store: Store, row: Sequence[Any], found: Found, dry_run: bool = False) -> None:
    """One row of the journal, as `JOURNAL` gives it."""
    number, *texts = row
    said, names = texts[:_NAMES], texts[_NAMES:]
    cleaned = [*border.clean(said, store.redactor), *(border.identifier(name, store.redactor) for name in names)]
    if cleaned == texts:
        return
    found.rows += 1
    _count(store, " ".join(texts), found)
    if not dry_run:
        assignments = ", ".join(f"{column} = ?" for column in _JOURNAL)
        store.db.execute(f"update or replace journal set {assignments} where row = ?", (*cleaned, number))


def clean_rest(store: Store, found: Found, dry_run: bool = False, *, drafts: bool = True) -> None:
    """Everything but the log and the journal. The caller has the lock of the markdown files. `drafts`: half a file in
    the spool goes, too; else that is left to the daemon, for somebody may be writing it just now."""
    from hardwon.store.mirror import handoff_files, renaming

    for table, columns in _TEXT_COLUMNS.items():
        found.rows += _clean_table(store, table, columns, found, dry_run)
    found.rows += _clean_sessions(store, found, dry_run)
    found.rows += _clean_aliases(store, found, dry_run)
    found.rows += _clean_files(store, found, dry_run)
    found.rows += _clean_logs(store, found, dry_run)
    spool = partial(_clean_spooled, store, found=found)
    found.rows += spooled.change(store.home, spool, dry_run=dry_run, drafts=drafts)
    found.rows += skill_loads.scrub(store, lambda name: _count(store, name, found), dry_run=dry_run)
    for id in () if dry_run else sorted(found.memories):
        memories.apply(store, id)
    if not dry_run:
        handoff_files.write(store)
    found.rows += renaming.rename(store, lambda name: _clean_name(store, name, found), dry_run=dry_run)


def _clean_table(store: Store, table: str, columns: tuple[str, ...], found: Found, dry_run: bool) -> int:
    changed = 0
    key = _KEYS.get(table, "row")
    for row in store.rows(f"select {key}, {', '.join(columns)} from {table}"):
        cleaned = [border.clean(value, store.redactor) for value in row[1:]]
        if cleaned == list(row[1:]):
            continue
        if table == "projects":
            cleaned[0] = projects.free_name(store, cleaned[0], cleaned[1], row[0])
        changed += 1
        _count(store, " ".join(row[1:]), found)
        if not dry_run:
            assignments = ", ".join(f"{column} = ?" for column in columns)
            store.db.execute(f"update or replace {table} set {assignments} where {key} = ?", (*cleaned, row[0]))
    return changed


def _clean_sessions(store: Store, found: Found, dry_run: bool) -> int:
    """A session whose id a rule knows as a secret."""
    changed = 0
    for row, id in store.rows("select row, id from sessions"):
        name = border.identifier(id, store.redactor)
        if name == id:
            continue
        changed += 1
        _count(store, id, found)
        if not dry_run:
            store.db.execute("update or ignore sessions set id = ? where row = ?", (name, row))
            store.db.execute("update or ignore removals set session = ? where session = ?", (name, id))
    return changed


def _clean_spooled(store: Store, payload: Any, found: Found) -> Any:
    cleaned = border.clean_message(payload, store.redactor)
    if cleaned != border.plain(payload):
        _count(store, json.dumps(payload, ensure_ascii=False), found)
        return cleaned
    return payload


def _clean_name(store: Store, name: str, found: Found) -> str:
    cleaned: str = border.clean(name, store.redactor)
    if cleaned != name:
        _count(store, name, found)
    return cleaned


def _clean_aliases(store: Store, found: Found, dry_run: bool) -> int:
    changed = 0
    for kind, value in store.rows("select kind, value from aliases"):
        cleaned = projects.storable(store, Alias(kind, value)).value
        if cleaned != value:
            changed += 1
            _count(store, value, found)
            if not dry_run:
                store.db.execute(
                    "update or replace aliases set value = ? where kind = ? and value = ?", (cleaned, kind, value)
                )
    return changed


def _clean_files(store: Store, found: Found, dry_run: bool) -> int:
    """The markdown files. Their bullets are the memories, which are counted as such; the prose around them is not."""
    from hardwon.store.mirror import erase

    changed = 0

    def prose(text: str) -> str:
        nonlocal changed
        cleaned = clean_long(store, text)
        if cleaned != text:
            changed += 1
            _count(store, text, found)
        return cleaned

    erase.erase(store, erase.cutter(partial(clean_long, store), prose=prose), dry_run=dry_run)
    return changed


def _clean_logs(store: Store, found: Found, dry_run: bool) -> int:
    """What went wrong while clients were answered: lines that were redacted by the rules of their time."""
    changed = 0
    for path in (store.home.log, store.home.log.with_suffix(".old.log")):
        lines = path.read_text("utf-8", "replace").splitlines(keepends=True) if path.exists() else []
        cleaned = [store.redactor.text(line) for line in lines]
        if cleaned == lines:
            continue
        changed += sum(one != other for one, other in zip(cleaned, lines, strict=True))
        _count(store, "".join(lines), found)
        if not dry_run:
            with path.open("r+", encoding="utf-8") as file:  # the same file: the daemon may be writing behind it
                file.truncate()
                file.write("".join(cleaned))
    return changed


def clean_long(store: Store, text: str) -> str:
    """Line by line when it is longer than what redaction looks at: it would drop the rest."""
    if len(text) > store.settings.redact.max_chars and "\n" in text.rstrip("\n"):
        return "".join(clean_long(store, line) for line in text.splitlines(keepends=True))
    return store.redactor.text(text)


def _count(store: Store, text: str, found: Found) -> None:
    found.findings.update(type_ for type_, _, _ in store.redactor.findings(text))
