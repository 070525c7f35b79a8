"""What the judge of passages is taught: for each question the passages that lead, with all their signs, and which of
them is right."""

from __future__ import annotations

from bench.measure import progress
from bench.recall.teaching import Choice
from bench.recall.weights import counts
from hardwon.recall import conversations, passage_rank
from hardwon.store.connection import Store
from hardwon.surfaces.bench import production
from hardwon.surfaces.bench.corpus import Asked, Corpus, DataSet
from hardwon.surfaces.bench.loading import Loaded
from hardwon.surfaces.bench.production import Embedding


def gather(data: DataSet, embedding: Embedding | None) -> list[Choice]:
    found = []
    for corpus in data.corpora:
        progress(f"{data.name}: {corpus.name}, passages")
        with production.stores(embedding, production.load(corpus)) as opened:
            store = opened.with_vectors or opened.without
            found += [_choice(data.name, store, opened.loaded, corpus, asked) for asked in corpus.questions]
    return [one for one in found if one.signs]


def _choice(name: str, store: Store, loaded: Loaded, corpus: Corpus, asked: Asked) -> Choice:
    one = conversations.consider(store, asked.text, corpus.projects, production.query_vector(store, asked.text))
    weighed = {row: passage_rank.weighed(signs, one.weights(row)) for row, signs in one.signs.items()}
    first = {row: sum(some.values()) for row, some in weighed.items() if one.read[row].answered}
    signs = conversations.closer(store, asked.text, one, first)
    # Which of an earlier and a later decision holds is for the lines to say.
    right = asked.gold | (asked.outdated if asked.kind == "amended" else frozenset())
    documents = [loaded.entries[one.read[row].passage.journal] for row in signs]
    return Choice(
        name,
        tuple(signs.values()),
        tuple(first[row] for row in signs),
        tuple(document in right for document in documents),
        counts(name),
    )
