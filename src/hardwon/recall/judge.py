"""What several signs say together: a judge that was taught by examples.

A weight for each sign says how much it counts, whatever else is there. But some mean something only beside others: that
the cause was found answers "why", and says nothing where a number is asked for; what a whole talk is about speaks for a
passage of it, unless that turns to something else. A judge has 16 or 32 units, each a weighed sum of all signs that is
pressed between -1 and 1, and adds them up: enough for such pairs, few enough to be taught by some thousand questions
(`python -m bench recall-judges`), and done in a millisecond or two without numpy.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("judges")


@dataclass(frozen=True, slots=True)
class Judge:
    """`says` is what comes out when no sign is there, `plain` what each sign adds by itself. Each unit has where it
    stands without signs, what it says, and how far each sign moves it."""

    says: float
    plain: Mapping[str, float]
    units: tuple[tuple[float, float], ...]
    moves: Mapping[str, tuple[float, ...]]

    def __call__(self, signs: Mapping[str, float]) -> float:
        said = self.says
        stand = [start for start, _ in self.units]
        for sign, value in signs.items():
            if value and sign in self.moves:
                said += self.plain[sign] * value
                stand = [one + value * by for one, by in zip(stand, self.moves[sign], strict=True)]
        return said + sum(weight * math.tanh(one) for one, (_, weight) in zip(stand, self.units, strict=True))


@functools.cache
def taught(name: str) -> Judge:
    """The one of this name, as it was taught."""
    kept = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return Judge(
        kept["says"],
        {sign: row[0] for sign, row in kept["signs"].items()},
        tuple((start, weight) for start, weight in kept["units"]),
        {sign: tuple(row[1:]) for sign, row in kept["signs"].items()},
    )


def as_json(judge: Judge) -> str:
    """A line for each sign: what it says by itself, and how far it moves each unit."""
    rows = [
        f"  {json.dumps(sign)}: {json.dumps([_short(plain), *map(_short, judge.moves[sign])])}"
        for sign, plain in judge.plain.items()
    ]
    units = json.dumps([[_short(start), _short(weight)] for start, weight in judge.units])
    return f'{{"says": {_short(judge.says)},\n"units": {units},\n"signs": {{\n' + ",\n".join(rows) + "\n}}\n"


def _short(value: float) -> float:
    return round(value, 4)
