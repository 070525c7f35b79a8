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
        "insert or ignore into tombstones (hash, memory) values (?, ?)",
        [(bytes.fromhex(value), memory) for value in hash_list],
    )


def unearth(store: Store, body: str) -> None:
    """A person wants this text back: it may be kept again."""
    for (key,) in _keys(store):
        for value in hashes(bytes(key), body, None):
            store.db.execute("delete from tombstones where hash = ?", (bytes.fromhex(value),))


def is_buried(store: Store, body: str, origin_key: str | None) -> bool:
    if not store.row("select 1 from tombstones limit 1"):
        return False
    for (key,) in _keys(store):
        for value in hashes(bytes(key), body, origin_key):
            if store.row("select 1 from tombstones where hash = ?", (bytes.fromhex(value),)):
                return True
    return False


def _keys(store: Store) -> list[tuple[Any, ...]]:
    return store.rows("select key from tombstone_keys")
