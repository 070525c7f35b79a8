"""Forgetting: not one byte of the text stays under the home, and learning it again does not bring it back.

The memory's records lose their payloads and only headers stay; rows, index entries, vectors and showings go; the text
is cut out of the journal and of other memories that quote it; then the file is rewritten, the WAL emptied, and the
copies and the redo log replaced by one fresh copy.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import apsw

from hardwon.store import copies, journal, memories, records, tombstones
from hardwon.store.connection import Store
from hardwon.store.errors import StoreBusy

CUT = "[forgotten]"

# A shorter text ("use tabs") stands in other memories in its own right and is not cut out of them.
QUOTED_FROM = 16


@dataclass(frozen=True, slots=True)
class Forgotten:
    memories: int
    journal_entries: int
    quotations: int


def forget(store: Store, ids: list[str], now: int) -> Forgotten:
    """Forget these memories and every memory with the same text. Returns when the bytes are gone."""
    with store.transaction():
        store.set_meta("purge_due", "1")
        texts = {text for id in ids for text in _texts(store, id)}
        doomed = {*ids, *(twin for text in texts for twin in memories.with_text(store, text))}
        texts |= {text for id in doomed for text in _texts(store, id)}
        for id in sorted(doomed):
            _bury(store, id, now)
        long_texts = [text for text in texts if len(text) >= QUOTED_FROM]
        entries = journal.cut(store, long_texts, CUT)
        quotations = _cut_quotations(store, long_texts)
    purge(store)
    return Forgotten(len(doomed), entries, quotations)


def _texts(store: Store, id: str) -> list[str]:
    """Every text this memory ever had."""
    payloads = [record.payload or {} for record in records.of_memory(store, id)]
    return [payload["body"] for payload in payloads if "body" in payload]


def _bury(store: Store, id: str, now: int) -> None:
    key_id, key = tombstones.own_key(store)
    origin = next((r.payload.get("origin_key") for r in records.of_memory(store, id) if r.payload), None)
    buried = sorted({h for text in _texts(store, id) for h in tombstones.hashes(key, text, origin)})
    records.append(store, id, records.FORGET, {"key_id": key_id, "hash": buried}, now)
    bury_remains(store, id, buried)


def bury_remains(store: Store, id: str, buried: list[str]) -> None:
    """What is left to do once the log says that a memory is forgotten, here or on another device."""
    tombstones.bury(store, id, buried)
    records.erase_payloads(store, [id])
    memories.apply(store, id)
    store.db.execute("delete from counts where memory = ?", (id,))
    store.db.execute("delete from showings where memory = ?", (id,))


def _cut_quotations(store: Store, texts: list[str]) -> int:
    """Take the texts out of other memories that quote them."""
    touched: set[str] = set()
    for record in records.all_records(store) if texts else ():
        payload = _without(record.payload, texts)
        if payload != record.payload:
            records.rewrite_payload(store, record, payload)
            touched.add(record.memory)
    for id in touched:
        memories.apply(store, id)
    return len(touched)


def _without(value: Any, texts: list[str]) -> Any:
    if isinstance(value, str):
        for text in texts:
            value = value.replace(text, CUT)
        return value
    if isinstance(value, dict):
        return {key: _without(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [_without(item, texts) for item in value]
    return value


def purge(store: Store) -> None:
    """Rewrite the file without its free space, empty the WAL, and let no copy be older than this moment."""
    try:
        store.db.execute("vacuum")
        copies.replace_all(store)
        _empty_wal(store)
        with store.transaction():
            store.db.execute("delete from meta where key = 'purge_due'")
    except apsw.BusyError as error:
        raise StoreBusy(
            "It is forgotten, but another process is reading the database and old bytes may stay on the disk: "
            "run `hardwon doctor --fix` when it has ended."
        ) from error


def _empty_wal(store: Store, attempts: int = 50) -> None:
    for _ in range(attempts):
        ((busy, _, _),) = store.rows("pragma wal_checkpoint(truncate)")
        if not busy:
            return
        time.sleep(0.1)
    raise apsw.BusyError("the write-ahead log is in use")
