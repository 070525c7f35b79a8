"""Past conversations as text: what was said of the same before stands below, and what may be of the same since."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.recall import conversations, lines
from hardwon.recall.conversations import FoundPassage
from hardwon.recall.judge import Judge
from hardwon.render.conversations import Exchange, exchanges
from hardwon.render.conversations import lines as shown
from hardwon.store import passages
from hardwon.store.connection import Store
from hardwon.store.passages import Passage
from tests.recall.test_conversations import small_talk, talk
from tests.support import opened

EARLIER, LATER = "Frankfurt, the provider's price is lower.", "Paris since the migration, the price is the same."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        talk(store, "s1", 1, "EU customers' data: frankfurt or paris", EARLIER)
        talk(store, "s2", 40, "frankfurt has capacity problems all spring", LATER)
        small_talk(store)
        yield store


def asked(store: Store, monkeypatch: pytest.MonkeyPatch, odds: float) -> list[Exchange]:
    """What is shown when everything later continues what was before it by these odds."""
    monkeypatch.setattr(lines, "judge_of", lambda **_: Judge(odds, {}, (), {}))
    found = conversations.search(store, "which location hosts data of EU customers", ("shop",), 0, 20)
    return exchanges(store, found, 9)


def below(store: Store, one: Exchange) -> list[str]:
    return [line for line in shown(store, one, "", lambda text, _: text) if line.startswith(("  before", "  perhaps"))]


@pytest.mark.parametrize(
    ("odds", "first", "expected"),
    [
        (1.0, LATER, [f"  before: 1970-01-02  {EARLIER}"]),
        (-1.0, EARLIER, [f"  perhaps since: 1970-02-10  {LATER}"]),
        (-9.0, EARLIER, []),
    ],
)
def test_what_is_sure_takes_the_place_and_what_is_not_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch, odds: float, first: str, expected: list[str]
) -> None:
    (one, *_) = asked(store, monkeypatch, odds)
    assert one.turns[-1].text == first
    assert below(store, one) == expected


def test_what_stands_further_up_is_not_named_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who read it there knows that it came later, for each has its day."""
    (one, *_) = asked(store, monkeypatch, -1.0)
    assert one.perhaps_since is not None
    later = FoundPassage(one.perhaps_since, 1.0, {})
    assert [shown.perhaps_since for shown in exchanges(store, [later, one.found], 9)] == [None, None]


def found(store: Store, text: str, since: str = "") -> FoundPassage:
    def passage(of: str) -> Passage:
        row = int(store.value("select row from passages where instr(text, ?) = 1", (of,)))
        return passages.by_rows(store, [row])[row].passage

    return FoundPassage(passage(text), 1.0, {}, perhaps_since=passage(since) if since else None)


def test_it_is_named_by_whichever_passage_of_an_exchange_it_was_found(store: Store) -> None:
    """The prompt leads and was followed to nothing; the answer to it was followed to something."""
    (one,) = exchanges(store, [found(store, "EU customers' data"), found(store, EARLIER, LATER)], 9)
    assert one.perhaps_since is not None
    assert one.perhaps_since.text == LATER


def test_it_is_named_once(store: Store) -> None:
    """Below the first that it may continue."""
    first, second = exchanges(
        store, [found(store, EARLIER, LATER), found(store, "The linter is done, two warnings are left.", LATER)], 9
    )
    assert first.perhaps_since is not None
    assert second.perhaps_since is None


def test_what_a_person_said_is_shown_as_it_was_said(store: Store) -> None:
    """A prompt that says what is so tells more than the answer to it."""
    stated = "since monday the frankfurt provider's data are in lyon"
    talk(store, "s3", 50, "the bill is too high", "Shall I look for another?", stated, "Ok, I keep it in mind.")
    (one,) = exchanges(store, [found(store, EARLIER, stated)], 9)
    assert below(store, one) == [f"  perhaps since: 1970-02-20  {stated}"]
