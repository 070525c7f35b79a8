"""`python -m bench recall-model`: what the packaged model is taught. The teaching itself needs PyTorch."""

from __future__ import annotations

import importlib.util

import pytest
from bench.__main__ import main as bench_main
from bench.recall import lessons, names, sets
from bench.recall.lessons import Lessons


def one_of(name: str, part: str) -> Lessons:
    (found,) = (one for one in lessons.of_set(name) if one.name == f"{name}: {part}")
    return found


def test_questions_with_one_answer_are_one_lesson() -> None:
    """Those of the set, and those in other words."""
    talks = one_of("talks_1", "decisions")
    asked = sets.load("talks_1").questions
    assert len({one.answer for one in asked}) == len(talks.lessons)
    assert {one.question for one in asked} < {text for lesson in talks.lessons for text in lesson.questions}
    assert all(len(lesson.questions) >= 4 for lesson in talks.lessons)


def test_the_answer_is_where_the_set_says() -> None:
    talks, own = one_of("talks_1", "decisions"), sets.load("talks_1")
    turns = {(one.id, number): turn.text for one in own.decisions for number, turn in enumerate(one.turns)}
    answers = {one.question: turns[one.answer.conversation, one.answer.turn] for one in own.questions}
    for lesson in talks.lessons:
        (place,) = lesson.answers
        assert answers[lesson.questions[0]].startswith(talks.said[place].itself)
        assert talks.said[place].in_place.endswith(talks.said[place].itself)


def test_what_was_amended_is_answered_by_all_its_states() -> None:
    amended = one_of("talks_22", "amended decisions")
    assert all(len(lesson.answers) >= 2 for lesson in amended.lessons)


def test_notes_are_lessons_too() -> None:
    (notes,) = lessons.of_notes("near_a")
    assert len(notes.lessons) == len([one for one in sets.load("near_a").prompts if one.gold])
    assert list(lessons.of_notes("talks_1")) == []


@pytest.mark.parametrize("name", ["tuning", *names.JUDGED])
def test_other_words_are_for_questions_that_are_there(name: str) -> None:
    """Three for each answer, none of them twice, and none for what is reported."""
    own = sets.load(name)
    known = {f"decisions/{one.id}" for one in own.questions} | {f"amended/{one.id}" for one in own.amendments}
    other = lessons.other_words(name)
    assert other
    assert other.keys() <= known
    assert all(len(three) == len(set(three)) == 3 and all(three) for three in other.values())


def test_nothing_that_is_reported_is_taught() -> None:
    reported = (sets.Half.REPORTING, *names.REPORTED)
    assert not [name for name in reported if (sets.FOLDER / name / lessons.OTHER_WORDS).exists()]
    asked = {text for name in reported for text in sets.asked(sets.load(name))}
    taught = {
        text for name in ("tuning", *names.JUDGED) for three in lessons.other_words(name).values() for text in three
    }
    assert not {text for text in asked & taught if len(text) >= 16}


def test_the_halves_share_no_set() -> None:
    """A judge learns from the one by a model that was taught on the other."""
    assert not set(names.FIRST_HALF) & set(names.SECOND_HALF)
    assert {*names.FIRST_HALF, *names.SECOND_HALF} == {"tuning", *names.TAUGHT}


def test_a_set_that_is_not_there_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["recall-model", "--sets", "/nowhere"]) == 2
    assert "/nowhere has none of the sets" in capfd.readouterr().err


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed")
def test_without_pytorch_it_says_what_is_missing(capfd: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["recall-model"]) == 2
    assert "`pip install torch onnx`" in capfd.readouterr().err
