"""The words by which forms of sentences are chosen: no form may need to be tried where none of its words stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from hardwon.text import tiers
from hardwon.text.speech import signs
from hardwon.text.speech.forms import Form, Forms, fold

MOST = 60
_ALL: tuple[Forms[Any], ...] = (
    signs._FIXED_FORM,
    signs._RED_FORM,
)
_NAMED = [form for forms in _ALL for form in forms.all if form.has]


@pytest.mark.parametrize("form", _NAMED, ids=lambda form: form.has[:40])
def test_every_match_has_one_of_the_words(form: Form) -> None:
    """Shown from the pattern itself: there is something that each match has to have, and every way to write it holds
    one of the words."""
    assert _all_hold(form.pattern, form.has.split("|"))


def test_every_decision_in_english_has_one_of_the_signs() -> None:
    """The pattern of decisions is tried only where one of them stands, or where the text is not plain ASCII."""
    ways = [way for way in _alternatives(tiers._DECISION.pattern) if way.isascii()]
    assert len(ways) > 10
    assert [way for way in ways if not _all_hold(way, tiers._SIGNS)] == []


def test_a_form_is_chosen_by_any_of_its_words_whatever_their_case() -> None:
    """In their order; one without words always. Some letters are others to a pattern that ignores case."""
    first, second, third = Form("a.*", has="alpha|beta"), Form("b.*"), Form("c.*", has="kiss")
    forms = Forms(first, second, third)
    assert list(forms.for_sentence("nothing")) == [second]
    assert list(forms.for_sentence("a BETA of it, KISS")) == [first, second, third]
    assert list(forms.for_sentence("\u212a\u0131\u017fs")) == [second, third]
    assert re.fullmatch("kiss", "\u212a\u0131\u017fs", re.IGNORECASE)
    assert fold("\u0130S") == "is"


def _alternatives(pattern: str) -> list[str]:
    """Of a pattern, split where no bracket is open."""
    parts, depth = [""], 0
    for char in pattern:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _all_hold(pattern: str, words: Sequence[str]) -> bool:
    return _read(_parser.parse(pattern, re.IGNORECASE), words)[1]


Seen = tuple[set[str] | None, bool]
"""All texts that a part of a pattern can be, where they are few; whether each of its matches holds one of the words."""


def _read(items: Iterable[Any], words: Sequence[str]) -> Seen:
    run, whole, held = {""}, True, False
    for code, value in items:
        texts, holds = _one(code, value, words)
        held = held or holds or _hold(run, words)
        if texts is not None and len(run) * len(texts) <= MOST:
            run = {before + after for before in run for after in texts}
        else:
            run, whole = texts or {""}, False
    return (run if whole else None), held or _hold(run, words)


def _hold(texts: set[str], words: Sequence[str]) -> bool:
    return all(any(word in text for word in words) for text in texts)


def _one(code: Any, value: Any, words: Sequence[str]) -> Seen:
    if code is op.LITERAL:
        return {chr(value).lower()}, False
    if code is op.IN and all(kind is op.LITERAL for kind, _ in value):
        return {chr(char).lower() for _, char in value}, False
    if code is op.SUBPATTERN:
        return _read(value[3], words)
    if code is op.BRANCH:
        seen = [_read(branch, words) for branch in value[1]]
        few = all(texts is not None for texts, _ in seen)
        return (set().union(*(texts or set() for texts, _ in seen)) if few else None), all(holds for _, holds in seen)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, body = value
        texts, holds = _read(body, words)
        return (texts | {""} if texts is not None and (least, most) == (0, 1) else None), holds and least > 0
    return ({""} if code in (op.AT, op.ASSERT, op.ASSERT_NOT) else None), False


def test_a_word_that_some_match_lacks_is_told() -> None:
    """What shows that a form has its words can also show that it has not."""
    assert not _all_hold("(?:use|take) .+", ["use"])
    assert not _all_hold("(?:please )?go", ["please"])
    assert _all_hold("(?:please )?(?:use|take) .+", ["use", "take"])
