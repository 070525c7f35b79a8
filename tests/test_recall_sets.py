"""The project's own recall questions are well formed, and stay as they were written."""

from __future__ import annotations

import dataclasses
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from bench.recall import names, sets
from bench.recall.sets import Place, Sets

from hardwon.redact import DEFAULT

pytestmark = pytest.mark.skipif(
    not (sets.FOLDER / names.REPORTING).is_dir(), reason="the sets come with a clone, not with the sdist"
)


@pytest.fixture(scope="module")
def whole() -> Sets:
    loaded = sets.load(names.REPORTING)
    assert loaded.questions
    return loaded


def test_the_whole_one_has_no_problems(whole: Sets) -> None:
    """Enough of everything, every id resolves, times rise, nothing is there twice."""
    assert sets.problems(whole) == []


def test_the_sets_are_as_they_were_frozen() -> None:
    """Nobody tunes the questions to the answers: each file has the hash that FROZEN names."""
    assert sets.unfrozen() == [], "bench/recall: the sets differ from FROZEN"
    frozen = [line.split()[1] for line in sets.FROZEN.read_text("utf-8").splitlines()]
    assert frozen == [
        *(f"sets/{fresh}/{name}" for fresh in names.FRESH for name in ("amended.json", "decisions.json")),
        *(f"sets/{names.LONG_REPORTING}/{name}" for name in ("amended.json", "decisions.json")),
        *(f"sets/{near}/near_miss.json" for near in names.NEAR_REPORTING),
        *(f"sets/{names.REPORTING}/{name}" for name in sets.FILES),
        *(f"sets/{names.TICKETS_REPORTING}/{name}" for name in ("amended.json", "decisions.json")),
    ]


SIZES = {
    names.LONG_REPORTING: (50, 45),
    **dict.fromkeys(names.FRESH, (190, 60)),
    names.TICKETS_REPORTING: (128, 152),
}
"""Questions about decisions and about amended ones, at least."""


@pytest.mark.parametrize("name", names.TALKS)
def test_the_other_sets_are_sound(name: str) -> None:
    """Large enough to tell something together, and nothing in them is ambiguous."""
    more = sets.load(name)
    assert (len(more.questions), len(more.amendments)) >= SIZES[name]
    assert len(more.amendments) >= SIZES[name][1]
    assert sets.flaws(more) == []


@pytest.mark.parametrize("name", names.NEAR_REPORTING)
def test_the_other_near_misses_are_sound(name: str) -> None:
    """As many prompts as the whole one has, and each of them fits a note or looks like one."""
    more = sets.load(name)
    assert len([one for one in more.prompts if one.gold]) >= 35
    assert len([one for one in more.prompts if one.near]) >= 95
    assert sets.flaws(more) == []


def test_long_talks_are_as_long_as_agents_answers() -> None:
    """Some sixty words on average, where those of the first set have fifteen."""
    loaded = sets.load(names.LONG_REPORTING)
    turns = [turn for one in (*loaded.decisions, *loaded.amended) for turn in one.turns if turn.role == "agent"]
    assert 55 < sum(len(turn.text.split()) for turn in turns) / len(turns) < 110


def test_redaction_leaves_the_texts_alone(whole: Sets) -> None:
    """The texts enter a memory as they are written; a question about a redacted passage would be unfair."""
    changed = [text for text in sets.texts_of(whole) if DEFAULT.text(text) != text]
    assert changed == []


def test_length_and_place_do_not_give_the_deciding_turn_away(whole: Sets) -> None:
    """More turns that decide nothing are as long as the typical deciding turn than there are deciding turns, and it
    stands anywhere in its conversation."""
    gold = {question.answer for question in whole.questions}
    turns = {
        Place(conversation.id, number): (len(turn.text), number, len(conversation.turns))
        for conversation in whole.decisions
        for number, turn in enumerate(conversation.turns)
    }
    typical = sorted(turns[place][0] for place in gold)[len(gold) // 2]
    others = sum(length >= typical for place, (length, _, _) in turns.items() if place not in gold)
    thirds = {min(2, 3 * turns[place][1] // turns[place][2]) for place in gold}
    assert others > len(gold)
    assert thirds == {0, 1, 2}


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    """One more mark in a reporting file and the freeze does not hold; where its lines break is no change."""
    folder = tmp_path / "sets"
    shutil.copytree(sets.FOLDER, folder)
    file = folder / names.REPORTING / "unrelated.json"
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    assert sets.unfrozen(folder) == []
    file.write_text(file.read_text("utf-8").replace("?", "??", 1), "utf-8")
    assert sets.unfrozen(folder) == ["sets/reporting/unrelated.json is not as it was frozen"]


def test_the_checker_names_what_is_wrong(whole: Sets) -> None:
    """A set that is too small, points nowhere, repeats itself or runs backwards in time is refused with its name."""
    question, prompt, conversation = whole.questions[0], whole.prompts[0], whole.decisions[0]
    amended = next(one for one in whole.amendments if one.kind == "amended")
    late = dataclasses.replace(conversation, started=conversation.started + timedelta(hours=1))
    lost = dataclasses.replace(question, answer=Place(question.answer.conversation, 99))
    both = dataclasses.replace(prompt, gold=whole.notes[0].id, near=whole.notes[0].id)
    swapped = dataclasses.replace(amended, gold=amended.earlier[0], earlier=(amended.gold,))
    cases: list[tuple[Sets, str]] = [
        (dataclasses.replace(whole, unrelated=whole.unrelated[:9]), "texts in unrelated.json: 9, at least 320"),
        (dataclasses.replace(whole, decisions=(late, *whole.decisions[1:])), f"the times of {conversation.id}"),
        (dataclasses.replace(whole, questions=(lost, *whole.questions[1:])), "turn 99, which isn't there"),
        (dataclasses.replace(whole, prompts=(both, *whole.prompts[1:])), f"{prompt.id} needs either `gold` or `near`"),
        (dataclasses.replace(whole, amendments=(swapped, *whole.amendments)), f"{amended.id} has an earlier passage"),
        (dataclasses.replace(whole, notes=(*whole.notes, whole.notes[0])), "is there 2 times"),
    ]
    for broken, complaint in cases:
        assert any(complaint in problem for problem in sets.problems(broken)), complaint
