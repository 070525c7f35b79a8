"""`python -m bench recall-weights`: what each sign weighs, fitted on questions."""

from __future__ import annotations

import json
from pathlib import Path

import bench.measure
import pytest
from bench.__main__ import main as bench_main
from bench.recall import weights
from bench.recall.weights import Question

from tests.bench.test_recall_run import DATA


def question(right: dict[str, float], *wrong: dict[str, float], data: str = "some") -> Question:
    return Question(data, (right, *wrong), (True, *(False for _ in wrong)))


TOLD = [
    question({"near": 0.9, "asks": 0.0}, {"near": 0.9, "asks": 1.0}, {"near": 0.1}),
    question({"near": 0.8, "noise": 1.0}, {"near": 0.2, "noise": 1.0}, {"near": 0.3, "asks": 1.0, "noise": 1.0}),
]


def test_what_tells_the_right_ones_gets_the_weight() -> None:
    """And what says nothing gets none."""
    fitted = weights.fit(TOLD)
    assert fitted["near"] > 1
    assert fitted["asks"] < -1
    assert abs(fitted["noise"]) < 0.1
    assert weights.first(TOLD, fitted) == 1.0
    assert weights.first(TOLD, {"near": -1.0}) == 0.0


def test_a_data_set_is_judged_by_weights_from_others() -> None:
    """In the odd one the signs mean the opposite: by weights of its own it would come out right."""
    odd = question({"near": 0.1}, {"near": 0.9}, data="odd: decisions")
    found = {name: share for name, share, _ in weights.left_out([*TOLD, *TOLD, *TOLD, odd])}
    assert found == {"some": 0.0, "odd: decisions": 0.0}


@pytest.mark.parametrize(
    ("data", "counts"),
    [
        ("tuning: decisions", 1.0),
        ("tuning: amended decisions", 0.2),
        ("tuning: amended: controls", 0.5),
        ("LoCoMo 1–5", 0.1),
    ],
)
def test_what_a_question_counts(data: str, counts: float) -> None:
    other = question({"near": 0.0}, {"near": 1.0})
    pulled = weights.fit([other, question({"near": 1.0}, {"near": 0.0}, data=data)])["near"]
    assert pulled < 0 if counts < 1 else pulled == pytest.approx(0.0, abs=1e-6)


def test_questions_come_with_the_signs_that_production_sees() -> None:
    """Those of a search by words have none of meaning, and one of the passages is right."""
    found = weights.gather(DATA, None)
    assert found
    for one in found:
        assert any(one.right)
        assert all("near" not in signs for signs in one.signs)
        assert all("talk covers" in signs for signs in one.signs)


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the table and how the data sets come out that were left out, and keeps the figures."""
    monkeypatch.setattr(bench.measure, "OUT", tmp_path)
    monkeypatch.setattr(weights, "STEPS", 20)
    assert bench_main(["recall-weights", "--sets", "short_1", "long_1", "--most", "2", "--no-vectors"]) == 0
    printed = capsys.readouterr().out
    assert "| short_1: decisions " in printed
    assert "| talk covers " in printed
    kept = json.loads((tmp_path / "recall-weights.json").read_text())
    assert set(kept["weights"]["Weights"]) >= {"words", "asks"}


def test_a_set_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["recall-weights", "--sets", "/nowhere", "--no-vectors"]) == 2
    assert "has none of the sets" in capsys.readouterr().err
