from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memories.search.words import affordable, bm25, coverage, rarity, reaching, size, weights, worth_reading
from tests.support import opened


@pytest.mark.parametrize(
    ("frequencies", "bound", "chosen"),
    [
        ({"rare": 3, "common": 900}, 1000, ["rare", "common"]),
        ({"rare": 3, "common": 999}, 1000, ["rare"]),
        ({"absent": 0, "rare": 3}, 1000, ["rare"]),
        ({"huge": 5000}, 1000, []),
        ({}, 1000, []),
    ],
)
def test_affordable(frequencies: dict[str, int], bound: int, chosen: list[str]) -> None:
    """The rarest words are searched first, and together they stay under the bound."""
    assert affordable(frequencies, bound) == chosen


def test_rare_words_weigh_more() -> None:
    """A word that few memories have says more; one that none has weighs as one that a single memory has."""
    weighed = weights({"absent": 0, "once": 1, "often": 90, "everywhere": 100}, 100)
    assert weighed["absent"] == weighed["once"] > weighed["often"] > weighed["everywhere"] > 0


def test_size(tmp_path: Path) -> None:
    """Each word once, without those that stand everywhere."""
    with opened(tmp_path / "home") as store:
        assert size(store, ["redi", "the", "port", "redi", "of"]) == 2


@pytest.mark.parametrize(
    ("df", "total", "counts"),
    [
        (0, 1000, 1.0),
        (1, 1000, 1.0),
        (10, 1000, 0.70),
        (100, 1000, 0.35),
        (900, 1000, 0.25),  # another project may be full of it
        (2, 3, 0.88),  # of three notes two about redis: that says little about the word
        (1, 1, 1.0),
    ],
)
def test_rarity(df: int, total: int, counts: float) -> None:
    """A word that one memory has counts 1, and no word counts nothing."""
    assert rarity({"redis": df}, total)["redis"] == pytest.approx(counts, abs=0.005)


@pytest.mark.parametrize(("present", "share"), [(set(), 0.0), ({"a"}, 0.75), ({"a", "b"}, 1.0), ({"c"}, 0.0)])
def test_coverage(present: set[str], share: float) -> None:
    """The share of the question's weight, not of its words."""
    assert coverage(present, {"a": 3.0, "b": 1.0}) == share
    assert coverage(present, {}) == 0.0


@pytest.mark.parametrize(
    ("postings", "least", "may"),
    [
        ({"rare": [1, 2], "mid": [2, 3]}, 0.5, {1, 2, 3}),
        ({"rare": [1, 2], "mid": [2, 3]}, 0.6, {1, 2}),
        ({"rare": [1, 2], "mid": [2, 3]}, 0.8, {2}),
        ({"rare": [1, 2], "mid": [2, 3], "common": [3]}, 0.6, {2}),
        ({"rare": [1, 2]}, 0.5, {1, 2}),
        ({"rare": [], "mid": [2, 3]}, 0.6, set()),
        ({}, 0.5, set()),
    ],
)
def test_who_may_cover_enough(postings: dict[str, list[int]], least: float, may: set[int]) -> None:
    """By the words that were looked up, and by all that the others could add; nobody who could is left out."""
    found = reaching(postings, {"rare": 5.0, "mid": 3.0, "common": 2.0}, least)
    assert found.keys() == may
    assert all(share >= least for share in found.values())


@pytest.mark.parametrize(
    ("row", "text", "worth"),
    [
        (1, "the worker restarts", False),
        (1, "the worker fails to restart", True),
        (2, "the worker restarts", True),
        (3, "nothing is known of this one", True),
        (1, "der wörker startet neu", True),
    ],
)
def test_what_has_to_be_read(row: int, text: str, worth: bool) -> None:
    """Not what lacks the common words that it would need; anything else, and what is not in plain letters."""
    weighed = {"worker": 4.0, "fail": 6.0}
    ask = worth_reading({1: 1.0, 2: 1.5}, weighed, {"worker": [1, 2]}, 0.5)
    assert ask(row, text) is worth


def test_a_text_with_more_of_the_words_fits_better() -> None:
    """And of two with the same words the shorter one; one without any does not fit."""
    texts = {1: ["worker", "fail"], 2: ["worker", "x"], 3: ["worker", *"abcdefgh"], 4: ["y"]}
    found = bm25(texts, {"worker": 2.0, "fail": 1.0})
    assert sorted(found, key=found.__getitem__, reverse=True) == [1, 2, 3, 4]
    assert found[4] == 0
