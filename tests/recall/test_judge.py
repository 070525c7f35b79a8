"""A judge: what its numbers make of signs, and that it is kept and read as it was taught."""

from __future__ import annotations

import json
import math

import pytest

from hardwon.recall import closer_look, judge, lines
from hardwon.recall.judge import Judge

# One unit says 1 where both signs are there and nothing where only one is; a sign adds half by itself.
BOTH = Judge(0.5, {"why": 0.0, "found": 0.5}, ((-15.0, 0.5),), {"why": (10.0,), "found": (10.0,)})


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ({}, 0.0),
        ({"why": 1.0}, 0.0),
        ({"found": 1.0}, 0.5),
        ({"why": 1.0, "found": 1.0}, 1.5),
        ({"why": 1.0, "found": 1.0, "unheard of": 9.0}, 1.5),
        ({"why": 0.0, "found": 0.0}, 0.0),
    ],
)
def test_signs_mean_something_together(signs: dict[str, float], expected: float) -> None:
    """What no weight of single signs could say; a sign that was not taught says nothing."""
    assert BOTH(signs) == pytest.approx(expected, abs=1e-3)


def test_each_unit_is_pressed_between_one_and_minus_one() -> None:
    assert BOTH({"why": 1000.0}) == pytest.approx(0.5 + 0.5)
    assert BOTH({"why": -1000.0}) == pytest.approx(0.0)
    assert Judge(0.0, {"a": 0.0}, ((0.3, 2.0),), {"a": (1.0,)})({"a": 0.2}) == pytest.approx(2 * math.tanh(0.5))


def test_it_is_kept_and_read_as_it_was(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """To four decimals, a line for each sign, so that a change can be read."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    monkeypatch.setattr(judge, "FOLDER", folder)
    (folder / "some.json").write_text(judge.as_json(BOTH), "utf-8")
    assert judge.taught.__wrapped__("some") == BOTH
    assert sum(line.startswith('  "') for line in judge.as_json(BOTH).splitlines()) == 2


@pytest.mark.parametrize("name", [closer_look.BY_MEANING, closer_look.BY_WORDS, lines.BY_MEANING, lines.BY_WORDS])
def test_the_judges_that_are_there(name: str) -> None:
    """Each has a number for every unit and every sign, none of them so large that a sign decides alone."""
    taught = judge.taught(name)
    assert taught.plain.keys() == taught.moves.keys()
    assert {len(row) for row in taught.moves.values()} == {len(taught.units)}
    kept = json.loads((judge.FOLDER / f"{name}.json").read_text("utf-8"))
    assert all(math.isfinite(number) for row in kept["signs"].values() for number in row)
    assert max(abs(weight) for _, weight in taught.units) < 5
    assert max(abs(number) for row in kept["signs"].values() for number in row) < 50
