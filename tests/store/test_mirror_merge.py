"""The three-way merge alone: every bullet and every memory has exactly one fate, whatever was done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.store.mirror.merge import MOST_PAIRS, Bullet, Known, Merge, mark, merge


def known(
    id: str, text: str, *, base: str | None = None, project: str = "*", live: bool = True, fits: bool = True
) -> Known:
    """`base` is what the file said; without it the same as now, "" when it was not in the file."""
    was = text if base is None else base
    return Known(id, project, "", text, live, fits, mark("", was) if was else None, project)


def bullets(*texts: str) -> list[Bullet]:
    return [Bullet(index, "*", "", text) for index, text in enumerate(texts)]


LONG = "The deployment waits for the migration of the orders table"
THREE = [known("a", "alpha is the first"), known("b", LONG), known("c", "gamma is the third")]


@pytest.mark.parametrize(
    ("memories", "file", "expected"),
    [
        (THREE, ["alpha is the first", LONG, "gamma is the third"], Merge(same={0: "a", 1: "b", 2: "c"})),
        (THREE, ["gamma is the third", LONG, "alpha is the first"], Merge(same={0: "c", 1: "b", 2: "a"})),
        (THREE, ["alpha is the first", LONG + " too", "gamma is the third"], Merge({0: "a", 2: "c"}, edited={1: "b"})),
        (THREE, ["alpha is the first", "gamma is the third"], Merge({0: "a", 1: "c"}, deleted=["b"])),
        # Moved away and edited: still the only one that it can be.
        (THREE, [LONG + " too", "alpha is the first", "gamma is the third"], Merge({1: "a", 2: "c"}, edited={0: "b"})),
        # Two that could be it: both are new, and the memory stays.
        (
            THREE,
            ["alpha is the first", LONG + " 1", LONG + " 2", "gamma is the third"],
            Merge({0: "a", 3: "c"}, new=[1, 2], kept=["b"]),
        ),
        # Unlike what was there, at its place: another lesson.
        (THREE, ["alpha is the first", "zzz", "gamma is the third"], Merge({0: "a", 2: "c"}, new=[1], deleted=["b"])),
        ([known("a", "new words", base="old words")], ["old words"], Merge({0: "a"})),
        ([known("a", "new words", base="old words")], ["new words"], Merge({0: "a"})),
        ([known("a", LONG + " now", base=LONG)], [LONG + " here"], Merge(both={0: "a"})),
        ([known("a", "new", base="old"), known("b", LONG)], [LONG], Merge({0: "b"}, kept=["a"])),
        ([known("a", "gone", live=False)], ["gone"], Merge(dropped=[0])),
        ([known("a", LONG, live=False)], [LONG + " too"], Merge(new=[0])),
        ([known("a", "not in the file yet", base="")], [], Merge()),
        ([known("a", "not in the file yet", base="")], ["not in the file yet"], Merge({0: "a"})),
        ([known("a", "same")], ["same", "same"], Merge({0: "a"}, dropped=[1])),
        ([known("a", "beyond the number", fits=False), known("b", LONG)], [LONG], Merge({0: "b"}, kept=["a"])),
        ([known("a", "one")], [], Merge(deleted=["a"], asks=True)),
        ([known("a", "one")], None, Merge(deleted=["a"], asks=True)),
        ([], None, Merge()),
        ([], ["first of all"], Merge(new=[0])),
    ],
)
def test_what_becomes_of_each(memories: list[Known], file: list[str] | None, expected: Merge) -> None:
    """Sure of it: the same memory. Not sure: a lesson more, and the old one stays."""
    assert merge(memories, None if file is None else bullets(*file)) == expected


def test_under_another_heading_with_the_same_words() -> None:
    """Moved when it is missing where it was, new when it is only copied."""
    one = known("a", "a lesson", project="shop")
    assert merge([one], [Bullet(0, "*", "", "a lesson")]) == Merge(moved={0: "a"})
    both = [Bullet(0, "shop", "", "a lesson"), Bullet(1, "*", "", "a lesson")]
    assert merge([one], both) == Merge({0: "a"}, new=[1])


def test_half_of_many_gone_is_a_question() -> None:
    """A save that was cut short looks like this."""
    many = [known(str(number), f"lesson number {number * 977}") for number in range(30)]
    assert merge(many, bullets(*(one.text for one in many[:10]))).asks
    assert not merge(many, bullets(*(one.text for one in many[:25]))).asks


def test_a_file_written_anew_is_not_compared_for_ever() -> None:
    """Too many pairs: all new, and nothing deleted."""
    many = [known(str(number), f"lesson number {number * 977}") for number in range(200)]
    done = merge(many, bullets(*(f"other thing {number * 313}" for number in range(200))))
    assert MOST_PAIRS < 200 * 200
    assert len(done.new) == 200
    assert done.deleted == []


_TEXT = st.text(st.sampled_from("ab c"), min_size=1, max_size=12)
_KNOWN = st.builds(
    lambda text, base, live, fits: (text, base, live, fits),
    _TEXT,
    st.none() | _TEXT | st.just(""),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(_KNOWN, max_size=8), st.lists(_TEXT, max_size=8))
def test_everything_has_one_fate(given_: list[tuple[str, str | None, bool, bool]], file: list[str]) -> None:
    """No bullet is passed over or counted twice; no memory that the file had is lost without a word."""
    memories = [
        known(str(at), text, base=base, live=live, fits=fits) for at, (text, base, live, fits) in enumerate(given_)
    ]
    done = merge(memories, bullets(*file))
    fates = [*done.same, *done.moved, *done.edited, *done.both, *done.new, *done.dropped]
    assert sorted(fates) == list(range(len(file)))
    owned = [*done.same.values(), *done.moved.values(), *done.edited.values(), *done.both.values()]
    assert len(set(owned)) == len(owned)
    was_in_file = {one.id for one in memories if one.base is not None and one.live}
    assert was_in_file <= {*owned, *done.deleted, *done.kept}
    assert not set(owned) & {*done.deleted, *done.kept}
    assert all(one.live for one in memories if one.id in {*owned, *done.deleted})
    assert not any(one.changed or not one.fits for one in memories if one.id in done.deleted)
