"""What everybody could do: BM25, vectors alone, and both fused by rank. None of it changes when production is tuned.

BM25 is SQLite's FTS5 (`porter unicode61`) over whole documents, any word of the question but the commonest. Vectors are
those of chunks, the best chunk counts for its document. The fusion is RRF with 60, over the whole lists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import apsw

from hardwon.embedding.model import chunks
from hardwon.evaluation.corpus import Document

if TYPE_CHECKING:
    from hardwon.embedding.model import Model

RRF = 60
_WORD = re.compile(r"\w+")
_STOP = """
a about above after again all also am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers him his how i
if in into is it its just me more most my no nor not now of off on once only or other our out over own s same she
should so some such t than that the their them then there these they this those through to too under until up very
was we were what when where which while who whom why will with would you your
"""


class Words:
    def __init__(self, documents: Sequence[Document]) -> None:
        self._ids = [document.id for document in documents]
        self._db = apsw.Connection("")
        self._db.execute("create virtual table texts using fts5 (text, tokenize = 'porter unicode61')")
        rows = [(row, document.said) for row, document in enumerate(documents)]
        self._db.executemany("insert into texts (rowid, text) values (?, ?)", rows)

    def rank(self, question: str) -> list[str]:
        stop = set(_STOP.split())
        words = dict.fromkeys(word for word in _WORD.findall(question.lower()) if word not in stop)
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        found = self._db.execute("select rowid from texts where texts match ? order by rank", (match,))
        return [self._ids[row] for (row,) in found]


class Meaning:
    def __init__(self, documents: Sequence[Document], model: Model) -> None:
        import numpy

        self._model = model
        self._ids = [document.id for document in documents]
        pieces = [chunks(document.said) for document in documents]
        self._starts = numpy.cumsum([0, *(len(some) for some in pieces[:-1])])
        self._vectors = model.embed([piece for some in pieces for piece in some])

    def rank(self, question: str) -> list[str]:
        import numpy

        (start,) = chunks(question, 1)
        cosines: Any = self._vectors @ self._model.embed([start])[0]
        best = numpy.maximum.reduceat(cosines, self._starts)
        return [self._ids[place] for place in numpy.argsort(-best, kind="stable")]


def fused(*lists: Sequence[str]) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for ranked in lists:
        for place, id in enumerate(ranked, 1):
            scores[id] += 1 / (RRF + place)
    return sorted(scores, key=lambda id: -scores[id])
