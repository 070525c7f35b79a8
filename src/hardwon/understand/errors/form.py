"""A form that errors take: how to find the telling line, and which of its parts make the mistake what it is.

The forms are tables, one file for a family of tools. A pattern's groups say what they hold: `file` counts by its last
name, `text` as words without numbers and paths, every other group as it is. `file`, `symbol` and `package` are also
what the error names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from hardwon.understand.errors import steady
from hardwon.understand.errors.text import Reading

MOST_AT_ONCE = 3


class Rank(Enum):
    """Which form wins when several are found, and which of its places. The first is the strongest."""

    CAUSE = "last"
    """Says what is missing or wrong by its name."""
    COMPILER = "first"
    """Later errors mostly follow from the first."""
    TEST = "all"
    RAISED = "last "
    """An exception with its words."""
    TOOL = "first "
    SYSTEM = "last  "
    """The shell, the files, the network in general."""
    WRAPPER = "first  "
    """Only says that something else failed, and which."""


ORDER = tuple(Rank)


@dataclass(frozen=True, slots=True)
class Form:
    says: str
    """The signature, with the groups by name."""
    needs: str
    """What every line of this form has in it; looked for before the pattern."""
    pattern: re.Pattern[str]
    rank: Rank = Rank.CAUSE
    beside: re.Pattern[str] | None = None
    """What more is read from the lines around it."""
    reach: int = 0
    """How many lines around: after it, or before it when negative."""


@dataclass(frozen=True, slots=True)
class Found:
    form: Form
    line: int
    groups: Mapping[str, str] = field(hash=False)

    def said(self) -> str:
        values = {name: _value(name, value) for name, value in self.groups.items()}
        return " ".join(self.form.says.format_map(values).split())


def form(
    says: str, needs: str, pattern: str, rank: Rank = Rank.CAUSE, beside: str = "", reach: int = 0, flags: int = 0
) -> Form:
    return Form(says, needs, re.compile(pattern, flags), rank, re.compile(beside) if beside else None, reach)


def matches(one: Form, reading: Reading) -> Iterator[Found]:
    """Where a form is found, from the first line on."""
    if one.needs not in reading.text:
        return
    for at, line in enumerate(reading.lines):
        if one.needs in line and (match := one.pattern.search(line)):
            groups = dict.fromkeys(one.beside.groupindex, "") if one.beside else {}
            groups |= {name: value or "" for name, value in match.groupdict().items()}
            groups |= _beside(one, reading, at)
            yield Found(one, at, groups)


def _beside(one: Form, reading: Reading, at: int) -> dict[str, str]:
    if one.beside is None:
        return {}
    places = (
        range(at + 1, min(len(reading.lines), at + 1 + one.reach))
        if one.reach > 0
        else range(at - 1, max(-1, at - 1 + one.reach), -1)
    )
    for place in places:
        if match := one.beside.search(reading.lines[place]):
            return {name: value or "" for name, value in match.groupdict().items()}
    return {}


def _value(name: str, value: str) -> str:
    if name.startswith("file"):
        return steady.name(value)
    return steady.words(value) if name.startswith("text") else steady.word(value)
