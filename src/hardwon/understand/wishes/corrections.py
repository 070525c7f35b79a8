"""Corrections: a sentence by which a person says that what was done is not what they want.

Two sorts of wording. Some say it alone ("no, use X", "Wrong file", "我说的是 X"). Others are as common in an ordinary
request ("use X instead of Y", "don't add Y"): they get less confidence, and count only when what the agent did fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.understand.wishes.corrections_chinese import CHINESE
from hardwon.understand.wishes.corrections_english import AFTER_NO, AGREES, ALONE, COMPLAINT, LEAD, NO
from hardwon.understand.wishes.corrections_japanese import JAPANESE
from hardwon.understand.wishes.forms import Form, Forms, compiled
from hardwon.understand.wishes.spoken import asks, supposes
from hardwon.understand.wishes.terms import term
from hardwon.understand.wishes.wish import Correction

_KANA = re.compile("[\u3040-\u30ff]")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_NO_ALONE = re.compile(r"(?:no+|nope|nah|wrong|stop)[.!,\s]*", re.IGNORECASE)


def find(sentence: str, before: str = "") -> Correction | None:
    """The correction in one sentence; `before` is the one before it, for a "No." that stands alone."""
    if supposes(sentence):
        return None
    if not _WIDE.search(sentence):
        return _english(sentence, before)
    if asks(sentence):
        return None
    return _first(sentence, JAPANESE if _KANA.search(sentence) else CHINESE)


def _english(sentence: str, before: str) -> Correction | None:
    said = _without_lead(sentence)
    opening = compiled(NO).match(said)
    if opening and (rest := said[opening.end() :].strip()):
        return _after_no(_without_lead(rest))
    if _NO_ALONE.fullmatch(before):
        return _after_no(said)
    return _first(said, COMPLAINT if asks(sentence) else ALONE)


def _without_lead(text: str) -> str:
    return compiled(LEAD).sub("", text, count=1) if compiled(LEAD).match(text) else text


def _after_no(rest: str) -> Correction | None:
    if compiled(AGREES).match(rest) or asks(rest):
        return None
    return _first(rest, AFTER_NO)


def _first(said: str, forms: Forms[Form]) -> Correction | None:
    return next(_matching(said.strip(), forms), None)


def _matching(said: str, forms: Forms[Form]) -> Iterator[Correction]:
    plain = said.rstrip(" .!…。！,，")
    for form in forms.for_sentence(said):
        if match := form.fullmatch(said) or (form.fullmatch(plain) if plain != said else None):
            groups = match.groupdict()
            wanted, unwanted = term(groups.get("want") or groups.get("want2")), term(groups.get("not"))
            if form.bare or wanted or unwanted:
                yield Correction(said, wanted, unwanted, form.confidence, form.standing)
