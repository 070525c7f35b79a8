"""Scrub: today's redaction rules over everything that is already stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from hardwon.project import Alias
from hardwon.redact import border
from hardwon.store import forget, memories, projects, records, skill_loads, spooled
from hardwon.store.connection import Store

_TEXT_COLUMNS = {
    "journal": ("target", "text", "error"),
    "sessions": ("cwd", "transcript"),
    "set_aside": ("line",),
    "projects": ("name", "root"),
    "transcripts": ("path",),
}
_KEYS = {"projects": "id", "set_aside": "device || ':' || sequence", "transcripts": "path"}


@dataclass(frozen=True, slots=True)
class Scrubbed:
    memories: int
    rows: int
    findings: dict[str, int]
    """How many of each type were found; never the secrets."""


def scrub(store: Store, *, dry_run: bool = False) -> Scrubbed:
    from hardwon.store.mirror import erase, renaming

    findings: Counter[str] = Counter()
    touched: set[str] = set()
    rows = 0
    with erase.alone(store), store.transaction():
        for record in records.all_records(store):
            if _clean_record(store, record, findings, dry_run):
                touched.add(record.memory)
        for table, columns in _TEXT_COLUMNS.items():
            rows += _clean_table(store, table, columns, findings, dry_run)
        rows += _clean_aliases(store, findings, dry_run)
        rows += _clean_files(store, findings, dry_run)
        rows += spooled.change(store.home, lambda payload: _clean_spooled(store, payload, findings), dry_run=dry_run)
        rows += skill_loads.scrub(store, lambda name: _count(store, name, findings), dry_run=dry_run)
        for id in () if dry_run else sorted(touched):
            memories.apply(store, id)
        rows += renaming.rename(store, lambda name: _clean_name(store, name, findings), dry_run=dry_run)
        if (touched or rows) and not dry_run:
            store.set_meta("purge_due", "1")
    if (touched or rows) and not dry_run:
        forget.purge(store)
    return Scrubbed(len(touched), rows, dict(findings))


def _clean_record(store: Store, record: records.Record, findings: Counter[str], dry_run: bool) -> bool:
    if record.payload is None:
        return False
    cleaned = border.clean(record.payload, store.redactor)
    if cleaned == record.payload:
        return False
    _count(store, str(record.payload), findings)
    if not dry_run:
        records.rewrite_payload(store, record, cleaned)
    return True


def _clean_table(store: Store, table: str, columns: tuple[str, ...], findings: Counter[str], dry_run: bool) -> int:
    changed = 0
    key = _KEYS.get(table, "row")
    for row in store.rows(f"select {key}, {', '.join(columns)} from {table}"):
        cleaned = [border.clean(value, store.redactor) for value in row[1:]]
        if cleaned == list(row[1:]):
            continue
        if table == "projects":
            cleaned[0] = projects.free_name(store, cleaned[0], cleaned[1], row[0])
        changed += 1
        _count(store, " ".join(row[1:]), findings)
        if not dry_run:
            assignments = ", ".join(f"{column} = ?" for column in columns)
            store.db.execute(f"update or replace {table} set {assignments} where {key} = ?", (*cleaned, row[0]))
    return changed


def _clean_spooled(store: Store, payload: Any, findings: Counter[str]) -> Any:
    cleaned = store.redactor.payload(payload)
    if cleaned != payload:
        _count(store, str(payload), findings)
    return cleaned


def _clean_name(store: Store, name: str, findings: Counter[str]) -> str:
    cleaned: str = border.clean(name, store.redactor)
    if cleaned != name:
        _count(store, name, findings)
    return cleaned


def _clean_aliases(store: Store, findings: Counter[str], dry_run: bool) -> int:
    changed = 0
    for kind, value in store.rows("select kind, value from aliases"):
        cleaned = projects.storable(store, Alias(kind, value)).value
        if cleaned != value:
            changed += 1
            _count(store, value, findings)
            if not dry_run:
                store.db.execute(
                    "update or replace aliases set value = ? where kind = ? and value = ?", (cleaned, kind, value)
                )
    return changed


def _clean_files(store: Store, findings: Counter[str], dry_run: bool) -> int:
    """The markdown files. Their bullets are the memories, which are counted as such; the prose around them is not."""
    from hardwon.store.mirror import erase

    changed = 0

    def prose(text: str) -> str:
        nonlocal changed
        cleaned = _clean_long(store, text)
        if cleaned != text:
            changed += 1
            _count(store, text, findings)
        return cleaned

    erase.erase(store, erase.cutter(partial(_clean_long, store), prose=prose), dry_run=dry_run)
    return changed


def _clean_long(store: Store, text: str) -> str:
    """Line by line when it is longer than what redaction looks at: it would drop the rest."""
    if len(text) > store.settings.redact.max_chars and "\n" in text.rstrip("\n"):
        return "".join(_clean_long(store, line) for line in text.splitlines(keepends=True))
    return store.redactor.text(text)


def _count(store: Store, text: str, findings: Counter[str]) -> None:
    findings.update(type_ for type_, _, _ in store.redactor.findings(text))
