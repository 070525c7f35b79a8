"""How a judge is taught: choices, each of several things of which some are right, and a small network that learns them.

The chance of each thing is a softmax over its choice, of what it scored at first and what the judge adds; the surprise
at the right ones goes down by gradient (Adam with decoupled decay, as in their papers). While it learns, a share of the
signs and units is left out at random, so that none relies on a single other one. numpy alone does it in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.recall.judge import Judge

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]

UNITS = 32
ROUNDS, AT_ONCE = 16, 16
STEP, DECAY = 0.004, 0.05
LEFT_OUT = 0.2
SAME = 1e-5
"""A sign that varies by less than this is the same everywhere."""
SEED = 20261118


@dataclass(frozen=True, slots=True)
class Choice:
    data: str
    """The data set it is of."""
    signs: tuple[dict[str, float], ...]
    first: tuple[float, ...]
    """What each scored before."""
    right: tuple[bool, ...]
    counts: float = 1.0
    none_is_right: bool | None = None
    """None where one has to be chosen; else there is one more possibility, that none of them is, which scores 0."""


class _Prepared:
    """All choices in one block, padded to the longest. "None" has a place of its own, which the judge does not see."""

    def __init__(self, choices: Sequence[Choice], names: Sequence[str]) -> None:
        import numpy

        longest = max(len(one.signs) for one in choices) + 1
        self.signs = numpy.zeros((len(choices), longest, len(names)))
        self.first = numpy.full((len(choices), longest), -1e9)
        self.right = numpy.zeros((len(choices), longest), dtype=bool)
        self.seen = numpy.zeros((len(choices), longest), dtype=bool)
        self.counts = numpy.array([one.counts for one in choices])
        for place, one in enumerate(choices):
            many = len(one.signs)
            self.signs[place, :many] = [[signs.get(name, 0.0) for name in names] for signs in one.signs]
            self.first[place, :many] = one.first
            self.right[place, :many] = one.right
            self.seen[place, :many] = True
            if one.none_is_right is not None:
                self.first[place, many] = 0.0
                self.right[place, many] = one.none_is_right


def teach(choices: Sequence[Choice], units: int = UNITS, rounds: int = ROUNDS) -> Judge:
    """The same choices give the same judge."""
    import numpy

    taught = [one for one in choices if any(one.right) or one.none_is_right]
    names = sorted({name for one in taught for signs in one.signs for name in signs})
    block = _Prepared(taught, names)
    there = block.signs[block.seen]
    middle, spread = there.mean(axis=0), there.std(axis=0) + 1e-6
    block.signs = numpy.where(block.seen[..., None], (block.signs - middle) / spread, 0.0)
    chance = numpy.random.default_rng(SEED)
    edge = len(names) ** -0.5
    # What each sign moves each unit by, where units start, what they say, what signs add by themselves.
    numbers: list[Floats] = [
        chance.uniform(-edge, edge, (len(names), units)),
        chance.uniform(-edge, edge, units),
        numpy.zeros(units),
        numpy.zeros(len(names)),
        numpy.zeros(1),
    ]
    learner = _Adam(numbers)
    order = numpy.arange(len(taught))
    steps = rounds * -(-len(taught) // AT_ONCE)
    for _ in range(rounds):
        chance.shuffle(order)
        for at in range(0, len(order), AT_ONCE):
            learner.step(_slopes(block, order[at : at + AT_ONCE], numbers, chance), steps)
    return _unscaled(names, middle, spread, numbers)


def _slopes(
    block: _Prepared, some: NDArray[numpy.int64], numbers: list[Floats], chance: numpy.random.Generator
) -> list[Floats]:
    import numpy

    moves, starts, says, plain, always = numbers
    signs, seen = block.signs[some], block.seen[some]
    kept = 1.0 / (1.0 - LEFT_OUT)
    shown = signs * (chance.random(signs.shape) >= LEFT_OUT) * kept
    pressed = numpy.tanh(shown @ moves + starts)
    heard = (chance.random(pressed.shape) >= LEFT_OUT) * kept
    added = signs @ plain + (pressed * heard) @ says + always
    scores = block.first[some] + numpy.where(seen, added, 0.0)
    surprise = _chances(scores) - _chances(numpy.where(block.right[some], scores, -1e9))
    slope = numpy.where(seen, surprise * block.counts[some][:, None], 0.0) / AT_ONCE
    back = slope[..., None] * says * heard * (1.0 - pressed**2)
    return [
        numpy.einsum("nkf,nku->fu", shown, back),
        back.sum(axis=(0, 1)),
        numpy.einsum("nk,nku->u", slope, pressed * heard),
        numpy.einsum("nk,nkf->f", slope, signs),
        slope.sum(keepdims=True).reshape(1),
    ]


def _chances(scores: Floats) -> Floats:
    import numpy

    chances = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = chances / chances.sum(axis=1, keepdims=True)
    return shares


class _Adam:
    def __init__(self, numbers: list[Floats]) -> None:
        import numpy

        self.numbers, self.done = numbers, 0
        self.means = [numpy.zeros_like(one) for one in numbers]
        self.squares = [numpy.zeros_like(one) for one in numbers]

    def step(self, slopes: list[Floats], steps: int) -> None:
        import numpy

        self.done += 1
        size = STEP * max(0.02, 1.0 - self.done / steps)
        for number, slope, mean, square in zip(self.numbers, slopes, self.means, self.squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            number *= 1.0 - size * DECAY
            number -= size * (mean / (1 - 0.9**self.done)) / (numpy.sqrt(square / (1 - 0.999**self.done)) + 1e-8)


def _unscaled(names: Sequence[str], middle: Floats, spread: Floats, numbers: list[Floats]) -> Judge:
    """For signs as they are: the scaling goes into the numbers. Of a sign that was the same everywhere nothing could be
    learned: the judge does not know it, whatever it should be one day."""
    moves, starts, says, plain, always = numbers
    varied = spread > SAME
    known = [name for name, varies in zip(names, varied.tolist(), strict=True) if varies]
    middle, spread = middle[varied], spread[varied]
    moves, plain = moves[varied] / spread[:, None], plain[varied] / spread
    starts, base = starts - middle @ moves, float(always[0] - middle @ plain)
    return Judge(
        base,
        dict(zip(known, plain.tolist(), strict=True)),
        tuple(zip(starts.tolist(), says.tolist(), strict=True)),
        {name: tuple(row) for name, row in zip(known, moves.tolist(), strict=True)},
    )


def chosen(one: Choice, by: Judge | None) -> int | None:
    """The place of what a judge chooses, by the first score alone without one; None for none."""
    scores = [first + (by(signs) if by else 0.0) for signs, first in zip(one.signs, one.first, strict=True)]
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    return None if best is None or (one.none_is_right is not None and scores[best] <= 0.0) else best


def is_right(one: Choice, by: Judge | None) -> bool:
    best = chosen(one, by)
    return bool(one.none_is_right) if best is None else one.right[best]
