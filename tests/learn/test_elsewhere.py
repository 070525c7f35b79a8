"""What a person seems to have typed, and what was there before: a short paste looks like typing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.heard.play import Person

from hardwon.learn import elsewhere
from hardwon.memory import Memory, Status
from hardwon.store.tables import memories

SENTENCE = "Releases are cut from the tip of the beta branch"
PLAIN = "From now on releases are cut from the tip of the beta branch"


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with Person(tmp_path / "p") as one:
        yield one


def only(person: Person) -> Memory:
    (found,) = [one for one in memories.all_memories(person.store) if "tip of the beta" in one.body]
    return found


def written(person: Person, text: str, *, old: bool) -> None:
    path = person.project / "GUIDE.md"
    path.write_text(f"# Guide\n\n{text}.\n")
    seconds = person.now / 1000 + (-1_000 if old else 1_000)
    os.utime(path, (seconds, seconds))


@pytest.mark.parametrize("tool", ["Bash", "Read", "WebFetch"])
def test_what_a_tool_showed_before_waits(person: Person, tool: str) -> None:
    """Marked or said plainly: it may have been copied from there."""
    session = person.session()
    session.types("what does it say?")
    session.calls(tool, {"command": "cat GUIDE.md"}, f"intro\n{SENTENCE}.\n{PLAIN}.\nmore")
    session.types(SENTENCE)
    assert elsewhere.READ in session.mark("rule", "Releases", SENTENCE).text
    session.says("ok")
    assert (only(person).status, only(person).complaints) == (Status.CANDIDATE, (elsewhere.READ,))


def test_said_plainly_it_waits_too(person: Person) -> None:
    """Also where no agent marks anything."""
    session = person.session()
    session.types("what does it say?")
    session.calls("Bash", {"command": "cat GUIDE.md"}, f"intro\n{PLAIN}.\nmore")
    session.types(PLAIN)
    session.says("ok")
    assert (only(person).status, only(person).complaints) == (Status.CANDIDATE, (elsewhere.READ,))


@pytest.mark.parametrize(("old", "status"), [(True, Status.CANDIDATE), (False, Status.ACTIVE)])
def test_what_stands_in_a_file_waits_if_it_stood_there_first(person: Person, old: bool, status: Status) -> None:
    """An agent may have put the person's words into a file since."""
    written(person, SENTENCE, old=old)
    session = person.session()
    session.types(SENTENCE)
    session.mark("rule", "Releases", SENTENCE)
    assert only(person).status is status


def test_an_agents_words_are_taken_up_by_who_chooses(person: Person) -> None:
    """A short phrase of its answer is a choice; a whole sentence of it was copied."""
    session = person.session()
    session.types("how are releases cut?")
    session.says(f"Two ways. {SENTENCE} and each is tagged by the nightly job. Or by hand from main, on fridays.")
    session.types("by hand from main, on fridays")
    assert "in the user's words" in session.mark("decision", "By hand", "by hand from main, on fridays").text
    session.types(f"{SENTENCE} and each is tagged by the nightly job")
    assert elsewhere.WRITTEN in session.mark("decision", "Releases", SENTENCE).text


def test_what_the_person_typed_first_is_theirs_whoever_repeats_it(person: Person) -> None:
    """The agent says it back, a tool prints it: said again it is still the person's."""
    session = person.session()
    session.types(SENTENCE)
    session.says(f"Understood: {SENTENCE}.")
    session.calls("Bash", {"command": "cat CLAUDE.md"}, SENTENCE)
    session.types(SENTENCE)
    assert "in the user's words" in session.mark("rule", "Releases", SENTENCE).text


def test_what_is_typed_into_a_dialog_is_not_found_in_its_own_result(person: Person) -> None:
    """The client hands a refusal's words to the agent as the call's result."""
    session = person.session()
    session.types("release it")
    session.refuses("Bash", {"command": "git tag v2"}, SENTENCE)
    session.types("go on")
    assert "in the user's words" in session.mark("rule", "Releases", SENTENCE).text


def test_a_few_words_are_anybodys(person: Person) -> None:
    """ "we use pnpm" stands in many a page."""
    session = person.session()
    session.types("hello")
    session.calls("Bash", {"command": "cat README.md"}, "Here we use pnpm, of course.")
    session.types("we use pnpm")
    assert "in the user's words" in session.mark("rule", "pnpm", "we use pnpm").text
