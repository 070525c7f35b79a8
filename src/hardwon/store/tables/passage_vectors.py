"""The vectors of passages, as `vectors` has them of memories. A passage is short, so it has two: one of its own text,
and one of that in its place, with the end of what was said before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hardwon.store.connection import Store
from hardwon.store.tables.vectors import IS_WHOLE, known, number

CONTEXT, CHARACTERS, TOKENS = 120, 640, 250
"""Words of a passage with what was said before it, characters, and about how many tokens: a model reads some 250 of
these, and what is cut off at the end would be the passage itself."""


class Unembedded(NamedTuple):
    passage: int
    text: str
    before: str
    """The end of what it answers."""
    earlier: str
    """And of what stood before that."""
    own: tuple[float, bytes] | None = None
    """The vector of its own text, where there is one already."""

    @property
    def context(self) -> str:
        """The text with as much of what was said before it as there is room for."""
        own = self.text.split()
        words, room, tokens = CONTEXT - len(own), CHARACTERS - len(self.text), TOKENS - sum(map(_tokens, own))
        said: list[str] = []
        for word in reversed(f"{self.earlier}\n{self.before}".split()):
            room -= len(word) + 1
            tokens -= _tokens(word)
            if len(said) >= words or room < 0 or tokens < 0:
                break
            said.append(word)
        return f"{' '.join(reversed(said))}\n{self.text}" if said else self.text


def _tokens(word: str) -> float:
    """Rather too many than too few: a plain word is one or two, every mark is one, so are every few letters of a name,
    every other character of a hash or a time, and in a script that a model hardly knows each letter."""
    if not word.isascii():
        return len(word)
    parts = _PART.findall(word)
    letters = 0.7 if any(map(str.isdigit, word)) else 0.1 if len(parts) == 1 else 0.4
    return len(word) + sum(1 + (letters - 1) * len(part) for part in parts)


_PART = re.compile(r"[^\W_]+")


class Stored(NamedTuple):
    """Whole numbers in a byte each; times `scale` it is one long. So is the one in its place."""

    passage: int
    scale: float
    vector: bytes
    context_scale: float
    context: bytes


class Placed(NamedTuple):
    """A vector with the place of its passage. One that was made before there were contexts stands for both."""

    passage: int
    scale: float
    vector: bytes
    context_scale: float
    context: bytes
    session: int
    at: int


_UNSEEN = """
p.row > (select coalesce(max(row), 0) from passages) - ?
and not exists (select 1 from passage_vectors v where v.model = ? and v.passage = p.row and v.context is not null)
"""


def missing(store: Store, model: str, limit: int) -> list[Unembedded]:
    """Those of the newest passages that this model has not seen, newest first. The settings say how many get vectors:
    a question to a long past is answered by its words."""
    id = number(store, model)
    sql = (
        "select p.row, p.text, p.before, p.earlier, o.scale, o.vector from passages p"
        " left join passage_vectors o on o.model = ? and o.passage = p.row"
        f" where {_UNSEEN} order by p.row desc limit ?"
    )
    return [
        Unembedded(row, text, before, earlier, (scale, vector) if vector else None)
        for row, text, before, earlier, scale, vector in store.rows(sql, (id, _most(store), id, limit))
    ]


def count_missing(store: Store, model: str) -> int:
    return int(store.value(f"select count(*) from passages p where {_UNSEEN}", (_most(store), number(store, model))))


def _most(store: Store) -> int:
    return store.settings.vectors.passages


def put(store: Store, model: str, dims: int, made: Sequence[tuple[Unembedded, Stored]]) -> None:
    """Keep what was made of these, except of passages that are gone or reworded meanwhile, or what led to them: their
    numbers are given anew, and a vector of what was forgotten must not stay."""
    with store.transaction():
        id = known(store, model, dims)
        store.db.executemany(
            "insert or replace into passage_vectors (model, passage, scale, vector, context_scale, context)"
            " select ?1, ?2, ?3, ?4, ?5, ?6 where exists"
            " (select 1 from passages where row = ?2 and text = ?7 and before = ?8 and earlier = ?9)",
            [(id, *one, of.text, of.before, of.earlier) for of, one in made],
        )


def newest_change(store: Store) -> int:
    """The number of the last change; a look at the end of an index."""
    return int(store.value("select max(number) from passage_changes") or 0)


def changed(store: Store, since: int) -> list[tuple[int, int]]:
    """The passages whose vectors came or went after this number, in order: number and passage."""
    sql = "select number, passage from passage_changes where number > ? order by number"
    return [(number, passage) for number, passage in store.rows(sql, (since,))]


_PLACED = f"""
select v.passage, v.scale, v.vector, coalesce(v.context_scale, v.scale), coalesce(v.context, v.vector), p.session, p.at
from passage_vectors v join passages p on p.row = v.passage
where v.model = ? and {IS_WHOLE} and length(coalesce(v.context, v.vector)) = length(v.vector)
"""


def everything(store: Store, model: str) -> list[Placed]:
    return [Placed(*row) for row in store.rows(_PLACED, (number(store, model),))]


def of_passages(store: Store, model: str, passages: Iterable[int]) -> list[Placed]:
    marks = ", ".join(str(int(passage)) for passage in passages)
    return [Placed(*row) for row in store.rows(f"{_PLACED} and v.passage in ({marks})", (number(store, model),))]


def count(store: Store, model: str) -> int:
    """Of passages that this model has seen in their places, too."""
    sql = "select count(*) from passage_vectors where model = ? and context is not null"
    return int(store.value(sql, (number(store, model),)))


def has_any(store: Store, model: str) -> bool:
    sql = "select exists (select 1 from passage_vectors where model = ?)"
    return bool(store.value(sql, (number(store, model),)))


def sessions_of(store: Store, projects: Sequence[str]) -> list[int]:
    """Without a project is the project ""."""
    sql = f"select row from sessions where coalesce(project, '') in ({', '.join('?' * len(projects))})"
    return [row for (row,) in store.rows(sql, tuple(projects))]
