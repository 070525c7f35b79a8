"""Full-text search for people: every memory that has the words, whatever became of it."""

from __future__ import annotations

from hardwon.memory import Memory
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import memories
from hardwon.store.tables.memories import Filter

_FROM = """
from memory_search s cross join memories m on m.row = s.rowid where memory_search match ? and {where}
"""


def search(store: Store, query: str, which: Filter, limit: int, offset: int = 0) -> tuple[list[Memory], int]:
    """Memories with all words, best first; where there is none, those with any. And how many there are."""
    words = [search_index.quoted(word) for word in search_index.words(store, query).values()]
    if not words:
        return [], 0
    for connective in (" AND ", " OR "):
        found, total = _matching(store, connective.join(words), which, limit, offset)
        if total:
            return found, total
    return [], 0


def _matching(store: Store, match: str, which: Filter, limit: int, offset: int) -> tuple[list[Memory], int]:
    where, values = which.where()
    source = _FROM.format(where=where)
    total = int(store.value(f"select count(*) {source}", [match, *values]))
    rows = store.rows(
        f"select s.rowid, bm25(memory_search, 2.0, 1.0, 1.5, 2.0) as score {source} order by score limit ? offset ?",
        [match, *values, limit, offset],
    )
    found = memories.by_rows(store, [row for row, _ in rows])
    return [found[row] for row, _ in rows], total
