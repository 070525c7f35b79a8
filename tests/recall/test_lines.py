"""Which later passage continues an earlier one, and the order that follows from it: tables without a store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardwon.recall import lines
from hardwon.recall.lines import Said, Signs, current_first, signs

COMMON = {"release": 1.0, "day": 1.0, "run": 1.0}


def weight(stem: str) -> float:
    return COMMON.get(stem, 5.0)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DAY = 86_400_000
EARLIER = Said(1, words("eu customer data frankfurt paris provider price"), words("frankfurt"), words=6, answers=-0.2)
LATER = words("capacity spring problem paris customer latency same may there")
AMENDING = Said(2, LATER, words("paris may"), words=9, answers=-0.6, talk="later", at=60 * DAY)
OTHERS = [Said(id, words(f"lint{id} warning{id} release day"), words=8, talk=f"t{id}", at=DAY) for id in range(10, 20)]


def amending(
    *others: Said, cosines: dict[int, float] | None = None, earlier: Said = EARLIER, **changed: object
) -> Signs:
    """The signs of the amending one, a little different, among others."""
    one = replace(AMENDING, **changed)  # type: ignore[arg-type]
    return signs(earlier, [one, *others], weight, cosines)[one.id]


AS_IT_IS = amending(*OTHERS)


@pytest.mark.parametrize(
    ("sign", "of", "less"),
    [
        ("shared", AS_IT_IS, amending(*OTHERS, stems=words("release day run"))),
        ("talk shared", AS_IT_IS, amending(*OTHERS, stems=words("release day run"))),
        # What the talk shares counts, wherever in it.
        ("talk shared", amending(replace(AMENDING, id=3), stems=words("nothing")), amending(stems=words("nothing"))),
        # Everything is as much alike: no talk stands out.
        ("stands out", AS_IT_IS, amending(*(replace(AMENDING, id=id, talk=f"t{id}") for id in range(3, 14)))),
        ("own shared", amending(own=words("frankfurt")), AS_IT_IS),
        ("behind in shared", amending(replace(AMENDING, id=3), stems=words("lint")), AS_IT_IS),
        ("asked", amending(asked=True), AS_IT_IS),
        ("changes", amending(changes=True), AS_IT_IS),
        ("talk changes", amending(replace(AMENDING, id=3, changes=True)), AS_IT_IS),
        ("long ago", AS_IT_IS, amending(at=DAY)),
        ("long before", amending(earlier=replace(EARLIER, words=90)), AS_IT_IS),
        ("long", AS_IT_IS, amending(words=3)),
        ("answers", AS_IT_IS, amending(answers=lines.NOT_FOUND)),
        ("answered", amending(earlier=replace(EARLIER, answers=0.0)), AS_IT_IS),
        ("replies", amending(does={"replies": 1.0}), amending(does={"replies": 0.0})),
        (
            "was: replies",
            amending(earlier=replace(EARLIER, does={"replies": 1.0})),
            amending(does={"was: replies": 0.0}),
        ),
        ("meaning", amending(cosines={2: 0.8}), amending(cosines={2: 0.4})),
        ("talk meaning", amending(replace(AMENDING, id=3), cosines={3: 0.8}), amending(cosines={2: 0.4})),
        ("behind in meaning", amending(*OTHERS, cosines={2: 0.4, 10: 0.8}), amending(cosines={2: 0.4})),
    ],
)
def test_what_speaks_for_and_against_that_it_continues_another(sign: str, of: Signs, less: Signs) -> None:
    assert of[sign] > less[sign]


def test_both_are_compared_in_their_places() -> None:
    """As they are themselves: how like, and how far behind the one that is most so."""
    earlier, one, other = (Said(number, words("thirty days")) for number in (1, 2, 3))
    found = lines.signs(earlier, [one, other], weight, {2: 0.1, 3: 0.2}, {2: 0.9, 3: 0.5})
    assert [found[id]["meaning in place"] for id in (2, 3)] == [0.9, 0.5]
    assert [found[id]["behind in place"] for id in (2, 3)] == pytest.approx([0.0, 0.4])
    assert "meaning in place" not in lines.signs(earlier, [one], weight, {2: 0.1})[2]


def test_without_vectors_there_is_no_meaning() -> None:
    assert not {"meaning", "behind in meaning", "talk meaning"} & AS_IT_IS.keys()
    assert amending(cosines={})["meaning"] == 0.0


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        ({2: 0.8, 3: 0.2}, (0.8, 2)),
        ({2: 0.2, 3: 0.8}, (0.8, 3)),
        ({2: 0.8, 3: 0.8}, (0.8, 3)),  # the later row of two that are alike
        ({2: -0.2}, (-0.2, 2)),  # rather not
        ({}, None),
    ],
)
def test_the_most_likely_one_has_its_odds(odds: dict[int, float], expected: tuple[float, int] | None) -> None:
    assert lines.likeliest(odds) == expected


@pytest.mark.parametrize("by_meaning", [True, False])
def test_every_sign_of_lines_was_taught(by_meaning: bool) -> None:
    """Those of how it is said come from `passage_lines`."""
    given = signs(EARLIER, [AMENDING], weight, {} if by_meaning else None)[2]
    assert given.keys() <= lines.judge_of(by_meaning=by_meaning).plain.keys()


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
