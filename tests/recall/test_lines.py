"""Which later passage continues an earlier one, and the order that follows from it: tables without a store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardwon.recall import lines
from hardwon.recall.lines import Said, continuing, current_first

COMMON = {"release": 1.0, "day": 1.0, "run": 1.0}


def weight(stem: str) -> float:
    return COMMON.get(stem, 5.0)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DAY = 86_400_000
EARLIER = Said(1, words("eu customer data frankfurt paris provider price"), words=6)
LATER = words("capacity spring problem paris customer latency same may there")
AMENDING = Said(2, LATER, words=9, answers=-0.6, talk="later", at=60 * DAY)
OTHERS = [Said(id, words(f"lint{id} warning{id} release day"), words=8, talk=f"t{id}", at=DAY) for id in range(10, 20)]
BARE = Said(2, words("nothing common"), answers=-0.5, talk="later", at=60 * DAY)


@pytest.mark.parametrize(
    ("later", "cosines", "continues"),
    [
        ([AMENDING, *OTHERS], None, True),
        ([replace(AMENDING, answers=lines.NOT_FOUND), *OTHERS], None, False),  # it does not answer the question
        ([replace(AMENDING, answers=-1.1), *OTHERS], None, False),
        ([replace(AMENDING, answers=-1.1, changes=True), *OTHERS], None, True),  # but tells of a change
        ([replace(AMENDING, answers=-0.6, asked=True), *OTHERS], None, False),  # another question
        ([replace(AMENDING, at=DAY), *OTHERS], None, False),  # a day later
        ([replace(AMENDING, stems=words("release day run")), *OTHERS], None, False),  # nothing rare is shared
        ([], None, False),
        # Everything is as much alike: no talk stands out.
        ([replace(AMENDING, id=id, answers=-0.6, talk=f"t{id}") for id in range(2, 14)], None, False),
        # What the talk shares counts, too, wherever in it.
        ([replace(BARE, answers=0.0), *OTHERS], None, False),
        ([replace(BARE, answers=0.0), replace(AMENDING, id=3, answers=-3.0), *OTHERS], None, True),
        # A change that is told elsewhere in it is not this one's.
        ([replace(AMENDING, answers=-0.75), *OTHERS], None, True),
        ([replace(AMENDING, answers=-0.75), replace(BARE, id=3, answers=-3.0, changes=True), *OTHERS], None, False),
        ([BARE, *OTHERS], {2: 0.8, 10: 0.1}, True),
        ([BARE, *OTHERS], {2: 0.4, 10: 0.1}, False),
        ([BARE, *OTHERS], {}, False),
    ],
)
def test_a_later_passage_continues_an_earlier_one(
    later: list[Said], cosines: dict[int, float] | None, continues: bool
) -> None:
    """By rare words or by meaning, its own and its talk's, the more it answers the question, the longer it took, not
    when it answers a question of its own."""
    found = continuing(EARLIER, later, weight, cosines)
    assert (found.id if found else None) == (2 if continues else None)


def test_some_are_displaced_only_by_what_is_sure() -> None:
    later = [AMENDING, *OTHERS]
    assert continuing(EARLIER, later, weight, least=0.3) is AMENDING
    assert continuing(EARLIER, later, weight, least=1.5) is None


def test_a_long_explanation_is_not_overturned_by_a_remark() -> None:
    later = [replace(AMENDING, answers=-0.6), *OTHERS]
    assert continuing(EARLIER, later, weight) is not None
    assert continuing(replace(EARLIER, words=90), later, weight) is None


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
