"""The index of words: in many pieces after many changes, in one after upkeep."""

from __future__ import annotations

from pathlib import Path

from hardwon.store.index import search_index
from hardwon.store.maintenance import upkeep
from hardwon.store.tables import passages
from tests.recall.test_conversations import talk
from tests.support import note, now, opened

PIECES = "select count(distinct segid) from memory_search_idx"


def test_upkeep_makes_one_piece_of_many(tmp_path: Path) -> None:
    """A word is looked up in each piece; what can be found stays the same, and a second time nothing is left to do."""
    with opened(tmp_path / "home") as store:
        for number in range(60):
            note(store, f"lesson {number} of the worker")
        before = search_index.rows_with(store, "worker", 100)
        assert store.value(PIECES) > 1
        upkeep.run(store, now() + 2 * upkeep.HOUR)
        assert store.value(PIECES) == 1
        assert search_index.rows_with(store, "worker", 100) == before
        assert search_index.merge(store) == 0


def test_upkeep_makes_one_piece_of_what_was_said(tmp_path: Path) -> None:
    """The same for past conversations."""
    pieces = "select count(distinct segid) from passage_search_idx"
    with opened(tmp_path / "home") as store:
        for number in range(40):
            talk(store, f"s{number}", number, f"is worker {number} up?", "The worker is up.")
        before = passages.having(store, "worker", 100)
        assert len(before) == 80
        assert store.value(pieces) > 1
        upkeep.run(store, now() + 2 * upkeep.HOUR)
        assert store.value(pieces) == 1
        assert passages.having(store, "worker", 100) == before
