"""Recall with a model: what means the same is found and said, what only sounds like it is not, and nobody waits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardwon.conversations import conversations, passage_vectors
from hardwon.embedding.ready import READY
from hardwon.memories import Question, at_prompt, recall, skills
from hardwon.memories.search.batch import embed_missing
from hardwon.memories.search.candidates import gather
from hardwon.memories.search.vectors import query_vector
from hardwon.memories.skills import Wanted
from hardwon.memory import GLOBAL
from hardwon.store.connection import Store
from tests.recall.models import Made, real
from tests.recall.test_conversations import small_talk, talk
from tests.support import note, opened

if TYPE_CHECKING:
    from hardwon.embedding.model import Vectors

NOW = 1_790_000_000_000
PORT = "The staging database listens on port 5433"
VACATION = "Annual leave is asked for in the portal, two weeks before"
LEAVE = "Employees take parental leave for six months"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store
    READY.drop()


def with_model(store: Store) -> None:
    while embed_missing(store, real()) or passage_vectors.embed_missing(store, real()):
        pass
    READY.put(store.settings.vectors, real())


def said(store: Store, text: str) -> list[str]:
    query_vector(store, text)  # known now, however slow this machine is
    found = recall(store, Question(text, (GLOBAL,)), NOW, limit=5, budget=10_000)
    return [item.ranked.memory.body for item in found.items]


def test_other_words_for_the_same_are_found(store: Store) -> None:
    """The question shares one common word with it, which is not enough without the model."""
    note(store, PORT)
    note(store, LEAVE)
    question = "where can I connect to postgres in the staging environment?"
    assert said(store, question) == []
    with_model(store)
    assert said(store, question) == [PORT]


def test_who_did_not_ask_is_told_what_is_nearer(store: Store) -> None:
    """A cosine of 0.53: enough for a question, not for a prompt."""
    note(store, VACATION)
    with_model(store)
    question = "when must vacation be requested"
    assert said(store, question) == [VACATION]
    assert at_prompt.fitting(store, question, GLOBAL, (), NOW).items == []


def test_words_without_the_meaning_are_held_back(store: Store) -> None:
    """It has the words, and is about something else."""
    for number in range(10):
        note(store, f"Ordinary lesson {number} about thing{number}")
    note(store, "Delete merged branches with the script in tools, it leaves release branches alone")
    question = "merged cells in the release spreadsheet"
    assert said(store, question)
    with_model(store)
    assert said(store, question) == []


def test_a_memory_without_a_vector_is_judged_by_its_words(store: Store) -> None:
    """The background job has not come to it yet."""
    with_model(store)
    note(store, PORT)
    assert said(store, "staging database port") == [PORT]


def test_over_the_time_it_is_the_words_alone(store: Store) -> None:
    """A model that is slow today makes no answer late."""
    note(store, PORT)
    note(store, LEAVE)

    asked: list[str] = []

    class Slow(Made):
        def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:
            asked.extend(texts)
            time.sleep(0.6)
            return super().embed(texts, seconds)

    embed_missing(store, Made())
    READY.put(store.settings.vectors, Slow())
    began = time.monotonic()
    found = gather(store, Question("staging database", (GLOBAL,), until=began + 0.05), 5_000)
    assert time.monotonic() - began < 0.4
    assert [one.memory.body for one in found.candidates] == [PORT]
    assert all(one.cosine is None for one in found.candidates)
    time.sleep(0.7)  # until it has done: one question at a time is made a vector of
    assert asked == ["staging database"]


def test_a_question_that_could_find_nothing_is_not_asked(store: Store) -> None:
    """Nobody waits for a vector in a project of which nothing is known, nor while no memory has one yet."""
    model = Made()
    READY.put(store.settings.vectors, model)
    note(store, PORT, project="other")
    gather(store, Question("before there are vectors", ("other", GLOBAL)), 5_000)
    embed_missing(store, Made())
    gather(store, Question("of this project", ("own", GLOBAL)), 5_000)
    assert model.seen == []
    gather(store, Question("of the other", ("other", GLOBAL)), 5_000)
    note(store, LEAVE)
    embed_missing(store, Made())
    gather(store, Question("of all", ("own", GLOBAL)), 5_000)
    assert model.seen == ["of the other", "of all"]


def test_of_a_skill_no_rare_words_are_asked_for(store: Store) -> None:
    """Its lessons are all about the same, so that their words are common there."""
    note(store, "Use --frozen-lockfile when you install packages in the pipeline of the shop", skill="deploy")
    note(store, "Ask Mira before the weekend, and nobody else")
    for skill, sizes in (("deploy", [0]), (None, [6])):
        question = Question("frozen lockfile", (GLOBAL,), skill)
        assert [one.size for one in gather(store, question, 1_000).candidates] == sizes


def test_a_skill_is_asked_by_meaning_first(store: Store) -> None:
    """The rung says so; the intent under which a lesson was kept counts as well as its text."""
    note(store, "Use --frozen-lockfile", skill="deploy", intent="installing packages in CI")
    note(store, "Ask Mira before the weekend", skill="deploy", intent="announcing a release")
    wanted = Wanted("deploy", (GLOBAL,), intent="install the dependencies on the CI server")
    assert skills.lessons(store, wanted, NOW).rung in ("words", "flat")
    with_model(store)
    query_vector(store, wanted.intent)
    answer = skills.lessons(store, wanted, NOW)
    assert (answer.rung, answer.items[0].ranked.memory.body) == ("vectors", "Use --frozen-lockfile")


def test_past_conversations_are_found_by_meaning(store: Store) -> None:
    talk(store, "s1", 1, "customers want their money back how?", "Refunds go through the payment provider's page.")
    small_talk(store)
    with_model(store)
    question = "reimbursing a buyer"
    assert conversations.search(store, question, (), 3) == []
    found = conversations.search(store, question, (), 3, vector=query_vector(store, question))
    assert found[0].passage.session == "s1"
    assert conversations.search(store, question, ("farm",), 3, vector=query_vector(store, question)) == []
