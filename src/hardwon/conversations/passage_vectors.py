"""Passages by meaning: the vectors of one model in one matrix, multiplied whole.

It is read once and then kept up to date by the numbered changes in the store, as that of memories is. One that has just
gone is not found in the store any more, and so never shown.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hardwon.store.connection import Store
from hardwon.store.tables import passage_vectors as stored
from hardwon.store.tables.passage_vectors import Placed, Stored
from hardwon.store.tables.passages import Passage

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from hardwon.embedding.model import Model
    from hardwon.memories.search.vectors import QueryVector

PASSAGES = 8
"""Of one batch, each with two texts."""
BLOCK = 4_096
"""Rows that become floating-point numbers at a time."""


_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


class Near(NamedTuple):
    """Cosines with a question: of a passage, and of the talk that it is from."""

    itself: float
    opening: float
    """What the talk began with."""
    talk: float
    """All of it, on average."""
    best: float
    """What is nearest in it."""
    context: float
    """Of the passage in its place, with what was said before it."""
    best_context: float
    """The same of what is nearest in its talk."""


def embed_missing(store: Store, model: Model, most: int = PASSAGES) -> int:
    """Give vectors to at most this many passages, newest first; how many were found without."""
    from hardwon.memories.search.batch import quantised

    waiting = stored.missing(store, model.name, most)
    if waiting:
        # A server may give vectors of another length since.
        known = {one.text: one.own for one in waiting if one.own and len(one.own[1]) == model.dims}
        texts = dict.fromkeys(text for one in waiting for text in (one.text, one.context) if text not in known)
        rows = known | dict(zip(texts, quantised(model.embed(list(texts))) if texts else (), strict=True))
        made = [(one, Stored(one.passage, *rows[one.text], *rows[one.context])) for one in waiting]
        stored.put(store, model.name, model.dims, made)
    return len(waiting)


def look(store: Store, query: QueryVector, projects: Sequence[str], limit: int) -> Looked:
    """The passages of these projects (of all, if none is named) that are most like the question, with the cosine."""
    held = _held(store, query.model)
    with held.guard:
        held.refresh(store)
        return held.look(query.values, stored.sessions_of(store, projects) if projects else None, limit)


def later_like(store: Store, model: str, rows: Sequence[int], than: Passage, limit: int) -> dict[int, float]:
    """The later passages of the same project that are most like any of these."""
    held = _held(store, model)
    with held.guard:
        held.refresh(store)
        return held.later_like(rows, stored.sessions_of(store, [than.project]), than.at, limit)


def alike(
    store: Store, model: str, rows: Collection[int], others: Mapping[int, Collection[int]]
) -> tuple[dict[int, float], dict[int, float]] | None:
    """How much these passages, taken together, are like each of the others, taken together: themselves, and in their
    places. None without vectors."""
    held = _held(store, model)
    with held.guard:
        held.refresh(store)
        return held.alike(rows, others)


def _held(store: Store, model: str) -> Held:
    """The one for this database, as long as anybody here has it open."""
    return store.beside.only("passages", store.device, model, Held)


@dataclass(frozen=True, slots=True)
class Looked:
    """A question held against everything once; nothing in here changes when the store does."""

    nearest: Sequence[tuple[int, float]]
    """Passages with their cosines, best first."""
    nearest_in_context: Sequence[tuple[int, float]]
    """The same by what they are in their places."""
    cosines: NDArray[numpy.float32]
    contexts: NDArray[numpy.float32]
    rows: NDArray[numpy.int64]
    sessions: NDArray[numpy.int64]
    order: NDArray[numpy.int64]
    """The places in the order of the talks."""

    def near(self, rows: Collection[int]) -> dict[int, Near]:
        """What there is to say of these passages; those without a vector are left out."""
        import numpy

        if not len(self.cosines):
            return {}
        places = numpy.flatnonzero(numpy.isin(self.rows, numpy.fromiter(rows, dtype=numpy.int64)))
        talks = {int(session): self._talk(int(session)) for session in numpy.unique(self.sessions[places])}
        return {
            int(self.rows[place]): Near(
                itself=float(self.cosines[place]),
                context=float(self.contexts[place]),
                **talks[int(self.sessions[place])],
            )
            for place in places
        }

    def _talk(self, session: int) -> dict[str, float]:
        import numpy

        begins, ends = (
            int(numpy.searchsorted(self.sessions, session, side=side, sorter=self.order)) for side in _SIDES
        )
        places = self.order[begins:ends]
        said = self.cosines[places]
        return {
            "opening": float(said[0]),
            "talk": float(said.mean()),
            "best": float(said.max()),
            "best_context": float(self.contexts[places].max()),
        }


class Held:
    """Hold `guard` while using it."""

    def __init__(self, model: str) -> None:
        import numpy

        self.model = model
        self.guard = threading.Lock()
        self._seen = -1
        """The number of the last change that is in here; -1 before the first reading."""
        self.vectors: NDArray[numpy.int8] = numpy.zeros((0, 0), dtype=numpy.int8)
        self.scales: NDArray[numpy.float32] = numpy.zeros(0, dtype=numpy.float32)
        self.contexts: NDArray[numpy.int8] = numpy.zeros((0, 0), dtype=numpy.int8)
        self.context_scales: NDArray[numpy.float32] = numpy.zeros(0, dtype=numpy.float32)
        self.rows: NDArray[numpy.int64] = numpy.zeros(0, dtype=numpy.int64)
        self.sessions: NDArray[numpy.int64] = numpy.zeros(0, dtype=numpy.int64)
        self.times: NDArray[numpy.int64] = numpy.zeros(0, dtype=numpy.int64)
        self.order: NDArray[numpy.int64] = numpy.zeros(0, dtype=numpy.int64)
        """The places in the order of the talks."""

    def refresh(self, store: Store) -> None:
        """Take in what has changed since."""
        newest = stored.newest_change(store)
        if newest == self._seen:
            return
        if self._seen < 0 or newest < self._seen:  # the first time, or a copy from before was restored
            self._seen = newest  # asked before the reading: what comes in between is read twice
            self._replace(None, stored.everything(store, self.model))
            return
        changed = stored.changed(store, self._seen)
        gone = [passage for _, passage in changed]
        self._replace(gone, stored.of_passages(store, self.model, gone))
        self._seen = changed[-1][0]

    def _replace(self, gone: Sequence[int] | None, found: Sequence[Placed]) -> None:
        """These in place of those; None: of all."""
        import numpy

        dims = len(found[0].vector) if found else self.vectors.shape[1]
        if gone is None or dims != self.vectors.shape[1]:  # or made anew, and longer: the old ones are gone
            stays = numpy.zeros(0, dtype=numpy.int64)
            self.vectors = self.contexts = numpy.zeros((0, dims), dtype=numpy.int8)
        else:
            stays = numpy.flatnonzero(~numpy.isin(self.rows, numpy.array(gone, dtype=numpy.int64)))
        self.vectors = numpy.concatenate([self.vectors[stays], _rows([one.vector for one in found], dims)])
        self.contexts = numpy.concatenate([self.contexts[stays], _rows([one.context for one in found], dims)])
        self.rows = _joined(self.rows[stays], [one.passage for one in found])
        self.scales = _joined(self.scales[stays], [one.scale for one in found])
        self.context_scales = _joined(self.context_scales[stays], [one.context_scale for one in found])
        self.sessions = _joined(self.sessions[stays], [one.session for one in found])
        self.times = _joined(self.times[stays], [one.at for one in found])
        self.order = numpy.lexsort((self.rows, self.times, self.sessions))

    def look(self, query: NDArray[numpy.float32], sessions: list[int] | None, limit: int) -> Looked:
        import numpy

        there = len(self.rows) > 0 and self.vectors.shape[1] == len(query)
        nothing = numpy.zeros(0, dtype=numpy.float32)
        cosines = _cosines(self.vectors, self.scales, query) if there else nothing
        contexts = _cosines(self.contexts, self.context_scales, query) if there else nothing
        itself, in_place = (self._best(some, sessions, limit) if there else [] for some in (cosines, contexts))
        return Looked(itself, in_place, cosines, contexts, self.rows, self.sessions, self.order)

    def later_like(self, rows: Sequence[int], sessions: list[int], at: int, limit: int) -> dict[int, float]:
        import numpy

        places = numpy.flatnonzero(numpy.isin(self.rows, numpy.array(rows, dtype=numpy.int64)))
        if not len(places):
            return {}
        own = _floats(self.vectors, self.scales, places)
        cosines = numpy.maximum.reduce([_cosines(self.vectors, self.scales, one) for one in own])
        return dict(self._best(numpy.where(self.times > at, cosines, numpy.float32(-2.0)), sessions, limit))

    def alike(
        self, rows: Collection[int], others: Mapping[int, Collection[int]]
    ) -> tuple[dict[int, float], dict[int, float]] | None:
        import numpy

        wanted = {*rows, *(row for several in others.values() for row in several)}
        places = numpy.flatnonzero(numpy.isin(self.rows, numpy.fromiter(wanted, dtype=numpy.int64)))
        there = self.rows[places].tolist()
        if not set(rows) & set(there):
            return None
        itself = dict(zip(there, _floats(self.vectors, self.scales, places), strict=True))
        in_place = dict(zip(there, _floats(self.contexts, self.context_scales, places), strict=True))
        return _alike(itself, rows, others), _alike(in_place, rows, others)

    def _best(self, cosines: NDArray[numpy.float32], sessions: list[int] | None, limit: int) -> list[tuple[int, float]]:
        import numpy

        if sessions is not None:
            cosines = numpy.where(numpy.isin(self.sessions, sessions), cosines, numpy.float32(-2.0))
        most = min(limit, len(cosines))
        best = numpy.argpartition(-cosines, most - 1)[:most]
        found = [(int(self.rows[place]), float(cosines[place])) for place in best if cosines[place] > -2.0]
        return sorted(found, key=lambda one: -one[1])


def _joined(column: NDArray[Any], more: Sequence[float]) -> NDArray[Any]:
    import numpy

    return numpy.concatenate([column, numpy.array(more, dtype=column.dtype)])


def _rows(vectors: Sequence[bytes], dims: int) -> NDArray[numpy.int8]:
    import numpy

    return numpy.frombuffer(b"".join(vectors), dtype=numpy.int8).reshape(len(vectors), dims)


def _cosines(
    vectors: NDArray[numpy.int8], scales: NDArray[numpy.float32], query: NDArray[numpy.float32]
) -> NDArray[numpy.float32]:
    import numpy

    cosines = numpy.empty(len(vectors), dtype=numpy.float32)
    for at in range(0, len(vectors), BLOCK):
        cosines[at : at + BLOCK] = vectors[at : at + BLOCK].astype(numpy.float32) @ query
    scaled: NDArray[numpy.float32] = cosines * scales
    return scaled


def _floats(
    vectors: NDArray[numpy.int8], scales: NDArray[numpy.float32], places: NDArray[numpy.int64]
) -> NDArray[numpy.float32]:
    import numpy

    whole: NDArray[numpy.float32] = vectors[places].astype(numpy.float32) * scales[places][:, None]
    return whole


def _alike(
    vectors: Mapping[int, NDArray[numpy.float32]], rows: Collection[int], others: Mapping[int, Collection[int]]
) -> dict[int, float]:
    """The cosines of what several have together."""
    import numpy

    def mixed(several: Collection[int]) -> NDArray[numpy.float32] | None:
        there = [vectors[row] for row in several if row in vectors]
        whole = numpy.sum(there, axis=0) if there else None
        return None if whole is None else whole / max(float(numpy.linalg.norm(whole)), 1e-9)

    own = mixed(rows)
    each = {id: mixed(several) for id, several in others.items()}
    return {} if own is None else {id: float(own @ one) for id, one in each.items() if one is not None}
