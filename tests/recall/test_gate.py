"""Speak or stay silent: a table of what passes."""

from __future__ import annotations

import pytest

from hardwon.memories.search import gate
from hardwon.memories.search.rank import Candidate
from hardwon.memory import Anchor, AnchorKind
from tests.recall.test_rank import memory

FILE, SYMBOL = Anchor(AnchorKind.FILE, "a.py"), Anchor(AnchorKind.SYMBOL, "ValueError")


@pytest.mark.parametrize(
    ("coverage", "cosine", "words", "anchors", "speaks"),
    [
        (0.40, None, ("redis", "port"), (), True),
        (0.30, None, ("redis", "port"), (), False),
        (0.49, None, ("test",), (), False),  # of two words the more common: "gleam test"
        (0.50, None, ("tokenizer",), (), True),
        (0.60, None, ("redis",), (), True),
        (0.00, 0.50, (), (), True),  # means the same, in other words
        (0.00, 0.49, (), (), False),
        (0.40, 0.34, ("redis", "port"), (), False),  # the words are shared, the subject is not
        (0.40, 0.35, ("redis", "port"), (), True),
        (0.60, 0.05, ("redis", "port"), (), True),  # nearly all its words: the model may not know them
        (0.00, 0.05, (), (FILE,), True),
        (0.00, None, (), (SYMBOL,), False),
    ],
)
def test_what_is_said(
    coverage: float, cosine: float | None, words: tuple[str, ...], anchors: tuple[Anchor, ...], speaks: bool
) -> None:
    """By a certain anchor, by meaning, or by words that meaning does not speak against."""
    candidate = Candidate(memory("x"), coverage, anchors=anchors, words=words, cosine=cosine)
    assert gate.passes(candidate, 0.34) is speaks


@pytest.mark.parametrize(
    ("coverage", "shared", "size", "least", "asked", "unasked"),
    [
        (0.40, 2.00, 13, 0.34, True, True),  # two rare words of a short memory
        (0.40, 2.00, 14, 0.34, True, False),  # of a longer one anybody shares two
        (0.40, 1.85, 90, 0.34, False, False),
        (0.40, 2.40, 90, 0.34, True, False),  # who did not ask is told for three of any
        (0.40, 2.70, 90, 0.34, True, True),
        (0.40, 0.90, 6, 0.34, True, True),  # two common words of a very short one
        (0.40, 0.90, 8, 0.34, False, False),
        (0.50, 0.90, 90, 0.34, True, False),  # who asked is told for half of the question,
        (0.64, 0.90, 90, 0.34, True, False),
        (0.65, 0.90, 90, 0.34, True, True),  # who did not for most of it
        (0.33, 2.40, 90, 0.34, False, False),
        (0.33, 2.40, 90, 0.30, True, True),  # less coverage goes with fewer words
        (0.10, 0.80, 90, 0.10, True, True),
        (0.00, 0.00, 90, 0.00, True, True),
    ],
)
def test_a_few_words_must_be_rare_or_much_of_the_memory(
    coverage: float, shared: float, size: int, least: float, asked: bool, unasked: bool
) -> None:
    """Two words are soon shared by chance."""
    candidate = Candidate(memory("x"), coverage, words=("redis", "port"), shared=shared, size=size)
    assert gate.passes(candidate, least) is asked
    assert gate.passes(candidate, least, bounds=gate.UNASKED) is unasked


@pytest.mark.parametrize(("cosine", "asked", "unasked"), [(0.49, False, False), (0.5, True, False), (0.55, True, True)])
def test_who_did_not_ask_is_told_less_by_meaning(cosine: float, asked: bool, unasked: bool) -> None:
    """A cosine alone."""
    candidate = Candidate(memory("x"), 0.0, cosine=cosine)
    for bounds, told in ((gate.ASKED, asked), (gate.UNASKED, unasked)):
        assert gate.passes(candidate, 0.34, gate.likeness(0.34, 0.34, bounds), bounds) is told


@pytest.mark.parametrize(
    ("least", "usual", "cosine"), [(0.34, 0.34, 0.5), (0.68, 0.34, 1.0), (0.17, 0.34, 0.25), (0.3, 0, 0)]
)
def test_more_words_ask_for_more_likeness(least: float, usual: float, cosine: float) -> None:
    assert gate.likeness(least, usual) == pytest.approx(cosine)


@pytest.mark.parametrize(
    ("text", "least"),
    [("which port does staging use", 0.5), ("缓存放在哪里", 0.25), ("why does redis 缓存 hang", 0.5), ("", 0.5)],
)
def test_less_is_asked_of_a_text_in_pairs(text: str, least: float) -> None:
    """Half of its pairs of characters stand across two words."""
    assert gate.coverage(text, 0.5) == pytest.approx(least)


@pytest.mark.parametrize(
    ("coverage", "headed", "asked", "unasked"),
    [
        (0.40, True, True, True),
        (0.40, False, False, False),  # both say "cache" and "window", and neither is about it
        (0.50, False, True, False),
        (0.65, False, True, True),  # most of the question
    ],
)
def test_a_word_that_is_shared_stands_where_a_memory_says_what_it_is_about(
    coverage: float, headed: bool, asked: bool, unasked: bool
) -> None:
    """Unless the words are most of the question."""
    one = Candidate(memory("x"), coverage, words=("cache", "window"), shared=2.8, size=20, headed=headed)
    assert gate.passes(one, 0.34, bounds=gate.ASKED) is asked
    assert gate.passes(one, 0.34, bounds=gate.UNASKED) is unasked
    assert gate.passes(one, 0.20, bounds=gate.UNASKED)  # the one knob still opens it
