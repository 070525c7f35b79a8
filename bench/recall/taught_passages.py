"""What the judge of passages is taught: for each question the passages that lead, with all their signs, and which of
them is right."""

from __future__ import annotations

from bench.recall import asking
from bench.recall.asking import Put
from bench.recall.teaching import Choice
from bench.recall.weights import counts
from hardwon.recall import conversations, passage_rank
from hardwon.surfaces.bench import production
from hardwon.surfaces.bench.corpus import DataSet
from hardwon.surfaces.bench.production import Embedding


def gather(data: DataSet, embedding: Embedding | None) -> list[Choice]:
    return [one for one in map(_choice, asking.each(data, embedding)) if one.signs]


def _choice(put: Put) -> Choice:
    name, store, loaded, corpus, asked = put
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
