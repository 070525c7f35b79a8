"""What a person wants, read from one prompt: tables of prompts in English, Chinese and Japanese."""

from __future__ import annotations

import time

import pytest

from hardwon.understand.wishes import SURE, Wishes, read
from hardwon.understand.wishes.subjects import subject
from tests.understand.wishes import corrections, ordinary, statements

ONLY_LIKELY = 0.05
"""The share of ordinary prompts that may be taken for a wish."""


@pytest.mark.parametrize(("prompt", "wanted", "unwanted"), corrections.SURE)
def test_a_correction_says_what_is_wanted_and_what_is_not(prompt: str, wanted: str, unwanted: str) -> None:
    """In any case, with or without "no" before it, in three languages."""
    (found,) = read(prompt).corrections
    assert (found.wanted, found.unwanted) == (wanted, unwanted)
    assert found.confidence >= SURE


@pytest.mark.parametrize(("prompt", "wanted", "unwanted"), corrections.LIKELY)
def test_what_could_be_an_ordinary_request_is_less_sure(prompt: str, wanted: str, unwanted: str) -> None:
    """It says what is wanted, but only what the agent did can tell whether it corrects something."""
    (found,) = read(prompt).corrections
    assert (found.wanted, found.unwanted) == (wanted, unwanted)
    assert found.confidence < SURE


@pytest.mark.parametrize("prompt", corrections.FOUND)
def test_a_correction_is_found_in_many_wordings(prompt: str) -> None:
    """As people type them."""
    assert len(read(prompt).corrections) == 1


@pytest.mark.parametrize("prompt", statements.DECIDED)
def test_a_decision_is_found_in_many_wordings(prompt: str) -> None:
    """As people type them."""
    assert len(read(prompt).decisions) == 1


@pytest.mark.parametrize(("prompt", "about", "chosen", "because", "rejected"), statements.DECISIONS)
def test_a_decision_has_its_reason_and_what_was_rejected(
    prompt: str, about: str, chosen: str, because: str, rejected: tuple[str, ...]
) -> None:
    """And a subject, by which a later decision takes its place."""
    (found,) = read(prompt).decisions
    assert (found.subject, found.chosen, found.because) == (about, chosen, because)
    assert tuple(one.what for one in found.rejected) == rejected


@pytest.mark.parametrize("prompt", statements.CONSTRAINTS)
def test_a_constraint_is_kept_in_the_persons_words(prompt: str) -> None:
    """What must hold, said clearly."""
    found = read(prompt)
    (words,) = found.constraints
    assert words in prompt
    assert not found.corrections


@pytest.mark.parametrize(("prompt", "what"), statements.TASKS)
def test_a_task_is_what_is_left_for_later(prompt: str, what: str) -> None:
    """Marked, or said to be for later."""
    assert read(prompt).tasks == (what,)


def test_an_alternative_keeps_the_reason_against_it() -> None:
    """`rejected: X: why; Y: why` after a decision."""
    (found,) = read("Decision: use uv because it is fast rejected: poetry: slow; pip: no lock file").decisions
    assert [(one.what, one.why) for one in found.rejected] == [("poetry", "slow"), ("pip", "no lock file")]


@pytest.mark.parametrize("prompt", statements.FIXED)
def test_a_person_says_that_it_works(prompt: str) -> None:
    """In a whole sentence."""
    assert read(prompt).says_fixed


@pytest.mark.parametrize("prompt", statements.NOT_FIXED)
def test_praise_and_half_a_sentence_fix_nothing(prompt: str) -> None:
    """Nor does "resolved" in the middle of something else."""
    assert not read(prompt).says_fixed


@pytest.mark.parametrize("prompt", statements.RED)
def test_a_test_that_is_meant_to_fail_is_announced(prompt: str) -> None:
    """Then its failure is no lesson."""
    assert read(prompt).expects_red


@pytest.mark.parametrize("prompt", statements.NOT_RED)
def test_a_test_that_happens_to_fail_is_not_announced(prompt: str) -> None:
    """Speaking of failing tests is not yet wanting one."""
    assert not read(prompt).expects_red


@pytest.mark.parametrize("prompt", ordinary.QUOTED)
def test_quoted_and_pasted_words_are_not_the_persons(prompt: str) -> None:
    """Somebody else's text, however it is worded, is no wish."""
    assert read(prompt) == Wishes()


def test_ordinary_prompts_are_no_wishes() -> None:
    """At most one in twenty is taken for one; what could be either says so by its confidence."""
    wrong = [prompt for prompt in ordinary.ALL if _taken(read(prompt))]
    assert len(wrong) / len(ordinary.ALL) <= ONLY_LIKELY, wrong


def test_the_tables_are_large_enough() -> None:
    """At least 250 prompts, half of them ordinary ones; else the share above says little."""
    kept = len(corrections.SURE) + len(statements.DECISIONS) + len(statements.CONSTRAINTS) + len(statements.TASKS)
    assert len(ordinary.ALL) >= kept
    assert len(ordinary.ALL) + kept >= 250
    assert len(set(ordinary.ALL)) == len(ordinary.ALL)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("let's use Postgres", "we decided to use SQLite", True),
        ("use pnpm", "use uv", False),
        ("use SQLite for the tests", "use Postgres for production", False),
        ("use Redis for the cache", "use Memcached as the cache", True),
        ("put the migrations into db/migrate", "run the migrations on deploy", False),
        ("use React.js", "use Vue", True),
        ("use the Foo renderer for the charts", "use Bar for our charts", True),
        ("决定用 PostgreSQL", "データベースはMySQLにしよう", True),
        ("use the importer", "use the exporter", False),
    ],
)
def test_the_subject_tells_whether_two_decisions_are_about_the_same(one: str, other: str, same: bool) -> None:
    """Tools of one category are; the same tool for two purposes is not."""
    assert (subject(one) == subject(other)) is same


@pytest.mark.parametrize(
    "prompt",
    [
        "no, " + "use " * 4_000,
        "don't " * 5_000,
        "a, not " * 3_000,
        "`" * 20_000,
        '"' * 20_001,
        "no, use x instead of " + "y " * 180,
        "必须" * 5_000,
        "じゃなくて" * 3_000,
        "we decided to " + "because " * 40 + "x",
        "\n".join(["we must not use " + "very " * 60] * 60),
        "x" * 1_000_000,
    ],
)
def test_no_prompt_takes_long_to_read(prompt: str) -> None:
    """Whatever is pasted: reading is bounded."""
    begun = time.process_time()
    read(prompt)
    assert time.process_time() - begun < 1.0


def _taken(found: Wishes) -> bool:
    sure = [one for one in found.corrections if one.confidence >= SURE]
    return bool(sure or found.decisions or found.constraints or found.tasks or found.says_fixed or found.expects_red)
