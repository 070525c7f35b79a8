"""Which later passage continues an earlier one, and the order that follows from it: tables without a store."""

from __future__ import annotations

import pytest

from hardwon.recall import lines
from hardwon.recall.lines import Said, continuing, current_first

COMMON = {"release": 1.0, "day": 1.0, "run": 1.0}


def weight(stem: str) -> float:
    return COMMON.get(stem, 5.0)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EARLIER = Said(1, words("eu customer data frankfurt paris provider price"), words=6)
LATER = words("capacity spring problem paris customer latency same may there")
AMENDING = Said(2, LATER, words=9, answers=0.3)
OTHERS = [Said(id, words(f"lint{id} warning{id} release day"), words=8) for id in range(10, 20)]


@pytest.mark.parametrize(
    ("later", "cosines", "continues"),
    [
        ([AMENDING, *OTHERS], None, True),
        ([Said(2, LATER), *OTHERS], None, False),  # it does not answer the question
        ([Said(2, LATER, answers=0.1), *OTHERS], None, False),
        ([Said(2, LATER, answers=0.1, changes=True), *OTHERS], None, True),  # but tells of a change
        ([Said(2, LATER, answers=0.3, asked=True), *OTHERS], None, False),  # another question
        ([Said(2, words("release day run"), answers=0.3), *OTHERS], None, False),  # nothing rare is shared
        ([], None, False),
        # Everything is as much alike: none of them stands out.
        ([Said(id, LATER, answers=0.3) for id in range(2, 14)], None, False),
        ([Said(2, words("nothing common"), answers=0.5), *OTHERS], {2: 0.8, 10: 0.1}, True),
        ([Said(2, words("nothing common"), answers=0.5), *OTHERS], {2: 0.4, 10: 0.1}, False),
        ([Said(2, words("nothing common"), answers=0.5), *OTHERS], {}, False),
    ],
)
def test_a_later_passage_continues_an_earlier_one(
    later: list[Said], cosines: dict[int, float] | None, continues: bool
) -> None:
    """By rare words or by meaning, the more it answers the question, and not when it answers one of its own."""
    found = continuing(EARLIER, later, weight, cosines)
    assert (found.id if found else None) == (2 if continues else None)


def test_a_long_explanation_is_not_overturned_by_a_remark() -> None:
    long = Said(1, EARLIER.stems, words=90)
    assert continuing(long, [AMENDING, *OTHERS], weight) is None


@pytest.mark.parametrize(
    ("ranked", "continued_by", "expected"),
    [
        ([1, 2, 3], {}, [(1, ()), (2, ()), (3, ())]),
        ([1, 2, 3], {1: 3}, [(3, (1,)), (1, ()), (2, ())]),
        ([1, 2], {1: 9}, [(9, (1,)), (1, ()), (2, ())]),  # one that the question did not find
        ([3, 1], {1: 3}, [(3, (1,)), (1, ())]),  # in order already
        ([1, 2], {1: 2, 2: 9}, [(9, (2, 1)), (2, (1,)), (1, ())]),
        ([1, 4], {1: 2, 4: 2}, [(2, (1, 4)), (1, ()), (4, ())]),
        ([1, 2], {1: 2, 2: 1}, [(1, (2, 1)), (2, (1, 2))]),  # a circle ends
    ],
)
def test_the_latest_of_a_line_comes_first(
    ranked: list[int], continued_by: dict[int, int], expected: list[tuple[int, tuple[int, ...]]]
) -> None:
    """In the place of the first that it continues; the others stay behind it, and each knows its history."""
    found = current_first(ranked, continued_by)
    assert [id for id, _ in found] == [id for id, _ in expected]
    if continued_by != {1: 2, 2: 1}:
        assert found == expected


def test_words_are_alike_by_what_they_weigh() -> None:
    assert lines.alike({"a", "b"}, {"a", "b"}, weight) == pytest.approx(1.0)
    assert lines.alike({"a", "b"}, {"c"}, weight) == 0.0
    assert lines.alike({"a", "release"}, {"b", "release"}, weight) < 0.05
    assert lines.alike(set(), {"a"}, weight) == 0.0
