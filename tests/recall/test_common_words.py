"""Past conversations in a long past, where most words stand in many passages: they are searched for together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.conversations import asked
from hardwon.store.connection import Store
from hardwon.store.tables import passages
from tests.recall.test_conversations import said, talk
from tests.support import opened

WANTED = "The parser reads the buffer before the socket closes."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The bounds are small instead of the past being long: each of these words is too common to be searched alone."""
    for name, value in {"PROBE": 5, "ALONE": 8, "TOGETHER": 10, "COUNTED": (20, 200)}.items():
        monkeypatch.setattr(asked, name, value)
    with opened(tmp_path / "home") as store:
        for number in range(30):
            for word in ("parser", "buffer", "socket"):
                talk(store, f"{word}-{number}", number, f"check {word} {number}", f"Checked {number} of it.")
        talk(store, "wanted", 31, "what comes first?", WANTED)
        yield store


def test_words_that_are_common_find_who_has_several(store: Store) -> None:
    """None of them would be searched for alone."""
    assert min(passages.frequencies(store, ["parser", "buffer", "socket"], 100).values()) > asked.ALONE
    assert WANTED in said(store, "parser buffer socket")[:3]


def test_one_common_word_finds_the_newest(store: Store) -> None:
    """Better than nothing at all."""
    assert WANTED in said(store, "parser")


def test_a_rare_word_is_enough_and_a_common_one_tells_which(store: Store) -> None:
    talk(store, "r1", 40, "zebra", "The zebra is painted.")
    talk(store, "r2", 41, "zebra", "The zebra has a parser.")
    assert said(store, "zebra parser", limit=1) == ["The zebra has a parser."]


@pytest.mark.parametrize(
    ("words", "limit", "expected"),
    [
        ([], 10, {}),
        (["parser", "zebra", 'a"b'], 100, {"parser": 61, "zebra": 0, 'a"b': 0}),
        (["parser", "buffer"], 7, {"parser": 7, "buffer": 7}),
    ],
)
def test_many_words_are_counted_at_once(store: Store, words: list[str], limit: int, expected: dict[str, int]) -> None:
    """As one by one, no further than the limit."""
    counted = passages.frequencies(store, words, limit)
    assert counted == {word: passages.rows_with(store, word, limit) for word in words}
    assert counted == expected
