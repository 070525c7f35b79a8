"""What must not come back: keyed hashes of forgotten texts and origin keys.

The key is the home's own and random, so that the hash of a short secret can't be guessed from an exported line alone.
A home that imported another one's tombstones holds that key too and checks against both.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any

from hardwon.memory import normalise
from hardwon.store.connection import Store
from hardwon.store.log.records import decode


def own_key(store: Store) -> tuple[str, bytes]:
    row = store.row("select id, key from tombstone_keys where id = ?", (store.meta("tombstone_key"),))
    if row:
        return row[0], bytes(row[1])
    key_id, key = os.urandom(4).hex(), os.urandom(32)
    add_key(store, key_id, key)
    store.set_meta("tombstone_key", key_id)
    return key_id, key


def add_key(store: Store, key_id: str, key: bytes) -> None:
    store.db.execute("insert or ignore into tombstone_keys (id, key) values (?, ?)", (key_id, key))
    store.remember_line({"type": "key", "id": key_id, "key": key.hex()})


def hashes(key: bytes, body: str, origin_key: str | None) -> list[str]:
    """One for the text, whatever its scope, and one for its origin."""
    subjects = [f"text\0{normalise(body)}"]
    if origin_key:
        subjects.append(f"origin\0{origin_key}")
    return [hashlib.blake2b(subject.encode(), key=key, digest_size=16).hexdigest() for subject in subjects]


def bury(store: Store, memory: str, hash_list: list[str]) -> None:
    store.db.executemany(
        "insert or replace into tombstones (hash, memory) values (?, ?)",
        [(bytes.fromhex(value), memory) for value in hash_list],
    )


def unearth(store: Store, body: str) -> None:
    """A person wants this text back: it may be kept again."""
    for (key,) in _keys(store):
        for value in hashes(bytes(key), body, None):
            store.db.execute("delete from tombstones where hash = ?", (bytes.fromhex(value),))


def unearth_noted_again(store: Store) -> None:
    """After a merge: a text that a person kept again lives, in whatever order the records came in."""
    if not store.row("select 1 from tombstones limit 1"):
        return
    for clock, payload in store.rows(_NOTED_AGAIN):
        body = (decode(bytes(payload)) or {})["body"]
        if clock > (buried_at(store, body, None) or clock):
            unearth(store, body)


_NOTED_AGAIN = """
select clock, payload from records where operation = 'create' and instr(payload, cast('"again":true' as blob))
"""


def is_buried(store: Store, body: str, origin_key: str | None) -> bool:
    return buried_at(store, body, origin_key) is not None


def buried_at(store: Store, body: str, origin_key: str | None) -> int | None:
    """The clock of the record that forgot this text or this origin; None when neither is forgotten."""
    if not store.row("select 1 from tombstones limit 1"):
        return None
    wanted = [bytes.fromhex(one) for (key,) in _keys(store) for one in hashes(bytes(key), body, origin_key)]
    marks = ", ".join("?" * len(wanted))
    found: int | None = store.value(_BURIED_AT.format(marks=marks), wanted)
    return found


_BURIED_AT = """
select max(r.clock) from tombstones t join records r on r.memory = t.memory and r.operation = 'forget'
where t.hash in ({marks})
"""


def _keys(store: Store) -> list[tuple[Any, ...]]:
    return store.rows("select key from tombstone_keys")
