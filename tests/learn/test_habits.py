"""What is asked for again and again, what an agent is reminded of, and what was said later about the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.heard.play import Person

from hardwon.memory import Memory, Status
from hardwon.store.tables import memories
from hardwon.text.speech.reminding import LINE, MOST, Turn, reminds


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with Person(tmp_path / "p") as one:
        yield one


def from_source(person: Person, source: str) -> list[Memory]:
    return [one for one in memories.all_memories(person.store) if one.source == source]


def test_what_is_asked_for_in_three_sessions_is_offered(person: Person) -> None:
    """In near-equal words, without being understood; a person says whether it is a rule."""
    asked = ("run the linter before committing the change", "please run the linter before you commit the change",
             "run the linter, before committing this change")  # fmt: skip
    for number, words in enumerate(asked):
        session = person.session()
        session.types(words)
        session.says("done")
        person.later(1)
        assert len(from_source(person, "habit")) == (number == 2)
    assert from_source(person, "habit")[0].status is Status.CANDIDATE


def test_a_reminder_is_a_line_and_comes_three_times_at_most(person: Person) -> None:
    """For what is said in the plainest words, whatever happened before."""
    session = person.session()
    said = [session.types(f"from now on file {n} has no tabs, only spaces. fix it") for n in range(MOST + 2)]
    assert [LINE in one for one in said] == [True] * MOST + [False] * 2


WISH = "spaces instead of tabs in the templates"


def test_words_alone_are_not_enough(person: Person) -> None:
    """People speak so of code all day: a call was refused just before, or the same was asked before."""
    session = person.session()
    assert LINE not in session.types(WISH)
    session.says("ok")
    assert LINE in session.types(f"{WISH}, really")
    other = person.session()
    other.types("set it up")
    other.refuses("Bash", {"command": "npx prettier --use-tabs ."})
    assert LINE in other.types(WISH)
    other.says("ok")
    assert LINE not in other.types("markdown instead of html on that page")


def test_what_it_was_given_for_waits_where_nothing_was_marked(person: Person) -> None:
    """As the bare sentence, for the review."""
    for marked in (False, True):
        session = person.session()
        session.types("set it up")
        session.refuses("Bash", {"command": "npx prettier --use-tabs ."})
        session.types(f"{WISH} in file {marked}")
        if marked:
            session.mark("rule", "Spaces", f"{WISH} in file {marked}")
        session.says("ok")
    assert [(one.body, one.status) for one in from_source(person, "unmarked")] == [
        (f"{WISH} in file False", Status.CANDIDATE)
    ]


@pytest.mark.parametrize("text", ["fix the login page", "why is the test red?", "run it again", "好的，继续", "ok", ""])
def test_most_prompts_are_left_alone(text: str) -> None:
    """A reminder that is not needed is a cost."""
    assert not reminds(Turn(text, acted=True))


def test_what_was_said_later_is_told_with_its_day(person: Person) -> None:
    """Nobody said which one holds, so both are told; the agent can name the one that is over."""
    for words in ("ok postgres then, we need the json columns", "we're going back to sqlite, postgres was overkill"):
        session = person.session()
        session.types(words)
        session.mark("decision", "The database", words)
        session.says("ok")
        person.later(10)
    told = person.session().types("why did we choose postgres?")
    assert "2026-11-06" in told
    assert "going back to sqlite" in told
    (old,) = [one for one in from_source(person, "marked") if "json columns" in one.body]
    session = person.session()
    session.types("postgres is gone for good, sqlite stays")
    assert old.short_id in session.mark("decision", "SQLite", "postgres is gone for good", replaces=old.short_id).text
    found = memories.get(person.store, old.id)
    assert found is not None
    assert found.status is Status.SUPERSEDED


@pytest.mark.parametrize(
    "question", ["why did we choose PostgreSQL?", "请问我们为什么选择 PostgreSQL", "なぜ PostgreSQL を選んだのですか"]
)
def test_a_question_finds_it_in_any_language(person: Person, question: str) -> None:
    """The tool's name is the same in all of them."""
    session = person.session()
    session.mark("decision", "PostgreSQL for the orders, because of JSONB")
    person.later(1)
    assert "PostgreSQL for the orders" in person.session().types(question)
    assert "PostgreSQL for the orders" not in person.session().types("请问怎么重命名文件")
