"""What a question means, as far as there is a model and time for it.

A vector is made in a thread while the words are looked up; when it is late, the question is answered by its words
alone, and the vector waits for the next time the same is asked. Nobody queues for a thread: while all are at work, as
long as a server is slow, questions are answered by their words at once.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass, field

from hardwon.memories.search import vectors
from hardwon.memories.search.vectors import QueryVector
from hardwon.store.connection import Store

MOST = 24
"""Memories that are found by meaning."""
AT_ONCE = 2
"""Questions that become vectors at the same time."""


@dataclass(frozen=True, slots=True)
class Near:
    """Memories by row, each with its cosine."""

    found: dict[int, float] = field(default_factory=dict)
    """The nearest ones."""
    query: QueryVector | None = None

    def of(self, store: Store, rows: Collection[int]) -> dict[int, float]:
        """The cosines of these; without those that have no vector yet."""
        if self.query is None:
            return {}
        unknown = [row for row in rows if row not in self.found]
        return self.found | (vectors.cosines(store, self.query, unknown) if unknown else {})


NOTHING = Near()
Asked = Future[QueryVector | None]


def near(store: Store, asked: Asked, scopes: tuple[str, ...], seconds: float, skill: str | None = None) -> Near:
    """The memories that are nearest to what was asked; none when there is no model, or not within these seconds."""
    query = _in_time(asked, seconds)
    if query is None:
        return NOTHING
    return Near(dict(vectors.nearest(store, query, scopes, MOST, skill=skill)), query)


def _in_time(asked: Asked, seconds: float) -> QueryVector | None:
    try:
        return asked.result(timeout=max(0.0, seconds))
    except TooLate:
        return None


_ASKING = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="question")
_FREE = threading.Semaphore(AT_ONCE)


def ask(store: Store, text: str, scopes: tuple[str, ...], model: str) -> Asked | None:
    """Begin to make the vector of a question, with a model that is loaded; None where it could find nothing, and while
    others take too long."""
    if not text.strip() or not vectors.any_in(store, model, scopes):
        return None
    if not _FREE.acquire(blocking=False):
        return None
    asked = _ASKING.submit(vectors.query_vector, store, text)
    asked.add_done_callback(lambda _: _FREE.release())
    return asked
