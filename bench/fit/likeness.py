"""When a failure is one that is known: `src/hardwon/text/likeness/model.json`.

    python -m bench.fit.likeness [--write] [--set FILE…]

A logistic regression on what `text/likeness/features.py` says of two failures. It learns from the cases in
`troubles/` (by two authors; the format of `bench likeness`): the same cause in other clothes, a near one with another
cause, and each new failure beside those stored ones of other cases that have most words in common with it, which is
what nearly all of life is. Never from the commands: in such cases the near one repeats the command and the repeat does
not. Prints what one author's cases say of the other's: at which bound how much is told, and how much of it is wrong.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.troubles import Case, load
from hardwon.text.likeness.features import NAMES, Trouble, features
from hardwon.text.likeness.model import FILE
from hardwon.text.likeness.rarity import Rarity

FOLDER = Path(__file__).with_name("troubles")
RIDGE = 1.0
FOREIGN = 4
"""Stored failures of other cases, the likest, that each new one is set beside."""
NEAR_WRONG = {"known": 0.071, "looked_like": 0.125}
"""Of near ones, so many may be told wrongly."""
_PLAIN = Rarity()
UNSIGNED = frozenset({"ours"})
"""Cases that the signatures were made for: of these nothing is learned about signatures."""


@dataclass(frozen=True, slots=True)
class Sample:
    values: tuple[float, ...]
    same: bool
    weight: float
    kind: str
    case: str


def samples(cases: Sequence[Case], *, signed: bool = True) -> list[Sample]:
    found: list[tuple[tuple[float, ...], str, str]] = []
    for case in cases:
        for kind, new in case.later:
            each = [features(old, new, _PLAIN, case.fix) for old in case.stored]
            found += (
                [(max(each, key=sum), kind, case.name)]
                if kind == "repeat"
                else [(one, kind, case.name) for one in each]
            )
            for other, old in _likest(new, case, cases):
                found.append((features(old, new, _PLAIN, other.fix), "foreign", case.name))
    share = {
        kind: len(found) / 3 / max(1, sum(one[1] == kind for one in found)) for kind in ("repeat", "near", "foreign")
    }
    return [
        Sample(values if signed else _unsigned(values), kind == "repeat", share[kind], kind, name)
        for values, kind, name in found
    ]


def _unsigned(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(0.0 if name == "signature" else value for name, value in zip(NAMES, values, strict=True))


def _likest(new: Trouble, own: Case, cases: Sequence[Case]) -> list[tuple[Case, Trouble]]:
    others = [(other, old) for other in cases if other.failures != own.failures for old in other.stored]
    return sorted(others, key=lambda one: -sum(map(_PLAIN.of, new.all_words & one[1].all_words)))[:FOREIGN]


def fit(given: Sequence[Sample]) -> tuple[dict[str, float], float]:
    """Newton's method with a ridge, on standardised values."""
    count = len(NAMES)
    total = sum(one.weight for one in given)
    means = [sum(one.values[i] * one.weight for one in given) / total for i in range(count)]
    spreads = [
        math.sqrt(sum(one.weight * (one.values[i] - means[i]) ** 2 for one in given) / total) or 1.0
        for i in range(count)
    ]
    rows = [[*((one.values[i] - means[i]) / spreads[i] for i in range(count)), 1.0] for one in given]
    weights = [0.0] * (count + 1)
    for _ in range(40):
        slope = [-RIDGE * weight for weight in weights[:-1]] + [0.0]
        bend = [[0.0] * (count + 1) for _ in weights]
        for row, one in zip(rows, given, strict=True):
            chance = _logistic(sum(weight * value for weight, value in zip(weights, row, strict=True)))
            pull, pace = one.weight * (one.same - chance), one.weight * chance * (1 - chance)
            for i, value in enumerate(row):
                slope[i] += pull * value
                for j in range(i + 1):
                    bend[i][j] += pace * value * row[j]
        for i in range(count + 1):
            bend[i][i] += RIDGE if i < count else 1e-9
            for j in range(i):
                bend[j][i] = bend[i][j]
        step = _solve(bend, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-7:
            break
    plain = {name: weights[i] / spreads[i] for i, name in enumerate(NAMES)}
    return plain, weights[-1] - sum(plain[name] * means[i] for i, name in enumerate(NAMES))


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda at: abs(rows[at][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(len(rows)):
            if j != i and rows[j][i]:
                factor = rows[j][i] / rows[i][i]
                rows[j] = [one - factor * other for one, other in zip(rows[j], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


Scored = tuple[Sample, float]


def scored(given: Sequence[Sample], weights: dict[str, float], bias: float) -> list[Scored]:
    return [
        (one, _logistic(bias + sum(weights[name] * value for name, value in zip(NAMES, one.values, strict=True))))
        for one in given
    ]


def curve(found: Sequence[Scored]) -> list[tuple[float, float, float, float]]:
    """Bound; share of repeats told; of near cases and of foreign pairs told wrongly."""
    near: dict[str, float] = {}
    for one, chance in found:
        if one.kind == "near":
            near[one.case] = max(near.get(one.case, 0.0), chance)
    repeats = [chance for one, chance in found if one.kind == "repeat"]
    foreign = [chance for one, chance in found if one.kind == "foreign"]

    def over(some: Sequence[float], bound: float) -> float:
        return sum(chance >= bound for chance in some) / max(1, len(some))

    bounds = [step / 50 for step in range(10, 50)]
    return [(one, over(repeats, one), over(list(near.values()), one), over(foreign, one)) for one in bounds]


def bound_for(found: Sequence[tuple[float, float, float, float]], wrong: float) -> float:
    return next((bound for bound, _, near, _ in found if near <= wrong), found[-1][0])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--set", nargs="+", type=Path, default=sorted(FOLDER.glob("*.json")), help="cases to learn from"
    )
    parser.add_argument("--write", action="store_true", help="write the model")
    given = parser.parse_args()
    sets = {file.stem: samples(load(file), signed=file.stem not in UNSIGNED) for file in given.set}
    across: list[Scored] = []
    for name, own in sets.items():
        others = [one for other, some in sets.items() if other != name for one in some]
        if others:
            found = scored(own, *fit(others))
            across += found
            _print(f"{name}, learned from the others", curve(found))
    both = curve(across)
    _print("each from the others", both)
    weights, bias = fit([one for some in sets.values() for one in some])
    bounds = {tier: bound_for(both, wrong) for tier, wrong in NEAR_WRONG.items()}
    print(json.dumps(bounds))
    if given.write:
        model = {
            "weights": {name: round(value, 3) for name, value in weights.items()},
            "bias": round(bias, 3),
            "bounds": dict.fromkeys(("after failure", "prompt", "check"), bounds),
        }
        FILE.write_text(json.dumps(model, indent=2) + "\n", "utf-8")


def _print(name: str, rows: Sequence[tuple[float, float, float, float]]) -> None:
    print(f"{name}\n  bound   told   near wrong   foreign wrong")
    for bound, told, near, foreign in rows[::3]:
        print(f"  {bound:.2f}   {told:5.1%}   {near:5.1%}        {foreign:5.1%}")


if __name__ == "__main__":
    main()
