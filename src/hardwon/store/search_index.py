"""The words of each memory in FTS5.

The table keeps no text of its own (`content=''`): deleting a row therefore needs exactly the words it was made with,
so both directions go through `index_text`. Chinese, Japanese and Korean have no blanks between words; their runs are
indexed as overlapping pairs of characters, and a question's runs are cut the same way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memory import Memory
from hardwon.store.connection import Store

VERSION = 1
"""Raised when `index_text` changes; a home with another number is indexed again (`store/repair.py`)."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_CJK_RUN = f"[{_CJK}]+"
"""Not compiled here: that takes longer than a search, and most texts have none."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def searchable(text: str) -> str:
    """The text with CJK runs as pairs, full-width letters as plain ones."""
    if text.isascii():
        return text
    return re.sub(_CJK_RUN, lambda run: f" {' '.join(pairs(run[0]))} ", unicodedata.normalize("NFKC", text))


def pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """Title, body, intent and anchors as they are indexed."""
    reasons = [memory.because, *(f"{rejected.what} {rejected.why}" for rejected in memory.rejected)]
    anchors = " ".join(_CAMEL.sub(" ", anchor.value) + " " + anchor.value for anchor in memory.anchors)
    body = "\n".join(part for part in (memory.body, *reasons) if part)
    return (searchable(memory.title), searchable(body), searchable(memory.intent), searchable(anchors))


def add(store: Store, row: int, memory: Memory) -> None:
    store.db.execute(
        "insert into memory_search (rowid, title, body, intent, anchors) values (?, ?, ?, ?, ?)",
        (row, *index_text(memory)),
    )


def remove(store: Store, row: int, memory: Memory) -> None:
    store.db.execute(
        "insert into memory_search (memory_search, rowid, title, body, intent, anchors)"
        " values ('delete', ?, ?, ?, ?, ?)",
        (row, *index_text(memory)),
    )


def clear(store: Store) -> None:
    store.db.execute("insert into memory_search (memory_search) values ('delete-all')")
    store.db.execute("insert into memory_search (memory_search, rank) values ('secure-delete', 1)")


@dataclass(frozen=True, slots=True)
class Hit:
    row: int
    bm25: float
    """Higher is better (SQLite's own is negative)."""


def stems(store: Store, text: str) -> list[str]:
    """The index's own words of a text, in order, as SQLite's tokeniser cuts and stems them."""
    return _tokens(store, "porter", ["unicode61", *_UNICODE61], searchable(text))


def words(store: Store, text: str) -> dict[str, str]:
    """The words of a text by their stems: a query needs the word, for a stem is not always its own stem."""
    prepared = searchable(text)
    plain = _tokens(store, "unicode61", _UNICODE61, prepared)
    return dict(zip(_tokens(store, "porter", ["unicode61", *_UNICODE61], prepared), plain, strict=True))


_UNICODE61 = ["remove_diacritics", "2"]


def _tokens(store: Store, name: str, arguments: list[str], text: str) -> list[str]:
    import apsw

    tokenizer = store.db.fts5_tokenizer(name, arguments)
    found = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return [str(token) for token in found]


def frequency(store: Store, word: str, limit: int) -> int:
    """In how many memories a word stands, counted no further than `limit`.

    A word that reached it is not counted again by this connection: it becomes no rarer that anybody would notice, and
    the common words are those that take long to count and that every question has.
    """
    if (word, limit) in store.common_words:
        return limit
    sql = "select count(*) from (select 1 from memory_search where memory_search match ? limit ?)"
    found = int(store.value(sql, (quoted(word), limit)))
    if found == limit and len(store.common_words) < MOST_COMMON:
        store.common_words.add((word, limit))
    return found


MOST_COMMON = 5_000


# Title and anchors say what a memory is about; a word there weighs more than one in the text. `cross join` keeps
# SQLite from starting at the memories: the matches are few, the memories of a project many. The matches are ranked
# before they are looked up (the limit inside keeps SQLite from undoing that), so that it ends with the last one wanted;
# the index tells one of another project without reading its row.
_RANKED = """
(select rowid as row, -bm25(memory_search, 2.0, 1.0, 1.5, 2.0) as score from memory_search
 where memory_search match ? order by score desc limit 1000000)
"""
_BEST = f"""
select s.row, s.score from {_RANKED} s cross join memories m indexed by memories_by_project on m.row = s.row
where m.project in ({{projects}}) order by s.score desc limit ?
"""
_NEWEST = """
select s.rowid from memory_search s cross join memories m indexed by memories_by_project on m.row = s.rowid
where memory_search match ? and m.project in ({projects}) order by s.rowid desc limit ?
"""
_BEST_OF_SKILL = f"""
select s.row, s.score from {_RANKED} s cross join memories m indexed by memories_by_skill on m.row = s.row
where m.skill = ? and m.project in ({{projects}}) order by s.score desc limit ?
"""
# A skill may have few lessons among many memories with these words: only so many of them are looked at.
_NEWEST_OF_SKILL = """
select s.rowid from (select rowid from memory_search where memory_search match ? order by rowid desc limit {most}) s
cross join memories m indexed by memories_by_skill on m.row = s.rowid
where m.skill = ? and m.project in ({projects}) order by s.rowid desc limit ?
"""


def best(store: Store, words: Sequence[str], projects: Sequence[str], limit: int) -> list[Hit]:
    """The memories of these projects that hold any of these words, best first. The caller bounds the postings."""
    sql = _BEST.format(projects=", ".join("?" * len(projects)))
    rows = store.rows(sql, (" OR ".join(map(quoted, words)), *projects, limit))
    return [Hit(row, score) for row, score in rows]


def newest(store: Store, words: Sequence[str], projects: Sequence[str], limit: int) -> list[Hit]:
    """The newest memories that hold all of these words: for words too common to rank by."""
    sql = _NEWEST.format(projects=", ".join("?" * len(projects)))
    rows = store.rows(sql, (" AND ".join(map(quoted, words)), *projects, limit))
    return [Hit(row, 0.0) for (row,) in rows]


def best_of_skill(store: Store, words: Sequence[str], skill: str, projects: Sequence[str], limit: int) -> list[Hit]:
    """The lessons of a skill that hold any of these words, best first. The caller bounds the postings."""
    sql = _BEST_OF_SKILL.format(projects=", ".join("?" * len(projects)))
    rows = store.rows(sql, (" OR ".join(map(quoted, words)), skill, *projects, limit))
    return [Hit(row, score) for row, score in rows]


def newest_of_skill(
    store: Store, words: Sequence[str], skill: str, projects: Sequence[str], limit: int, most: int
) -> list[Hit]:
    """The newest lessons of a skill that hold all of these words, among the newest `most` memories that do."""
    sql = _NEWEST_OF_SKILL.format(projects=", ".join("?" * len(projects)), most=int(most))
    rows = store.rows(sql, (" AND ".join(map(quoted, words)), skill, *projects, limit))
    return [Hit(row, 0.0) for (row,) in rows]


def size(store: Store) -> int:
    """About how many memories there are: the last row number, which costs nothing to ask."""
    return int(store.value("select max(row) from memories") or 0)


def quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
