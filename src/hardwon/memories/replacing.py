"""Whether a later memory took the place of an earlier one, by what both say.

Words and meaning alone do not tell: "releases are announced on Mondays" has every word of "releases are on Mondays",
is nearly the same in meaning, and both hold. So they decide nothing. That the earlier one no longer holds must be
said: the same with another number, the same place for something else with a word of the change, or that what the
earlier one names is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardwon.text.speech import statements
from hardwon.text.speech.statements import Statement

Stems = Callable[[str], frozenset[str]]
Weight = Callable[[str], float]

NEAR = 0.7
"""The cosine from which on two memories are about the same."""
NAMED = 0.4
"""Of the earlier one's words, so much must stand in one that says it is over."""


@dataclass(frozen=True, slots=True)
class Said:
    """A memory as it is judged: the stems of what it says, as a whole and by parts (`text/speech/statements.py`)."""

    told: Statement
    all: frozenset[str]
    head: frozenset[str]
    subject: frozenset[str]
    value: frozenset[str]
    rest: frozenset[str]
    within: frozenset[str]
    moved: frozenset[str]
    leaving: frozenset[str]
    left: frozenset[str]
    left_of: frozenset[str]


def said(text: str, stems: Stems) -> Said:
    told = statements.read(text)
    return Said(
        told=told,
        all=stems(text),
        head=stems(told.head),
        subject=stems(told.subject),
        value=stems(told.value),
        rest=stems(told.rest),
        within=stems(told.within),
        moved=stems(told.moved),
        leaving=stems(told.leaving),
        left=stems(told.left),
        left_of=stems(told.left_of),
    )


def took_its_place(earlier: Said, later: Said, weight: Weight, cosine: float | None = None) -> bool:
    """Whether the later one says that the earlier no longer holds."""
    return not later.told.adds and (
        _another_number(earlier, later)
        or _another_value(earlier, later)
        or _another_place(earlier, later)
        or _is_over(earlier, later, weight, cosine)
    )


def _another_number(earlier: Said, later: Said) -> bool:
    """The same but for numbers, units or days, and these not in what it speaks of: step 3 is not step 4."""
    differ = earlier.head ^ later.head
    plain = [stem for stem in earlier.head & later.head if not statements.is_value(stem)]
    if not differ or len(plain) < 2 or not all(map(statements.is_value, differ)):
        return False
    return earlier.subject == later.subject and bool(earlier.told.value and later.told.value)


def _another_value(earlier: Said, later: Said) -> bool:
    """Of the same the same is said with something else in its place, and the later one names what was there, or tells
    of a change where only one can be there."""
    one, other = earlier.told, later.told
    same = _are_one(earlier.subject, later.subject) or (
        not earlier.subject | later.subject and _are_one(earlier.within, later.within)
    )
    if not same or one.verb != other.verb or not earlier.value or earlier.value & later.value:
        return False
    if _is_elsewhere(earlier, later):
        return False
    return bool(earlier.value & later.rest) or (other.changes and other.one_place)


def _another_place(earlier: Said, later: Said) -> bool:
    """What was said to be in one place was moved."""
    return earlier.told.one_place and _are_one(earlier.subject, later.moved) and not _is_elsewhere(earlier, later)


def _is_over(earlier: Said, later: Said, weight: Weight, cosine: float | None) -> bool:
    """The later one says of what the earlier one names that it is no longer so."""
    if not later.left & earlier.all or later.leaving & earlier.all or _is_elsewhere(earlier, later):
        return False
    of = later.moved | later.subject - later.leaving | later.left_of - later.value
    if not of <= earlier.all | later.left:
        return False
    named = sum(map(weight, earlier.all & later.all)) / sum(map(weight, earlier.all))
    return named >= NAMED or (cosine is not None and cosine >= NEAR)


def _are_one(some: frozenset[str], others: frozenset[str]) -> bool:
    return bool(some) and some == others


def _is_elsewhere(earlier: Said, later: Said) -> bool:
    """It is limited to something that the earlier one does not speak of."""
    return bool(later.within) and not later.within & earlier.all
