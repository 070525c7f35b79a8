"""Every data set through every method: ranked lists, figures of each question, and what is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hardwon.evaluation import bootstrap, metrics, plain, production
from hardwon.evaluation.bootstrap import Estimate
from hardwon.evaluation.corpus import Asked, Corpus, DataSet
from hardwon.evaluation.production import DEPTH, Embedding

OURS, OURS_MEANING = "hardwon, words", "hardwon, words and vectors"
OPEN = ", gate open"
"""For notes: everything that recall ranks, also what it would not say."""
BM25, VECTORS, FUSED = "FTS5 BM25", "vectors alone", "RRF 60"

Way = Callable[[Asked], list[str]]
Told = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """The figures of each question, by method and figure, in the order of the questions."""

    data: DataSet
    figures: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    kinds: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """The main figure by kind of question."""
    misses: list[dict[str, Any]] = field(default_factory=list)
    """Questions in which our main figure is not full, with what was found instead."""

    def add(
        self, way: str, asked: Asked, ranked: list[str], sessions: dict[str, str], exchanges: dict[str, str]
    ) -> None:
        for name in self.data.measures:
            value = metrics.figure(name, asked, ranked[:DEPTH], sessions, exchanges)
            if value is None:
                continue
            self.figures.setdefault(way, defaultdict(list))[name].append(value)
            if name == self.data.measures[0]:
                if asked.kind:
                    self.kinds.setdefault(way, defaultdict(list))[asked.kind].append(value)
                if value < 1 and way in (OURS, OURS_MEANING):
                    self._remember_miss(way, asked, ranked)

    def _remember_miss(self, way: str, asked: Asked, ranked: list[str]) -> None:
        place = next((place for place, id in enumerate(ranked, 1) if id in asked.gold), None)
        self.misses.append(
            {"method": way, "id": asked.id, "kind": asked.kind, "question": asked.text, "gold": sorted(asked.gold),
             "place": place, "first": ranked[:3]}
        )  # fmt: skip

    def estimates(self, way: str) -> dict[str, Estimate]:
        return {name: bootstrap.estimate(self.figures[way].get(name, [])) for name in self.data.measures}

    def ahead(self) -> dict[str, Estimate]:
        """How much better ours is than each other method in the main figure."""
        ours = OURS_MEANING if OURS_MEANING in self.figures else OURS
        main = self.data.measures[0]
        own = self.figures[ours][main]
        return {
            way: bootstrap.difference(own, figures[main])
            for way, figures in self.figures.items()
            if way != ours and not way.endswith(OPEN)
        }

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.data.name,
            "questions": self.data.questions,
            "documents": self.data.documents,
            "main": self.data.measures[0],
            "methods": {
                way: {name: one.as_json() for name, one in self.estimates(way).items()} for way in self.figures
            },
            "ahead of": {way: one.as_json() for way, one in self.ahead().items()},
            "kinds": {
                way: {kind: {"value": round(metrics.mean(some), 4), "of": len(some)} for kind, some in kinds.items()}
                for way, kinds in self.kinds.items()
            },
        }


def measure(data: DataSet, embedding: Embedding | None, told: Told) -> Result:
    result = Result(data)
    for number, corpus in enumerate(data.corpora, 1):
        told(f"{data.name}: {corpus.name} ({number} of {len(data.corpora)})")
        _measure(corpus, embedding, result)
    return result


def _measure(corpus: Corpus, embedding: Embedding | None, result: Result) -> None:
    sessions, exchanges = corpus.sessions, corpus.exchanges
    with production.stores(embedding, production.load(corpus)) as opened:
        loaded, without, with_vectors = opened.loaded, opened.without, opened.with_vectors
        find = production.notes if corpus.notes else production.turns
        ways: dict[str, Way] = {OURS: partial(find, without, loaded, corpus)}
        if with_vectors:
            ways[OURS_MEANING] = partial(find, with_vectors, loaded, corpus)
        if corpus.notes:
            everything = partial(production.notes, with_vectors or without, loaded, corpus, least=0.0)
            ways[(OURS_MEANING if with_vectors else OURS) + OPEN] = everything
        ways |= _plain(corpus, embedding)
        for asked in corpus.questions:
            for name, way in ways.items():
                result.add(name, asked, way(asked), sessions, exchanges)


def _plain(corpus: Corpus, embedding: Embedding | None) -> dict[str, Way]:
    words = plain.Words(corpus.documents)
    ways: dict[str, Way] = {BM25: lambda asked: words.rank(asked.text)}
    if embedding:
        meaning = plain.Meaning(corpus.documents, embedding.model)
        ways[VECTORS] = lambda asked: meaning.rank(asked.text)
        ways[FUSED] = lambda asked: plain.fused(words.rank(asked.text), meaning.rank(asked.text))
    return ways
