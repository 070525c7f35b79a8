"""Memories by meaning: the stored vectors of one model in one matrix, searched whole.

A vector is a byte per number. A search in few vectors multiplies them all; in many it first compares signs, a bit per
number, and multiplies only those that agree most. What comes back is the plain cosine, the best of a memory's chunks
and facets: it means the same for every question, so that a gate can be set on it.

The matrix is read once and then kept up to date by the numbered changes in the store; readers of one process share it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.embedding import choose
from hardwon.embedding.model import NoModel, chunks
from hardwon.embedding.ready import READY
from hardwon.store.connection import Store
from hardwon.store.tables import vectors as stored
from hardwon.store.tables.vectors import FACETS, Placed

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from hardwon.embedding.model import Model, Vectors

EXACT = 4_000
"""So many vectors are multiplied without looking at their bits first."""
RESCORED = 400
"""Vectors that are multiplied after the look at the bits."""
AT_ONCE = 500
"""Changed memories that one search takes in; more are left to the background job."""
BLOCK = 2_048
"""Rows that become floating-point numbers at a time: they fit into the processor's cache."""
QUERY_SECONDS = 0.4
"""For an endpoint: a reply does not wait longer for it."""
MOST_QUERIES = 64
ENDS = 200
"""Characters of a long question's beginning and of its end: there stand what is wanted and what went wrong. A vector of
more takes longer, and a prompt waits for it."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryVector:
    """A question as a vector, and whose: it is compared with vectors of the same model only."""

    model: str
    values: NDArray[numpy.float32]


def query_vector(store: Store, text: str) -> QueryVector | None:
    """The question as a vector. None: no model is loaded (then it is asked for), or it does not know this language."""
    wanted = store.settings.vectors
    if wanted.model == choose.OFF:
        return None
    model = READY.model(wanted)
    if model is None:
        READY.want()
        return None
    (start,) = chunks(ends(text), 1)
    return _QUERIES.vector(model, start) if model.understands(start) else None


def ends(text: str) -> str:
    """The beginning and the end of a long question, in whole words; a short one as it is."""
    text = text.strip()
    if len(text) <= 2 * ENDS:
        return text
    (begin, *_), (*_, end) = text[:ENDS].rsplit(None, 1), text[-ENDS:].split(None, 1)
    return f"{begin} {end}"


class _Queries:
    """The last questions: the same one is asked at several moments, and again while somebody types on."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: dict[tuple[str, str], QueryVector] = {}

    def vector(self, model: Model, text: str) -> QueryVector | None:
        key = (model.name, text)
        with self._guard:
            if known := self._known.get(key):
                return known
        try:
            made = QueryVector(model.name, model.embed([text], QUERY_SECONDS)[0])
        except NoModel:  # an endpoint that does not answer
            return None
        with self._guard:
            self._known[key] = made
            while len(self._known) > MOST_QUERIES:
                self._known.pop(next(iter(self._known)))
        return made


_QUERIES = _Queries()


def any_in(store: Store, model: str, scopes: Sequence[str]) -> bool:
    """Whether there is a vector in these projects: where there is none, a question need not become one."""
    matrix = matrix_of(store, model)
    with matrix.guard:
        matrix.refresh(store, AT_ONCE)
        return matrix.has_any(scopes)


def nearest(
    store: Store,
    query: QueryVector,
    scopes: Sequence[str],
    limit: int,
    *,
    skill: str | None = None,
    facets: Sequence[str] = FACETS,
) -> list[tuple[int, float]]:
    """The rows of the memories of these projects that are most like the question, each with its cosine, best first."""
    matrix = matrix_of(store, query.model)
    with matrix.guard:
        matrix.refresh(store, AT_ONCE)
        return matrix.nearest(query.values, scopes, limit, skill, facets)


def cosines(store: Store, query: QueryVector, rows: Sequence[int]) -> dict[int, float]:
    """Those of these memories; of the best of their vectors."""
    matrix = matrix_of(store, query.model)
    with matrix.guard:
        matrix.refresh(store, AT_ONCE)
        return matrix.cosines(query.values, rows)


