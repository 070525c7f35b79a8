"""`python -m bench recall-judges`: how judges are taught, and what they are taught."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import bench.measure
import pytest
from bench.__main__ import main as bench_main
from bench.recall import judges, taught_lines, taught_passages, teaching
from bench.recall.teaching import Choice, chosen, is_right, teach
from bench.recall.weights import own_data

from hardwon.recall import judge
from hardwon.surfaces.bench.corpus import at_most


def pairs(data: str = "some") -> list[Choice]:
    """A cause is right where one is asked for, a rule where none is: neither sign is good or bad by itself."""
    found = []
    for asks in (0.0, 1.0):
        cause = {"asks why": asks, "cause": 1.0, "rule": 0.0}
        rule = {"asks why": asks, "cause": 0.0, "rule": 1.0}
        found += [Choice(data, (cause, rule), (0.0, 0.0), (asks == 1.0, asks == 0.0))] * 60
    return found


def test_a_judge_learns_what_signs_mean_together() -> None:
    by = teach(pairs())
    assert all(is_right(one, by) for one in pairs())
    assert not all(is_right(one, None) for one in pairs())


def test_the_same_choices_give_the_same_judge() -> None:
    assert teach(pairs(), rounds=2) == teach(pairs(), rounds=2)


def test_of_a_sign_that_never_varies_nothing_is_learned() -> None:
    """It would get any weight at all, and count for everything the day it varies."""
    always = [
        Choice("some", tuple(signs | {"always": 1.0} for signs in one.signs), one.first, one.right) for one in pairs()
    ]
    by = teach(always)
    assert "always" not in by.plain
    assert all(is_right(one, by) for one in pairs())


def test_it_adds_to_what_was_known_before() -> None:
    """Where no sign tells anything, the first score decides, and the judge leaves it at that."""
    signs = ({"noise": 1.0}, {"noise": 1.0})
    some = [Choice("some", signs, (2.0, 0.0), (True, False))] * 40
    assert chosen(some[0], teach(some)) == 0


def test_it_may_choose_none() -> None:
    """What is good is chosen, and where nothing is, nothing."""
    good, bad = {"good": 1.0}, {"good": 0.0}
    some = [Choice("some", (good, bad), (0.0, 0.0), (True, False), none_is_right=False)] * 40
    none = [Choice("some", (bad, bad), (0.0, 0.0), (False, False), none_is_right=True)] * 40
    by = teach([*some, *none])
    assert (chosen(some[0], by), chosen(none[0], by)) == (0, None)
    assert is_right(some[0], by)
    assert is_right(none[0], by)


def test_what_counts_more_is_learned() -> None:
    """Two that contradict each other: the heavier one wins."""
    one, other = {"a": 1.0}, {"a": 0.0}
    heavy = Choice("some", (one, other), (0.0, 0.0), (True, False), counts=1.0)
    light = Choice("some", (one, other), (0.0, 0.0), (False, True), counts=0.2)
    assert chosen(heavy, teach([heavy, light] * 40)) == 0


def test_a_data_set_is_judged_by_who_did_not_know_it() -> None:
    odd = [Choice("odd", one.signs, one.first, tuple(not right for right in one.right)) for one in pairs()]
    found = {name: share for name, _, share, _ in judges.left_out([*pairs("a"), *pairs("b"), *odd])}
    assert found["odd"] == 0.0


def test_all_sets_together() -> None:
    """By what is asked in them, each choice counting the same."""
    each = [("a: decisions", 0.5, 1.0, 10), ("b: decisions", 0.0, 0.5, 30), ("b: controls", 1.0, 1.0, 4)]
    assert list(judges.together(each)) == [("all: decisions", 0.125, 0.625, 40), ("all: controls", 1.0, 1.0, 4)]


def test_passages_come_with_all_signs_of_the_second_look() -> None:
    (decisions, *_) = own_data("short_1")
    found = taught_passages.gather(at_most(decisions, 4), None)
    assert len(found) == 4
    for one in found:
        assert any(one.right)
        assert list(one.first) == sorted(one.first, reverse=True)
        assert {"words", "for a cause", "after carries out"} <= one.signs[0].keys()


def test_lines_come_from_what_a_question_knows() -> None:
    """What was amended is continued by something; what was decided for good, and a control, by nothing."""
    decisions, amended, controls = own_data("short_1")
    continued = taught_lines.gather(amended, None)
    assert any(one.none_is_right is False for one in continued)
    assert all(any(one.right) != one.none_is_right for one in continued)
    never = [*taught_lines.gather(at_most(decisions, 6), None), *taught_lines.gather(controls, None)]
    assert never
    assert all(one.none_is_right and not any(one.right) for one in never)
    weights = {taught_lines.CONTROL, taught_lines.NEVER}
    assert {one.counts for one in never} <= weights | {taught_lines.BESIDE * weight for weight in weights}


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints how the judges did on what they did not know, keeps that, and writes them only when asked to."""
    folder = tmp_path / "judges"
    shutil.copytree(judge.FOLDER, folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    monkeypatch.setattr(judge, "FOLDER", folder)
    monkeypatch.setattr(bench.measure, "OUT", tmp_path)
    monkeypatch.setattr(teaching, "ROUNDS", 1)
    command = ["recall-judges", "--sets", "short_1", "long_1", "--most", "3", "--no-vectors"]
    assert bench_main(command) == 0
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert "| long_1: decisions " in capsys.readouterr().out
    assert json.loads((tmp_path / "recall-judges.json").read_text()).keys() >= {"passages_by_words", "lines_by_words"}
    try:
        assert bench_main([*command, "--write"]) == 0
    finally:
        judge.taught.cache_clear()
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"passages_by_words.json", "lines_by_words.json"}


def test_a_set_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["recall-judges", "--sets", "/nowhere", "--no-vectors"]) == 2
    assert "has none of the sets" in capsys.readouterr().err
