"""Past conversations as text: each exchange once, with what was said of the same before below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.conversations.conversations import FoundPassage
from hardwon.render.conversations import exchanges, lines
from hardwon.store.connection import Store
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Passage
from tests.recall.test_conversations import small_talk, talk
from tests.support import opened

BROUGHT_UP = "EU customers' data: frankfurt or paris"
EARLIER, LATER = "Frankfurt, the provider's price is lower.", "Paris since the migration, the price is the same."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        talk(store, "s1", 1, BROUGHT_UP, EARLIER)
        talk(store, "s2", 40, "frankfurt has capacity problems all spring", LATER)
        small_talk(store)
        yield store


def passage(store: Store, text: str) -> Passage:
    row = int(store.value("select row from passages where instr(text, ?) = 1", (text,)))
    return passages.by_rows(store, [row])[row].passage


def found(store: Store, text: str, *earlier: str) -> FoundPassage:
    return FoundPassage(passage(store, text), 1.0, {}, tuple(passage(store, one) for one in earlier))


def below(store: Store, one: FoundPassage) -> list[str]:
    (shown,) = exchanges(store, [one], 9)
    return [line for line in lines(store, shown, "", lambda text, _: text) if line.startswith("  before")]


def test_what_it_took_the_place_of_stands_below(store: Store) -> None:
    assert below(store, found(store, LATER, EARLIER)) == [f"  before: 1970-01-02  {EARLIER}"]
    assert below(store, found(store, LATER)) == []


def test_an_exchange_is_shown_once(store: Store) -> None:
    """By its prompt and its answer, or as the history of another further up."""
    both = [found(store, BROUGHT_UP), found(store, EARLIER)]
    assert [[turn.text for turn in one.turns] for one in exchanges(store, both, 9)] == [[BROUGHT_UP, EARLIER]]
    assert len(exchanges(store, [found(store, LATER, EARLIER), *both], 9)) == 1
    assert len(exchanges(store, [*both, found(store, LATER, EARLIER)], 9)) == 2


def test_of_a_session_what_was_answered_is_told(store: Store) -> None:
    """Once, rather than what was asked; and a prompt that only asks is told by its answer."""
    expected = [f"  before: 1970-01-02  {EARLIER}"]
    assert below(store, found(store, LATER, BROUGHT_UP, EARLIER)) == expected
    assert below(store, found(store, LATER, BROUGHT_UP)) == expected


def test_what_a_person_said_is_shown_as_it_was_said(store: Store) -> None:
    """A prompt that says what is so tells more than the answer to it."""
    stated = "since monday the frankfurt provider's data are in lyon"
    talk(store, "s3", 50, "the bill is too high", "Shall I look for another?", stated, "Ok, I keep it in mind.")
    assert below(store, found(store, LATER, stated)) == [f"  before: 1970-02-20  {stated}"]
