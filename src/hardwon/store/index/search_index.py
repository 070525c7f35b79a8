"""The words of each memory in FTS5.

The table keeps no text of its own (`content=''`): deleting a row therefore needs exactly the words it was made with,
so both directions go through `index_text`. Chinese, Japanese and Korean have no blanks between words; their runs are
indexed as overlapping pairs of characters, and a question's runs are cut the same way.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hardwon.memory import Memory
from hardwon.store.connection import Store

VERSION = 1
"""Raised when `index_text` changes; a home with another number is indexed again (`store/maintenance/repair.py`)."""

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


class Text(NamedTuple):
    """The parts of a memory that are indexed, as its row has them."""

    title: str
    body: str
    intent: str
    because: str
    rejected: Sequence[tuple[str, str]]
    anchors: Sequence[tuple[str, str]]


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """Title, body, intent and anchors as they are indexed."""
    rejected = [(one.what, one.why) for one in memory.rejected]
    anchors = [(one.kind, one.value) for one in memory.anchors]
    return _indexed(Text(memory.title, memory.body, memory.intent, memory.because, rejected, anchors))


def _indexed(text: Text) -> tuple[str, str, str, str]:
    anchors = " ".join(_CAMEL.sub(" ", value) + " " + value for _, value in text.anchors)
    reasons = (text.because, *(f"{what} {why}" for what, why in text.rejected))
    body = "\n".join(part for part in (text.body, *reasons) if part)
    return (searchable(text.title), searchable(body), searchable(text.intent), searchable(anchors))


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


def merge(store: Store, index: str = "memory_search") -> int:
    """Make one piece of the many that changes leave behind in an index, a few pages at a time: a word is looked up in
    each. How many steps that took."""
    done, pages = 0, -MERGED  # a negative number begins, positive ones go on
    while done < MOST_STEPS:
        before = store.db.total_changes()
        with store.transaction():
            store.db.execute(f"insert into {index} ({index}, rank) values ('merge', ?)", (pages,))
        if store.db.total_changes() - before < 2:  # so it says that nothing was left to do
            break
        done, pages = done + 1, MERGED
        time.sleep(PAUSE)
    return done


MERGED = 64
MOST_STEPS = 2_000
PAUSE = 0.002
"""Seconds in which others may write."""


@dataclass(frozen=True, slots=True)
class Hit:
    row: int
    bm25: float
    """Higher is better (SQLite's own is negative)."""


def stems(store: Store, text: str) -> list[str]:
    """The index's own words of a text, in order, as SQLite's tokeniser cuts and stems them."""
    return _tokens(store, "porter", ["unicode61", *_UNICODE61], searchable(text))


def stems_of(store: Store, text: Text) -> list[str]:
    """The words under which a memory with these parts is found. What title, intent and anchors say stands there twice:
    they say what it is about."""
    title, body, intent, anchors = _indexed(text)
    both = f"{title}\n{body}\n{intent}\n{anchors}\n{title}\n{intent}\n{anchors}"
    return _tokens(store, "porter", ["unicode61", *_UNICODE61], both)


def words(store: Store, text: str) -> dict[str, str]:
    """The words of a text by their stems: a query needs the word, for a stem is not always its own stem."""
    prepared = searchable(text)
    plain = _tokens(store, "unicode61", _UNICODE61, prepared)
    return dict(zip(_tokens(store, "porter", ["unicode61", *_UNICODE61], prepared), plain, strict=True))


def stem_of_each(store: Store, text: str) -> dict[str, str]:
    """The stems of a text by its words: what a part of it says need not be cut and stemmed again."""
    prepared = searchable(text)
    plain = _tokens(store, "unicode61", _UNICODE61, prepared)
    return dict(zip(plain, _tokens(store, "porter", ["unicode61", *_UNICODE61], prepared), strict=True))


_UNICODE61 = ["remove_diacritics", "2"]


def _tokens(store: Store, name: str, arguments: list[str], text: str) -> list[str]:
    import apsw

    tokenizer = store.db.fts5_tokenizer(name, arguments)
    found = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return [str(token) for token in found]


def rows_with(store: Store, word: str, limit: int) -> list[int] | None:
    """The rows that hold a word; None when they are `limit` or more.

    A word that reached it is not looked up again by this connection: it becomes no rarer that anybody would notice, and
    the common words are those that take long and that every question has.
    """
    if (word, limit) in store.common_words:
        return None
    found = store.rows("select rowid from memory_search where memory_search match ? limit ?", (quoted(word), limit))
    if len(found) < limit:
        return [row for (row,) in found]
    if len(store.common_words) < MOST_COMMON:
        store.common_words.add((word, limit))
    return None


def frequency(store: Store, word: str, limit: int) -> int:
    """In how many memories a word stands, counted no further than `limit`."""
    found = rows_with(store, word, limit)
    return limit if found is None else len(found)


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
