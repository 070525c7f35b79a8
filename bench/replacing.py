"""Whether of two memories the outdated one is known: pairs of notes, the later of which outdates the earlier, or not.

    python -m bench replacing [--quick]

All notes stand in one store, as a person would have kept them, and production says what becomes of each pair
when both fit a question: the earlier is *hidden* behind the later one, or said as its *equal*. To hide one that holds
is the worst that can happen. The rules were tuned on other pairs, by another author (docs/model-card.md).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.measure import keep, print_table
from hardwon.embedding.model import NoModel
from hardwon.evaluation import command, production
from hardwon.evaluation.loading import Loaded
from hardwon.evaluation.production import Embedding
from hardwon.memories import memory_lines
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Trust
from hardwon.settings.keys import Vectors
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories

PAIRS = Path(__file__).parent / "pairs" / "reporting.json"
BECAME = ("hidden", "equal")
FIRST = 1_790_000_000_000
DAY = 86_400_000

Pair = Mapping[str, str | bool]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench replacing", description="See the module.")
    parser.add_argument("--quick", action="store_true", help="without vectors")
    quick = parser.parse_args(argv).quick
    embedding = None if quick else _embedding()
    rows = list(_measured(embedding))
    print_table("What becomes of the earlier of two notes", ["by", "it is", "pairs", *BECAME], rows)
    keep("replacing", {"rows": rows})
    return 0


def _embedding() -> Embedding | None:
    try:
        return command.embedding_of(Vectors(), None)
    except NoModel:
        return None


def _measured(embedding: Embedding | None) -> Iterator[list[str]]:
    pairs = json.loads(PAIRS.read_text("utf-8"))
    with _kept(pairs, embedding) as ((words, meant), ids):
        for name, store in (("words", words), ("words and vectors", meant)):
            if store is None:
                continue
            for holds, says in ((False, "outdated"), (True, "still so")):
                chosen = [pair for pair, found in zip(ids, pairs, strict=True) if found["holds"] is holds]
                became = Counter(became_of(store, *pair) for pair in chosen)
                yield [name, says, str(len(chosen)), *(str(became[one]) for one in BECAME)]


@contextmanager
def _kept(
    pairs: Sequence[Pair], embedding: Embedding | None
) -> Iterator[tuple[tuple[Store, Store | None], list[tuple[str, str]]]]:
    """All of them in one store, read in two ways; and the ids of each pair."""
    ids: list[tuple[str, str]] = []

    def fill(store: Store) -> Loaded:
        for number, pair in enumerate(pairs):
            ids.append((_note(store, pair, "earlier", number), _note(store, pair, "later", number + len(pairs))))
        return Loaded({}, {})

    with production.stores(embedding, fill) as opened:
        yield (opened.without, opened.with_vectors), ids


def _note(store: Store, pair: Pair, which: str, day: int) -> str:
    draft = Draft(Kind(str(pair["kind"])), str(pair[which]), Scope(GLOBAL), trust=Trust.USER, source="user")
    noted = changes.note(store, draft, FIRST + day * DAY, apart=True)
    assert noted.id
    return noted.id


def became_of(store: Store, earlier: str, later: str) -> str:
    """What is said of these two when both fit."""
    both = memories.by_ids(store, (earlier, later))
    said = memory_lines.current(store, [_fitting(both[earlier]), _fitting(both[later])])
    return "equal" if earlier in [one.memory.id for one in said] else "hidden"


def _fitting(memory: Memory) -> Ranked:
    return Ranked(Candidate(memory, coverage=1.0), 1.0)
