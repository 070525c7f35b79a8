"""The vectors of passages, as `vectors` has them of memories; a passage is short, so it has one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hardwon.store.connection import Store
from hardwon.store.vectors import IS_WHOLE, known, number


class Unembedded(NamedTuple):
    passage: int
    text: str


class Stored(NamedTuple):
    """Whole numbers in a byte each; times `scale` it is one long."""

    passage: int
    scale: float
    vector: bytes


class Placed(NamedTuple):
    """A vector with the place of its passage."""

    passage: int
    scale: float
    vector: bytes
    session: int
    at: int


_UNSEEN = """
p.row > (select coalesce(max(row), 0) from passages) - ?
and not exists (select 1 from passage_vectors v where v.model = ? and v.passage = p.row)
"""


def missing(store: Store, model: str, limit: int) -> list[Unembedded]:
    """Those of the newest passages that this model has not seen, newest first. The settings say how many get vectors:
    a question to a long past is answered by its words."""
    sql = f"select p.row, p.text from passages p where {_UNSEEN} order by p.row desc limit ?"
    return [Unembedded(*row) for row in store.rows(sql, (_most(store), number(store, model), limit))]


def count_missing(store: Store, model: str) -> int:
    return int(store.value(f"select count(*) from passages p where {_UNSEEN}", (_most(store), number(store, model))))


def _most(store: Store) -> int:
    return store.settings.vectors.passages


def put(store: Store, model: str, dims: int, made: Sequence[Stored]) -> None:
    """Keep these, except of passages that are gone meanwhile."""
    with store.transaction():
        id = known(store, model, dims)
        store.db.executemany(
            "insert or replace into passage_vectors (model, passage, scale, vector)"
            " select ?1, ?2, ?3, ?4 where exists (select 1 from passages where row = ?2)",
            [(id, *one) for one in made],
        )


def newest_change(store: Store) -> int:
    """The number of the last change; a look at the end of an index."""
    return int(store.value("select max(number) from passage_changes") or 0)


def changed(store: Store, since: int) -> list[tuple[int, int]]:
    """The passages whose vectors came or went after this number, in order: number and passage."""
    sql = "select number, passage from passage_changes where number > ? order by number"
    return [(number, passage) for number, passage in store.rows(sql, (since,))]


_PLACED = f"""
select v.passage, v.scale, v.vector, p.session, p.at from passage_vectors v join passages p on p.row = v.passage
where v.model = ? and {IS_WHOLE}
"""


def everything(store: Store, model: str) -> list[Placed]:
    return [Placed(*row) for row in store.rows(_PLACED, (number(store, model),))]


def of_passages(store: Store, model: str, passages: Iterable[int]) -> list[Placed]:
    marks = ", ".join(str(int(passage)) for passage in passages)
    return [Placed(*row) for row in store.rows(f"{_PLACED} and v.passage in ({marks})", (number(store, model),))]


def count(store: Store, model: str) -> int:
    return int(store.value("select count(*) from passage_vectors where model = ?", (number(store, model),)))


def sessions_of(store: Store, projects: Sequence[str]) -> list[int]:
    """Without a project is the project ""."""
    sql = f"select row from sessions where coalesce(project, '') in ({', '.join('?' * len(projects))})"
    return [row for (row,) in store.rows(sql, tuple(projects))]
