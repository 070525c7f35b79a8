"""`python -m bench recall-parts`: each part of the search taken out, on the same questions."""

from __future__ import annotations

import json
from pathlib import Path

import bench.measure
import pytest
from bench.__main__ import main as bench_main
from bench.recall import parts

from hardwon.conversations import conversations, passage_rank, rerank
from hardwon.evaluation import production
from hardwon.evaluation.kept_vectors import KeptVectors
from hardwon.evaluation.production import Embedding
from hardwon.settings.keys import Vectors
from tests.bench.test_recall_run import DATA
from tests.recall.models import Made


def state() -> dict[str, object]:
    return {name: value for name, value in vars(passage_rank).items() if not name.startswith("__")}


def test_each_part_is_measured_on_the_same_questions() -> None:
    """Every weight, the meaning and the lines, a figure for each question; and all is as before afterwards."""
    before, reranking = state(), rerank.continuations
    found = parts.measure(DATA, Embedding(Vectors(), KeptVectors(Made())), parts.every_part(), "hit@1")
    assert {
        "talk covers",
        "asks",
        "settles",
        "near",
        "named",
        "AGAIN",
        "ITSELF",
        "MEANING",
        "reranking",
    } <= found.without.keys()
    assert found.whole
    assert {len(values) for values in found.without.values()} == {len(found.whole)}
    assert state() == before
    assert rerank.continuations is reranking
    without = found.as_json()["without"]
    assert {"change", "questions changed"} == set(without["MEANING"])


def test_without_vectors_there_is_no_meaning_to_take_out() -> None:
    """A row for it would say that it changes nothing."""
    assert "MEANING" not in parts.measure(DATA, None, parts.every_part(), "hit@1").without


def test_a_part_is_put_back_after_an_error() -> None:
    """A measurement that fails leaves no weight at zero."""
    before = passage_rank.AGAIN
    part = next(one for one in parts.weights() if one.name == "AGAIN")
    seen = []

    def fail() -> None:
        with parts.taken_out(part):
            seen.append(passage_rank.AGAIN)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert seen == [0.0]
    assert before == passage_rank.AGAIN > 0


def test_a_sign_without_its_weight() -> None:
    """The others stay."""
    part = next(one for one in parts.weights() if one.name == "asks")
    (corpus,) = DATA.corpora[:1]
    with production.stores(None, production.load(corpus)) as opened:
        asked = corpus.questions[0].text, corpus.projects, None
        whole = conversations.consider(opened.without, *asked)
        with parts.taken_out(part):
            without = conversations.consider(opened.without, *asked)
    assert any("asks" in signs for signs in whole.signs.values())
    for row, signs in without.signs.items():
        assert whole.signs[row].items() - signs.items() <= {
            ("asks", value) for value in (0.0, whole.signs[row]["asks"])
        }
        assert "asks" not in signs


def test_changes_are_paired() -> None:
    """What is lost on one question and won on another is no change, but both are counted."""
    ablation = parts.Ablation(DATA, "hit@1", [1.0, 0.0, 1.0], {"X": [0.0, 1.0, 1.0]})
    assert ablation.changes()["X"].value == 0.0
    assert ablation.touched("X") == 2


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints a table per data set and keeps the figures."""
    monkeypatch.setattr(bench.measure, "OUT", tmp_path)
    monkeypatch.setenv("HARDWON_VECTORS_MODEL", "off")
    assert bench_main(["recall-parts", "--sets", "reporting", "--most", "2", "--no-vectors"]) == 0
    printed = capsys.readouterr().out
    assert "decisions: hit@1" in printed
    assert "| talk covers " in printed
    one = ["recall-parts", "--sets", "reporting", "--most", "2", "--no-vectors"]
    assert bench_main([*one, "--parts", "reranking", "--figure", "R@5"]) == 0
    assert "decisions: R@5" in (printed := capsys.readouterr().out)
    assert "| reranking " in printed
    assert "| talk covers " not in printed
    kept = json.loads((tmp_path / "recall-parts.json").read_text())
    assert kept["data"][0]["name"] == "decisions"
    assert bench_main(["recall-parts", "--commits", str(tmp_path / "none")]) == 2