def like(store: Store, model: str, id: str, project: str, limit: int) -> dict[int, float]:
    """The rows of the memories of a project that mean most nearly the same as this one, each with its cosine."""
    row = store.value("select row from memories where id = ?", (id,))
    matrix = matrix_of(store, model)
    with matrix.guard:
        matrix.refresh(store, AT_ONCE)
        own = matrix.of_row(int(row)) if row is not None else None
        found = matrix.nearest(own, (project,), limit + 1, None, FACETS) if own is not None else []
    return {other: cosine for other, cosine in found if other != row}


def warm(store: Store, model: str) -> int:
    """Read everything that the matrix does not hold yet; how many vectors it holds. For the background job."""
    matrix = matrix_of(store, model)
    with matrix.guard:
        matrix.refresh(store)
        return matrix.size


def matrix_of(store: Store, model: str) -> Matrix:
    """The one for this database, as long as anybody here has it open."""
    return store.beside.only("memories", store.device, model, Matrix)


class Matrix:
    """Columns of the same length; rows behind `size` are free. Hold `guard` while using it."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.guard = threading.Lock()
        self.size = 0
        self._seen = -1
        """The number of the last change that is in here; -1 before the first reading."""
        self._names: dict[str | None, int] = {}
        self._columns: dict[str, NDArray[Any]] = {}

    def refresh(self, store: Store, most: int | None = None) -> None:
        """Take in what has changed since, at most of so many memories; a first reading takes all."""
        newest = stored.newest_change(store)
        if newest == self._seen:
            return
        if self._seen < 0 or newest < self._seen:  # the first time, or a copy from before was restored
            self.size, self._seen = 0, newest  # asked before the reading: what comes in between is read twice
            self._add(list(stored.everything(store, self.model)))
            return
        changed = stored.changed(store, self._seen, -1 if most is None else most)
        rows = [row for _, row in changed]
        self._remove(rows)
        self._add(stored.of_rows(store, self.model, rows))
        self._seen = changed[-1][0]

    def _add(self, placed: list[Placed]) -> None:
        import numpy

        if not placed:
            return
        count, dims = len(placed), len(placed[0].vector)
        if self._columns and self._columns["vector"].shape[1] != dims:  # made anew, and longer: the old ones are gone
            self.size, self._columns = 0, {}
        self._make_room(count, dims)
        new = slice(self.size, self.size + count)
        bytes_ = numpy.frombuffer(b"".join(one.vector for one in placed), dtype=numpy.int8).reshape(count, dims)
        self._columns["vector"][new] = bytes_
        self._columns["bits"][new] = _bits(bytes_)
        self._columns["scale"][new] = [one.scale for one in placed]
        self._columns["row"][new] = [one.memory_row for one in placed]
        self._columns["project"][new] = [self._number(one.project) for one in placed]
        self._columns["skill"][new] = [self._number(one.skill) for one in placed]
        self._columns["facet"][new] = [FACETS.index(one.facet) for one in placed]
        self.size += count

    def _make_room(self, more: int, dims: int) -> None:
        import numpy

        room = len(self._columns["row"]) if self._columns else 0
        if self.size + more <= room:
            return
        room = max(self.size + more, int(room * 1.25), 64)
        forms: dict[str, tuple[Any, tuple[int, ...]]] = {
            "vector": (numpy.int8, (room, dims)),
            "bits": (numpy.uint64, (room, -(-dims // 64))),
            "scale": (numpy.float32, (room,)),
            "row": (numpy.int64, (room,)),
            "project": (numpy.int32, (room,)),
            "skill": (numpy.int32, (room,)),
            "facet": (numpy.int8, (room,)),
        }
        for name, (kind, shape) in forms.items():
            wider = numpy.zeros(shape, dtype=kind)
            if self.size:
                wider[: self.size] = self._columns[name][: self.size]
            self._columns[name] = wider

    def _remove(self, rows: Sequence[int]) -> None:
        """The last ones take the places of those that go."""
        import numpy

        if not self.size:
            return
        gone = numpy.isin(self._columns["row"][: self.size], numpy.array(rows, dtype=numpy.int64))
        left = self.size - int(gone.sum())
        holes = numpy.flatnonzero(gone[:left])
        movers = left + numpy.flatnonzero(~gone[left:])
        for column in self._columns.values():
            column[holes] = column[movers]
        self.size = left

    def _number(self, name: str | None) -> int:
        return self._names.setdefault(name, len(self._names))

    def has_any(self, scopes: Sequence[str]) -> bool:
        """False is certain; a project of which the last vector has gone may still be known."""
        return self.size > 0 and any(one in self._names for one in scopes)

    def nearest(
        self, query: NDArray[numpy.float32], scopes: Sequence[str], limit: int, skill: str | None, facets: Sequence[str]
    ) -> list[tuple[int, float]]:
        if not self.size or limit <= 0 or self._columns["vector"].shape[1] != len(query):
            return []
        among = self._among(scopes, skill, facets)
        if len(among) > EXACT:
            among = self._most_alike(query, among, max(RESCORED, 8 * limit))
        cosines = self._cosines(query, among)
        return self._best(among, cosines, limit)

    def cosines(self, query: NDArray[numpy.float32], rows: Sequence[int]) -> dict[int, float]:
        import numpy

        if not self.size or self._columns["vector"].shape[1] != len(query):
            return {}
        wanted = numpy.isin(self._columns["row"][: self.size], numpy.array(rows, dtype=numpy.int64))
        among = numpy.flatnonzero(wanted)
        return dict(self._best(among, self._cosines(query, among), len(rows)))

    def of_row(self, row: int) -> NDArray[numpy.float32] | None:
        """The first vector of a memory."""
        import numpy

        places = numpy.flatnonzero(self._columns["row"][: self.size] == row).tolist() if self.size else []
        if not places:
            return None
        own: NDArray[numpy.float32] = self._columns["vector"][places[0]].astype(numpy.float32)
        own *= self._columns["scale"][places[0]]
        return own

    def _among(self, scopes: Sequence[str], skill: str | None, facets: Sequence[str]) -> NDArray[Any]:
        """The places of vectors that may answer."""
        import numpy

        def has(name: str, numbers: Sequence[int]) -> NDArray[numpy.bool_]:
            column = self._columns[name][: self.size]
            fits = numpy.zeros(self.size, dtype=numpy.bool_)
            for number in numbers:
                fits |= column == number
            return fits

        fits = has("project", [self._names[one] for one in set(scopes) if one in self._names])
        if skill is not None:
            fits &= has("skill", [self._names[skill]] if skill in self._names else [])
        if len(set(facets)) < len(FACETS):
            fits &= has("facet", [FACETS.index(one) for one in facets])
        return numpy.flatnonzero(fits)

    def _most_alike(self, query: NDArray[numpy.float32], among: NDArray[Any], most: int) -> NDArray[Any]:
        """Those whose signs differ least from the question's."""
        import numpy

        if len(among) <= most:
            return among
        bits, own = self._columns["bits"][: self.size], _bits(query[None, :])[0]
        differing = numpy.zeros(self.size, dtype=numpy.uint16)
        for word in range(len(own)):  # a column at a time: four times faster than a sum over each row
            differing += numpy.bitwise_count(bits[:, word] ^ own[word])
        return among[numpy.argpartition(differing[among], most)[:most]]

    def _cosines(self, query: NDArray[numpy.float32], among: NDArray[Any]) -> NDArray[numpy.float32]:
        import numpy

        found = numpy.empty(len(among), dtype=numpy.float32)
        for at in range(0, len(among), BLOCK):
            some = among[at : at + BLOCK]
            found[at : at + BLOCK] = self._columns["vector"][some].astype(numpy.float32) @ query
        scaled: NDArray[numpy.float32] = found * self._columns["scale"][among]
        return scaled

    def _best(self, among: NDArray[Any], cosines: NDArray[numpy.float32], limit: int) -> list[tuple[int, float]]:
        """Each memory once, with the best of its vectors."""
        import numpy

        best: dict[int, float] = {}
        for place in numpy.argsort(-cosines, kind="stable"):
            row = int(self._columns["row"][among[place]])
            if row not in best:
                best[row] = float(cosines[place])
                if len(best) == limit:
                    break
        return list(best.items())


def _bits(rows: Vectors | NDArray[Any]) -> NDArray[numpy.uint64]:
    """The signs of each row, 64 to a number."""
    import numpy

    packed = numpy.packbits(rows > 0, axis=1)
    missing = -packed.shape[1] % 8
    return numpy.ascontiguousarray(numpy.pad(packed, ((0, 0), (0, missing)))).view(numpy.uint64)
