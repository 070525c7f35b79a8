"""Stores that are large quickly: conversations and vectors written in bulk, past the steps that each text takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import progress
from bench.store import NOW, SESSION, YEAR, opened
from bench.texts import PROJECTS, Writer
from hardwon.paths import Home
from hardwon.store.connection import Store
from hardwon.store.tables import passage_vectors, passages, vectors
from hardwon.store.tables.vectors import BODY, Stored

if TYPE_CHECKING:
    from hardwon.embedding.model import Model

DIMS = 384
BATCH = 20_000
TEXTS = 200_000
"""Different ones; behind them they come again, in other sessions."""


def conversations(folder: Path, writer: Writer, size: int) -> Home:
    """So many passages: a turn each, by turns of a person and of the agent."""
    with opened(folder) as store:
        texts = [writer.text(number).draft.body[:400] for number in range(min(size, TEXTS))]
        for start in range(0, size, BATCH):
            progress(f"building {size:,} passages: {start:,}")
            with store.transaction():
                numbers = range(start, min(size, start + BATCH))
                store.db.executemany(_SESSIONS, list(_sessions(numbers, size)))
                store.db.executemany(
                    _JOURNAL, [(*_turn(number, size), texts[number % len(texts)]) for number in numbers]
                )
                passages.index_new(store)
        progress("")
    return Home(folder)


_SESSIONS = """
insert or ignore into sessions (row, host, id, project, cwd, transcript, started_at, last_at)
values (?, 'bench', ?, ?, '', '', ?, ?)
"""
_JOURNAL = """
insert into journal (session, key, type, tier, at, agent, prompt, call, tool, target, text, error)
values (?, ?, ?, 'S', ?, '', '', '', '', '', ?, '')
"""


def _sessions(numbers: range, size: int) -> Iterator[tuple[Any, ...]]:
    for session in range(numbers.start // SESSION, (numbers.stop - 1) // SESSION + 1):
        first, last = _at(session * SESSION, size), _at(session * SESSION + SESSION - 1, size)
        yield session + 1, f"session-{session:08}", PROJECTS[session % len(PROJECTS)], first, last


def _turn(number: int, size: int) -> tuple[Any, ...]:
    return number // SESSION + 1, f"turn-{number}", ("prompt_submitted", "turn_ended")[number % 2], _at(number, size)


def _at(number: int, size: int) -> int:
    return NOW - YEAR + YEAR * number // size


def real_vectors(store: Store, model: Model) -> None:
    from hardwon.memories.search.batch import embed_missing

    while embed_missing(store, model, 64):
        pass


def made_up_vectors(store: Store, model: str, size: int) -> None:
    import numpy

    from hardwon.memories.search.batch import quantised

    chance = numpy.random.default_rng(2)
    waiting = vectors.missing(store, model, size)
    for start in range(0, len(waiting), BATCH):
        some = waiting[start : start + BATCH]
        rows = quantised(chance.standard_normal((len(some), DIMS), dtype=numpy.float32))
        made = [(one, [Stored(one.row, BODY, 0, *row)]) for one, row in zip(some, rows, strict=True)]
        vectors.put(store, model, DIMS, made)


def made_up_passage_vectors(home: Home, model: str) -> None:
    """Two for each of the newest passages, as many as the settings give any."""
    import numpy

    from hardwon.memories.search.batch import quantised

    chance = numpy.random.default_rng(3)
    with opened(home.root) as store:
        while waiting := passage_vectors.missing(store, model, BATCH):
            own, placed = (quantised(chance.standard_normal((len(waiting), DIMS), dtype=numpy.float32)) for _ in "ab")
            made = [
                (one, passage_vectors.Stored(one.passage, *itself, *context))
                for one, itself, context in zip(waiting, own, placed, strict=True)
            ]
            passage_vectors.put(store, model, DIMS, made)
