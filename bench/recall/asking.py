"""The questions of a data set, each with a store that holds what it is asked of: fitting and teaching begin here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bench.measure import progress
from hardwon.store.connection import Store
from hardwon.surfaces.bench import production
from hardwon.surfaces.bench.corpus import Asked, Corpus, DataSet
from hardwon.surfaces.bench.loading import Loaded
from hardwon.surfaces.bench.production import Embedding


class Put(NamedTuple):
    """A question that is put to a store, which lasts until the next one."""

    data: str
    store: Store
    loaded: Loaded
    corpus: Corpus
    asked: Asked


def each(data: DataSet, embedding: Embedding | None) -> Iterator[Put]:
    for corpus in data.corpora:
        progress(f"{data.name}: {corpus.name}")
        with production.stores(embedding, production.load(corpus)) as opened:
            store = opened.with_vectors or opened.without
            for asked in corpus.questions:
                yield Put(data.name, store, opened.loaded, corpus, asked)
