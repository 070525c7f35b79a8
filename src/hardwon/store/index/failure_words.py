"""Which failures have a word in common with a new one: an index of each failure's rarest words.

It is made of the memories, with them and like their anchors. An old home's is filled by the daemon, a portion at a
time; until then what it knows is found by its anchors alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from hardwon.memory import AnchorKind, Kind, Memory
from hardwon.store.connection import Store
from hardwon.store.tables.memory_rows import READ, from_row

if TYPE_CHECKING:
    from hardwon.text.likeness import Rarity, Trouble

EACH = 16
"""Words of a failure that are indexed."""
COUNTED = 1_000
"""A word that so many failures have is common; nobody counts further."""
LOOKED_AT = 2_000
"""Failures with a word, over all projects, that are looked through for those of one."""
PORTION = 200
_AFTER = "failure_words_after"
"""How far an old home is indexed; nothing in one that is (see the migration)."""


@cache
def _plain() -> Rarity:
    """What tells errors from each other takes longer to load than all the rest of a command that meets none."""
    from hardwon.text.likeness import Rarity

    return Rarity()


def trouble_of(memory: Memory) -> Trouble:
    """A failure as it was kept: its command, its line in the text and the others that were kept with it."""
    from hardwon.text.likeness import Trouble

    values = {anchor.kind: anchor.value for anchor in memory.anchors}
    said = memory.body.partition("` failed: ")[2] or ("" if memory.said else memory.body)
    lines = tuple(dict.fromkeys((*memory.said, *(said.split("\n")[:2] if said and said not in memory.said else ()))))
    return Trouble(values.get(AnchorKind.COMMAND, ""), lines, values.get(AnchorKind.ERROR, ""))


def words_of(trouble: Trouble, most: int = EACH) -> list[str]:
    """The rarest first; names whole and in parts."""
    weighed = {word: _plain().of(word) * (0.3 if word in trouble.run else 1.0) for word in trouble.all_words}
    return sorted((word for word in weighed if weighed[word] > 2.0), key=lambda word: (-weighed[word], word))[:most]


def add(store: Store, row: int, memory: Memory) -> None:
    if memory.kind is Kind.FAILURE:
        pairs = [(word, row) for word in ("", *words_of(trouble_of(memory)))]
        store.db.executemany("insert or ignore into failure_words (word, memory_row) values (?, ?)", pairs)


def remove(store: Store, row: int) -> None:
    store.db.execute("delete from failure_words where memory_row = ?", (row,))


def counts(store: Store, words: Iterable[str]) -> dict[str, int]:
    """In how many failures of the home each stands, counted no further than `COUNTED`."""
    sql = "select count(*) from (select 1 from failure_words where word = ? limit ?)"
    return {word: int(store.value(sql, (word, COUNTED))) for word in words}


def total(store: Store) -> int:
    return int(store.value("select count(*) from (select 1 from failure_words where word = '' limit 10000)"))


def rows_with(store: Store, word: str, project: str, limit: int) -> list[int]:
    """The newest failures of a project that have a word."""
    return [row for (row,) in store.rows(_ROWS, (word, LOOKED_AT, project, limit))]


_ROWS = """
select w.memory_row
from (select memory_row from failure_words where word = ?1 order by memory_row desc limit ?2) w
cross join memories m indexed by memories_by_project on m.project = ?3 and m.row = w.memory_row
limit ?4
"""


def due(store: Store) -> bool:
    return store.writable and store.meta(_AFTER) is not None


def step(store: Store, seconds: float) -> None:
    """Index what an older version has kept; for about so long."""
    until = time.monotonic() + seconds
    while due(store):
        with store.transaction():
            after = int(store.meta(_AFTER) or 0)
            sql = f"select row, {READ} from memories where row > ? and kind = 'failure' order by row limit ?"
            rows = store.rows(sql, (after, PORTION))
            for row, *values in rows:
                remove(store, row)
                add(store, row, from_row(values))
            if len(rows) == PORTION:
                store.set_meta(_AFTER, str(rows[-1][0]))
            else:
                store.db.execute("delete from meta where key = ?", (_AFTER,))
        if time.monotonic() > until:
            return
