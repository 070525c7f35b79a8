"""What the judge of lines is taught: for a passage that was found, what may continue it, and which of that does.

A question about what was amended knows: whatever became of the earlier decision later on continues it. One about what
never was knows that nothing does, and so does a control, to which something later only looks alike. Passages about
which a question knows nothing are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.recall import asking
from bench.recall.asking import Put
from bench.recall.teaching import Choice
from hardwon.recall import conversations
from hardwon.recall.passage_lines import FOLLOWED, LEADING, Follower, Later
from hardwon.surfaces.bench import production
from hardwon.surfaces.bench.corpus import DataSet
from hardwon.surfaces.bench.production import Embedding

CONTINUED, CONTROL, NEVER = 1.0, 0.8, 0.8
"""What a choice counts: where something continues the passage, where something looks like it, and where nothing does,
of which there are far more."""
BESIDE = 0.4
"""How much of it where the passage is not of the exchange that decided, but beside it in its talk."""
AMENDED = "amended"


def gather(data: DataSet, embedding: Embedding | None) -> list[Choice]:
    return [choice for put in asking.each(data, embedding) for choice in _Question(put).choices()]


class _Question:
    def __init__(self, put: Put) -> None:
        data, store, loaded, corpus, asked = put
        self.data, self.kind = data, asked.kind
        self.exchanges, self.sessions = corpus.exchanges, corpus.sessions
        vector = production.query_vector(store, asked.text)
        self.one = conversations.consider(store, asked.text, corpus.projects, vector)
        factors = conversations.weighed(store, asked.text, self.one)
        answering = {row: sum(some.values()) for row, some in factors.items()}
        read = self.one.read
        self.ranked = sorted(answering, key=lambda row: (-answering[row], -read[row].passage.at, row))[:LEADING]
        self.follower = Follower(store, self.ranked, answering, read, vector, self.one.asking())
        self.documents = loaded.entries
        times = {document.id: document.at for document in corpus.documents}
        known = asked.gold | (asked.outdated if asked.kind == AMENDED else frozenset())
        self.places = sorted(known, key=times.__getitem__)
        """Where it was decided, and then amended."""

    def choices(self) -> Iterator[Choice]:
        if self.one.named or self.one.asked.literal:
            return
        for row in dict.fromkeys(self.follower.answer(start) for start in self._starts()):
            found = self.follower.later_than(row)
            if found is not None and found.later and (place := self._place(row)) is not None:
                yield from self._choice(row, found, self.places[place + 1 :])

    def _starts(self) -> list[int]:
        """The first ones, which are followed, and those of the exchanges that are known."""
        known = {self.exchanges[place] for place in self.places}
        return [
            row
            for number, row in enumerate(self.ranked)
            if number < FOLLOWED or self.exchanges[self._document(row)] in known
        ]

    def _place(self, row: int) -> int | None:
        """Which of the places it is of: by its exchange, or by its talk."""
        for of in (self.exchanges, self.sessions):
            if own := [number for number, place in enumerate(self.places) if of[place] == of[self._document(row)]]:
                return own[0]
        return None

    def _choice(self, row: int, found: Later, became: Sequence[str]) -> Iterator[Choice]:
        signs = self.follower.signs(found)
        exchanges = {self.exchanges[place] for place in became}
        right = tuple(self.exchanges[self._document(one.id)] in exchanges for one in found.later)
        if became and not any(right):
            return
        counts = CONTINUED if became else CONTROL if self.kind == "control" else NEVER
        decided = self.exchanges[self._document(row)] in {self.exchanges[place] for place in self.places}
        yield Choice(
            self.data,
            tuple(signs[one.id] for one in found.later),
            (0.0,) * len(right),
            right,
            counts if decided else BESIDE * counts,
            none_is_right=not became,
        )

    def _document(self, row: int) -> str:
        return self.documents[self.one.read[row].passage.journal]
