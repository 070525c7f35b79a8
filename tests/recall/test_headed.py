"""A few words that are shared count where one of them says what a memory is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories import Question, recall
from hardwon.memories.search.candidates import heir
from hardwon.memories.search.held_back import lacking
from hardwon.memories.search.rank import Candidate
from hardwon.memory import GLOBAL, Anchor, AnchorKind
from hardwon.store import changes
from hardwon.store.connection import Store
from tests.recall.test_rank import memory
from tests.support import note, opened

NOW = 1_790_000_000_000
BODY = "After a hot fix wait forty minutes for the cache window of the invoices to pass."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        for number in range(12):
            note(store, f"Ordinary lesson {number} about thing{number}")
        yield store


def said(store: Store, text: str) -> list[str]:
    found = recall(store, Question(text, (GLOBAL,)), NOW, limit=5, budget=10_000)
    return [item.ranked.memory.title for item in found.items]


@pytest.mark.parametrize(
    ("title", "intent", "is_said"),
    [
        ("Deploys to the shop", "", False),
        ("The cache of the shop", "", True),
        ("Deploys to the shop", "fill the cache anew", True),
        ("How to do this", "", True),  # it says nothing about what it is about
    ],
)
def test_one_of_the_words_stands_in_its_title_or_its_intent(
    store: Store, title: str, intent: str, is_said: bool
) -> None:
    note(store, BODY, title=title, intent=intent)
    assert bool(said(store, "cache window of the browser tab and the sidebar")) is is_said


@pytest.mark.parametrize(
    ("body", "is_said"),
    [
        (BODY, True),
        (f"{BODY}\nOnly on the shop.", True),
        (f"Deploys to the shop\n{BODY}", False),
    ],
)
def test_without_a_title_its_first_line_says_what_it_is_about(store: Store, body: str, is_said: bool) -> None:
    """Whatever it is for beside that: an agent's notes have an intent and no title."""
    note(store, body, intent="logins at the till")
    assert bool(said(store, "cache window of the browser tab and the sidebar")) is is_said


@pytest.mark.parametrize("named", [(), (Anchor(AnchorKind.SYMBOL, "fetch_wheel"),)])
def test_a_thing_that_both_name_says_it_too(store: Store, named: tuple[Anchor, ...]) -> None:
    """The question has the function's name, and so has the memory, as an anchor."""
    text = "fetch_wheel hangs on the cobalt mirror this afternoon with several nightly runners of everybody"
    note(store, "Downloads through the cobalt mirror are throttled, take the amber one.", title="Amber", anchors=named)
    found = recall(store, Question(text, (GLOBAL,), anchors=named), NOW, limit=5, budget=10_000)
    assert bool(found.items) is bool(named)


def test_most_of_the_question_is_enough(store: Store) -> None:
    note(store, BODY, title="Deploys to the shop")
    assert said(store, "cache window invoices") == ["Deploys to the shop"]


def test_a_title_without_blanks_is_not_held_against_it(store: Store) -> None:
    """Pairs of characters are hardly ever shared, whatever both are about."""
    note(store, BODY, title="向商店部署")
    assert said(store, "cache window of the browser tab and the sidebar") == ["向商店部署"]


def test_what_took_its_place_is_held_back_as_well() -> None:
    """A memory that shares no word is not told for words that were not enough for the one it replaced."""
    replaced = Candidate(memory("old"), 0.4, words=("cache", "window"), shared=2.4, size=20, headed=False)
    assert not heir(Candidate(memory("new"), headed=False), replaced).headed
    assert heir(Candidate(memory("new"), headed=True), replaced).headed


def test_nor_is_it_told_in_the_store(store: Store) -> None:
    old = note(store, BODY, title="Deploys to the shop")
    new = note(store, "Deploys are done by the pipeline alone", title="The pipeline deploys")
    changes.supersede(store, old, new, NOW)
    assert said(store, "cache window of the browser tab and the sidebar") == []
    assert said(store, "cache window invoices") == ["The pipeline deploys"]


def test_the_reason_is_named() -> None:
    one = Candidate(memory("x"), 0.4, words=("cache", "window"), shared=2.4, size=20, headed=False)
    assert "none of its words stands in the title or in what it is for" in lacking(one, 0.34)


@pytest.mark.parametrize("words", [("cache",), ("cache", "window")])
def test_the_reason_is_the_one_that_counts(words: tuple[str, ...]) -> None:
    """Words that are too common are not helped by a title: whoever changes that would gain nothing."""
    one = Candidate(memory("x"), 0.4, words=words, shared=0.6, size=20, headed=False)
    assert "for its words count 0.6 rare ones and not 1.9" in lacking(one, 0.34)
