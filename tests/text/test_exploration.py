"""Which looks at the same thing are worth a line."""

from __future__ import annotations

import itertools

import pytest

from hardwon.text.exploration import AGAIN, Look, kept

MINUTE = 60_000


@pytest.mark.parametrize(
    ("minutes", "worth"),
    [
        ((), ()),
        ((0,), (0,)),
        ((0, 1), (0,)),
        ((0, 29.999), (0,)),
        ((0, 30), (0, 30)),
        # A look that is not kept begins no new half hour
        ((0, 10, 20, 30, 40, 50, 60), (0, 30, 60)),
        ((0, 20, 40), (0, 40)),
        ((0, 29, 31, 59, 61), (0, 31, 61)),
        ((5, 5), (5,)),
    ],
)
def test_a_look_is_kept_once_in_half_an_hour(minutes: tuple[float, ...], worth: tuple[float, ...]) -> None:
    """Counted from the last one that was kept, in whatever order they are told of."""
    looks = [Look(int(minute * MINUTE), f"{number}") for number, minute in enumerate(minutes)]
    times = {look.key: look.at for look in looks}
    for told in itertools.islice(itertools.permutations(looks), 24):
        assert sorted(times[key] for key in kept(told)) == [int(minute * MINUTE) for minute in worth]


def test_half_an_hour_is_half_an_hour() -> None:
    assert AGAIN == 30 * MINUTE
