"""What production finds in a store with the documents of a corpus: its own functions, with its own weights.

With vectors and without are two readers of the same store that differ in one setting, as two users would.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.conversations import conversations
from hardwon.embedding import choose
from hardwon.evaluation import loading
from hardwon.evaluation.corpus import Asked, Corpus
from hardwon.evaluation.loading import Loaded
from hardwon.memories import Question, Recollection, recall
from hardwon.memories.search.plan import plan
from hardwon.memory import GLOBAL
from hardwon.paths import Home
from hardwon.settings import DEFAULTS, Settings
from hardwon.settings.keys import Vectors
from hardwon.store.connection import Store, open_store
from hardwon.text import anchors

if TYPE_CHECKING:
    from hardwon.embedding.model import Model
    from hardwon.memories.search.vectors import QueryVector

DEPTH = 100
"""So far down a list is looked at."""
WHOLE = 1_000_000
"""Tokens: enough for all that is asked for."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """A loaded model, and the settings that name it."""

    wanted: Vectors
    model: Model


def settings(embedding: Embedding | None) -> Settings:
    """The defaults, with this model or with none."""
    wanted = embedding.wanted if embedding else Vectors(model=choose.OFF)
    return dataclasses.replace(DEFAULTS, vectors=wanted)


@dataclass(frozen=True, slots=True)
class Opened:
    """The same store, read in two ways."""

    loaded: Loaded
    without: Store
    with_vectors: Store | None


@contextmanager
def stores(embedding: Embedding | None, fill: Callable[[Store], Loaded]) -> Iterator[Opened]:
    """A new store with what `fill` puts into it, to be read without vectors and, where there is a model, with them."""
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        home = Home(Path(folder))
        with open_store(home, settings(embedding)) as store:
            loaded = fill(store)
            if embedding:
                make_vectors(store, embedding)
        with open_store(home, settings(None)) as without, open_store(home, settings(embedding)) as with_vectors:
            yield Opened(loaded, without, with_vectors if embedding else None)


def make_vectors(store: Store, embedding: Embedding) -> None:
    """Those of everything in the store; and the model is the one that this process has loaded."""
    from hardwon.conversations import passage_vectors
    from hardwon.embedding.ready import READY
    from hardwon.memories.search import batch

    while batch.embed_missing(store, embedding.model, 64):
        pass
    while passage_vectors.embed_missing(store, embedding.model, 256):
        pass
    READY.put(embedding.wanted, embedding.model)


def turns(store: Store, loaded: Loaded, corpus: Corpus, asked: Asked) -> list[str]:
    """The documents in the order in which past conversations are found; each once, at the place of its best passage."""
    vector = query_vector(store, asked.text)
    found = conversations.search(store, asked.text, corpus.projects, DEPTH, vector=vector)
    return list(dict.fromkeys(loaded.entries[one.passage.journal] for one in found))


def query_vector(store: Store, text: str) -> QueryVector | None:
    if store.settings.vectors.model == choose.OFF:
        return None
    from hardwon.memories.search.vectors import query_vector

    return query_vector(store, text)


def notes(store: Store, loaded: Loaded, corpus: Corpus, asked: Asked, least: float | None = None) -> list[str]:
    found = recalled(store, asked.text, corpus.projects, asked.at or corpus.now, limit=DEPTH, least=least)
    return [loaded.notes[item.ranked.memory.id] for item in found.items]


def recalled(
    store: Store, text: str, projects: Sequence[str], now: int, *, limit: int | None = None, least: float | None = None
) -> Recollection:
    """As `hardwon recall` asks. `least` is where the gate stands, if not where the settings put it."""
    planned = plan(text, anchors.at_prompt(text))
    named = tuple(dict.fromkeys((*anchors.asked_about(text), *planned.pivots)))
    scopes = tuple(dict.fromkeys((*projects, GLOBAL)))
    own = store.settings.recall
    return recall(
        store,
        Question(text, scopes, None, named),
        now,
        limit=limit or own.limit,
        budget=WHOLE if limit else own.budget_tokens,
        liked=planned.liked,
        min_coverage=least,
    )


def load(corpus: Corpus) -> Callable[[Store], Loaded]:
    return lambda store: loading.load(store, corpus)
