"""Vectors for memories that have none, a few at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.embedding import packaged
from hardwon.embedding.model import Model, chunks
from hardwon.memories import doubles
from hardwon.store.connection import Store
from hardwon.store.tables import vectors
from hardwon.store.tables.vectors import Stored, Unembedded

if TYPE_CHECKING:
    from hardwon.embedding.model import Vectors

MEMORIES = 8
"""Of one batch: a second or less on a slow core, and one short transaction."""


def embed_missing(store: Store, model: Model, most: int = MEMORIES) -> int:
    """Give vectors to at most this many memories, newest first; how many were found without."""
    waiting = vectors.missing(store, model.name, most)
    if waiting:
        vectors.put(store, model.name, model.dims, embed(model, waiting))
        doubles.link_doubles(store, model.name, [one.row for one in waiting], int(time.time() * 1000))
    return len(waiting)


def let_go_of_former(store: Store, model: str) -> None:
    """Delete what the packaged model made under another name, once everything was made anew."""
    former = [name for name in packaged.FORMER if model == packaged.NAME and vectors.number(store, name)]
    if former and not vectors.count_missing(store, model):
        for name in former:
            vectors.remove_model(store, name)


def embed(model: Model, waiting: Sequence[Unembedded]) -> list[tuple[Unembedded, list[Stored]]]:
    """These memories, each with its vectors, as they are kept."""
    pieces = [
        (memory, facet, number, piece)
        for memory in waiting
        for facet, text in memory.texts.items()
        for number, piece in enumerate(chunks(text))
    ]
    rows = quantised(model.embed([piece for *_, piece in pieces]))
    made: dict[int, list[Stored]] = {memory.row: [] for memory in waiting}
    for (memory, facet, number, _), (scale, vector) in zip(pieces, rows, strict=True):
        made[memory.row].append(Stored(memory.row, facet, number, scale, vector))
    return [(memory, made[memory.row]) for memory in waiting]


def quantised(rows: Vectors) -> list[tuple[float, bytes]]:
    """Each row as whole numbers from -127 to 127, with the factor that makes it one long again."""
    import numpy

    largest = numpy.maximum(numpy.abs(rows).max(axis=1, keepdims=True), 1e-12)
    whole = numpy.rint(rows / largest * 127).astype(numpy.int8)
    lengths = numpy.linalg.norm(whole.astype(numpy.float32), axis=1)
    scales = 1 / numpy.maximum(lengths, 1.0)
    return [(float(scale), row.tobytes()) for scale, row in zip(scales, whole, strict=True)]
