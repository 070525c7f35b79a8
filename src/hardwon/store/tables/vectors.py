"""The vectors of memories: what a model made of their texts, one model beside the other.

They are made from the memories, so they are in no log, no export and no markdown file. They go when the text goes:
`memories.apply` deletes them with the words in the index, and `forget`, `scrub` and `repair` go through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hardwon.store.connection import Store

BODY, INTENT = "body", "intent"
FACETS = (BODY, INTENT)


class Stored(NamedTuple):
    """One vector: whole numbers in a byte each; times `scale` it is one long."""

    memory_row: int
    facet: str
    chunk: int
    scale: float
    vector: bytes


class Placed(NamedTuple):
    """A vector with what a search asks for first: where its memory belongs."""

    memory_row: int
    facet: str
    scale: float
    vector: bytes
    project: str
    skill: str | None


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A memory without vectors, and the texts to make them from."""

    row: int
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Held:
    """What there is of one model."""

    model: str
    dims: int
    memories: int
    vectors: int
    bytes: int


_UNSEEN = """
not exists (select 1 from vectors v indexed by vectors_by_memory where v.memory_row = m.row and v.model = ?)
"""


def missing(store: Store, model: str, limit: int) -> list[Unembedded]:
    """Memories that this model has not seen, newest first."""
    sql = f"select m.row, m.title, m.body, m.intent from memories m where {_UNSEEN} order by m.row desc limit ?"
    return [Unembedded(row, _texts(*text)) for row, *text in store.rows(sql, (number(store, model), limit))]


def count_missing(store: Store, model: str) -> int:
    return int(store.value(f"select count(*) from memories m where {_UNSEEN}", (number(store, model),)))


def _texts(title: str, body: str, intent: str) -> dict[str, str]:
    texts = {BODY: f"{title}\n{body}" if title and not body.startswith(title) else body}
    return texts | ({INTENT: intent} if intent.strip() else {})


def put(store: Store, model: str, dims: int, made: Sequence[tuple[Unembedded, Sequence[Stored]]]) -> int:
    """Keep what was made of these memories, except of those whose text has changed or gone meanwhile."""
    kept = 0
    with store.transaction():
        id = known(store, model, dims)
        for memory, stored in made:
            now = store.row("select title, body, intent from memories where row = ?", (memory.row,))
            if now is None or _texts(*now) != memory.texts:
                continue
            store.db.execute("delete from vectors where model = ? and memory_row = ?", (id, memory.row))
            store.db.executemany(
                "insert into vectors (model, memory_row, facet, chunk, scale, vector) values (?, ?, ?, ?, ?, ?)",
                [(id, *one) for one in stored],
            )
            kept += 1
    return kept


def known(store: Store, model: str, dims: int) -> int:
    """The number of a model; when its vectors had another length, they are of no use and go."""
    known = store.row("select id, dims from vector_models where name = ?", (model,))
    if known and known[1] != dims:
        remove_model(store, model)
        known = None
    if known is None:
        store.db.execute("insert into vector_models (name, dims) values (?, ?)", (model, dims))
    return number(store, model)


def number(store: Store, model: str) -> int:
    """0 for a model that nothing was kept of."""
    return int(store.value("select id from vector_models where name = ?", (model,)) or 0)


def remove_model(store: Store, model: str) -> int:
    """Delete every vector of a model, also those of passages; how many there were."""
    with store.transaction():
        id = number(store, model)
        store.db.execute("delete from vectors where model = ?", (id,))
        gone = store.db.changes()
        store.db.execute("delete from passage_vectors where model = ?", (id,))
        gone += store.db.changes()
        store.db.execute("delete from vector_models where id = ?", (id,))
    return gone


def remove_misfits(store: Store, model: str, dims: int) -> None:
    """Delete vectors of a model that are not as long as those that it makes now: they are made again."""
    with store.transaction():
        if store.value("select dims from vector_models where name = ?", (model,)) not in (None, dims):
            remove_model(store, model)
        for table in ("vectors", "passage_vectors"):
            store.db.execute(f"delete from {table} as v where v.model = ? and not {IS_WHOLE}", (number(store, model),))
        store.db.execute(
            "delete from passage_vectors where model = ? and length(context) <> length(vector)", (number(store, model),)
        )


def held(store: Store) -> list[Held]:
    # The index has all that is counted, and is a tenth of the vectors.
    sql = "select count(distinct memory_row), count(*) from vectors indexed by vectors_by_memory where model = ?"
    found = []
    for id, name, dims in store.rows("select id, name, dims from vector_models order by id"):
        ((memories, vectors),) = store.rows(sql, (id,))
        found.append(Held(name, dims, memories, vectors, vectors * dims))
    return found


def has_any(store: Store, model: str) -> bool:
    """Whether any memory has a vector of this model."""
    sql = "select exists (select 1 from vectors v join vector_models m on m.id = v.model where m.name = ?)"
    return bool(store.value(sql, (model,)))


def newest_change(store: Store) -> int:
    """The number of the last change; a look at the end of an index."""
    return int(store.value("select max(number) from vector_changes") or 0)


def changed(store: Store, since: int, limit: int) -> list[tuple[int, int]]:
    """The memories whose vectors or place changed after this number, in order: number and row."""
    sql = "select number, memory_row from vector_changes where number > ? order by number limit ?"
    return [(number, row) for number, row in store.rows(sql, (since, limit))]


IS_WHOLE = "length(v.vector) = (select dims from vector_models where id = v.model)"
"""Only those of one length can be compared; an endpoint may have changed its own before that was looked at."""
_PLACED = f"""
select v.memory_row, v.facet, v.scale, v.vector, m.project, m.skill
from vectors v join memories m on m.row = v.memory_row where v.model = ? and {IS_WHOLE}
"""


def everything(store: Store, model: str) -> Iterator[Placed]:
    for row in store.db.execute(_PLACED, (number(store, model),)):
        yield Placed(*row)


def of_rows(store: Store, model: str, rows: Iterable[int]) -> list[Placed]:
    marks = ", ".join(str(int(row)) for row in rows)
    return [Placed(*row) for row in store.rows(f"{_PLACED} and v.memory_row in ({marks})", (number(store, model),))]


def marks(store: Store) -> dict[int, int]:
    """A number for the text of each memory that has vectors, to see which texts a rebuild has changed."""
    sql = "select row, title, body, intent from memories where row in (select memory_row from vectors)"
    return {row: hash(tuple(text)) for row, *text in store.db.execute(sql)}


def drop_stale(store: Store, before: dict[int, int]) -> None:
    """After a rebuild: vectors whose memory is gone or has another text than it had."""
    after = marks(store)
    rows = [row for (row,) in store.rows("select distinct memory_row from vectors")]
    stale = [(row,) for row in rows if before.get(row) != after.get(row, 0)]
    store.db.executemany("delete from vectors where memory_row = ?", stale)
