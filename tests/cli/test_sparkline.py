"""The small chart of loads per day."""

from __future__ import annotations

import pytest

from hardwon.surfaces.cli.status_skills import sparkline


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ([], ""),
        ([0, 0, 0], "···"),
        ([1], "█"),
        ([0, 1, 2, 4, 8], "·▁▂▄█"),
        ([8, 7, 1, 0], "█▇▁·"),
        ([1, 1000], "▁█"),
        ([3, 3], "██"),
    ],
)
def test_sparkline(values: list[int], drawn: str) -> None:
    """A column per day; nothing is a dot, and whatever is more than nothing is at least the lowest bar."""
    assert sparkline(values) == drawn
