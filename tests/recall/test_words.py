from __future__ import annotations

import pytest

from hardwon.recall.words import affordable, coverage, weights


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


@pytest.mark.parametrize(("present", "share"), [(set(), 0.0), ({"a"}, 0.75), ({"a", "b"}, 1.0), ({"c"}, 0.0)])
def test_coverage(present: set[str], share: float) -> None:
    """The share of the question's weight, not of its words."""
    assert coverage(present, {"a": 3.0, "b": 1.0}) == share
    assert coverage(present, {}) == 0.0
