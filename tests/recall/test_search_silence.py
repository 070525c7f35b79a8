"""A search in past conversations that finds nothing says so, also with vectors: some passage is always the nearest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.conversations import conversations, passage_vectors
from hardwon.embedding.ready import READY
from hardwon.memories.search.vectors import query_vector
from hardwon.settings.keys import Vectors
from hardwon.store.connection import Store
from tests.recall.models import real
from tests.recall.test_conversations import small_talk, talk
from tests.support import opened


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("home")
    with opened(folder / "home") as store:
        small_talk(store)
        talk(store, "packages", 3, "No, use pnpm, not npm", "Changed: the scripts call pnpm now.")
        talk(store, "backup", 4, "where do backups go?", "Every night to the second disk in the cellar.")
        talk(store, "bills", 5, "how do customers get them?", "Bills are sent to customers by mail, in PDF.")
        talk(store, "numbers", 6, "number the invoices by year", "Invoices begin anew at 1 each January.")
        passage_vectors.embed_missing(store, real(), 256)
        READY.put(Vectors(), real())
        yield store
    READY.drop()


def found(store: Store, text: str) -> list[str]:
    vector = query_vector(store, text)
    assert vector is not None
    return [one.passage.text for one in conversations.search(store, text, (), 20, vector=vector)]


@pytest.mark.parametrize("text", ["penguins in antarctica", "penguin", "uv", "who won the cup final?"])
def test_what_nobody_talked_about_is_not_found(store: Store, text: str) -> None:
    assert found(store, text) == []


@pytest.mark.parametrize(
    "text", ["on which drive are the nightly copies stored?", "which package manager do the scripts use?"]
)
def test_what_means_the_same_is_found(store: Store, text: str) -> None:
    """With the talk around it, and without the talks about something else."""
    shown = found(store, text)
    assert shown
    assert not any(one.startswith("bump the font") for one in shown)


def test_a_word_that_stands_somewhere_is_what_is_looked_for(store: Store) -> None:
    """Not also what comes near to it: bills are invoices in another word."""
    assert set(found(store, "invoices")) == {"number the invoices by year", "Invoices begin anew at 1 each January."}
    assert "Bills are sent to customers by mail, in PDF." in found(store, "where do all the invoices end up?")


def test_a_word_that_stands_nowhere_finds_what_comes_near(store: Store) -> None:
    assert "Every night to the second disk in the cellar." in found(store, "nightly backups")
