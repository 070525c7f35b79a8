"""What a tool printed, as lines that can be compared: cut, without colours, prefixes and styles of quotation.

A long output is cut to its head and its tail first: what went wrong is said at the end of one, or at the first error of
a compiler. Every pattern in this package has bounded quantifiers and sees a line of at most LONGEST_LINE letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon.text.errors import locales

HEAD = 12_000
TAIL = 24_000
LONGEST_LINE = 600
"""What follows in a line is not looked at."""

_STYLE = re.compile(
    r"\x1b\[[0-9;?:]{0,40}[A-Za-z]|\x1b\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x00-\x08\x0e-\x1f]"
)
_QUOTES = str.maketrans(dict.fromkeys('"`´‘’‚‛“”„‟′«»「」『』', "'") | {"\u00a0": " ", "\u202f": " ", "\t": " "})
_PREFIX = re.compile(
    r"(?:\s{0,40}(?:"
    r"npm (?:ERR!|error|WARN|warn)(?=\s|$)"
    r"|E(?=\s{3})"  # pytest
    r"|\[(?:ERROR|error|FATAL|err)\]|\[stderr\]|stderr:"
    r"|#\d{1,4} (?:\[[^\]]{1,60}\] )?\d{1,6}\.\d{1,4}(?=\s)"  # docker build
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?=\s)"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?(?=\s)"
    r"|[\w.-]{1,60}-\d{1,3}\s{1,40}\|(?=\s)"  # docker compose logs
    r"|│|┃|╰─>|×(?=\s)|✖(?=\s)|✘(?=\s)|▲(?=\s)|⨯(?=\s)|>(?=\s)|\|(?=\s)"
    r"))+\s{0,40}"
)
_LABEL = re.compile(r"\s{0,8}(?P<label>\[[\w.:@/-]{1,60}\]|[\w@./-]{1,60}:[a-z][\w.-]{0,40}:)\s")
"""Of a task runner, which puts it before each line of the program that it runs: `[lint:go]`, `web:build:`."""
LABELLED = 3
"""So many lines, and half of all, make it one."""
_CARET = re.compile(r"(?:\d{1,6}\s{0,4}[|│]\s{0,200})?[\^~][\^~\s]{0,200}(?:$|[\w(])")
_INNER_BLANKS = re.compile(r"'\s{1,3}(?=[^\s'])([^'\n]{1,200}?)\s{1,3}'")


@dataclass(frozen=True, slots=True)
class Reading:
    """An output twice, line by line: nearly as it was printed, and in the form in which the recognisers read it."""

    printed: tuple[str, ...]
    lines: tuple[str, ...]
    text: str
    """The lines in one, to see quickly what isn't in them."""


@lru_cache(maxsize=16)
def read(error: str) -> Reading:
    printed = [line for line in map(_bare, _unlabelled(_shown(error).split("\n"))) if line]
    lines = [_plain(line) for line in printed]
    text = "\n".join(lines)
    if foreign := locales.translator(text):
        lines = [foreign(line) for line in lines]
        text = "\n".join(lines)
    return Reading(tuple(printed), tuple(lines), text)


def _shown(error: str) -> str:
    """What a terminal would show at the end."""
    if len(error) > HEAD + TAIL:
        error = f"{error[:HEAD]}\n{error[-TAIL:]}"
    error = _STYLE.sub("", error.replace("\r\n", "\n"))
    rows = (row.rstrip("\r").rsplit("\r", 1)[-1] for row in error.split("\n"))
    return "\n".join(row[:LONGEST_LINE] for row in rows)


def _unlabelled(rows: list[str]) -> list[str]:
    """Without the labels of whoever ran the program that printed this."""
    found = [match for row in rows if (match := _LABEL.match(row))]
    if len(found) < LABELLED or 2 * len(found) < sum(map(bool, rows)):
        return rows
    counts = Counter(match["label"] for match in found)
    labels = {label for label, count in counts.items() if count >= LABELLED}
    return [row[match.end() :] if (match := _LABEL.match(row)) and match["label"] in labels else row for row in rows]


def is_source(lines: Sequence[str], at: int) -> bool:
    """Whether a line is code that is shown, and not said: a caret points into it from below, or it is that caret."""
    return bool(_CARET.match(lines[at]) or (at + 1 < len(lines) and _CARET.match(lines[at + 1])))


def _bare(line: str) -> str:
    """Without what a tool puts before each line."""
    if match := _PREFIX.match(line):
        line = line[match.end() :] or line
    return line.strip()


def _plain(line: str) -> str:
    if "looking for matching" in line:  # which one is the point
        line = line.replace("`\"'", "double").replace("`''", "single").replace("``'", "back").replace("'\"'", "double")
    line = line.translate(_QUOTES)
    if "' " in line:
        line = _INNER_BLANKS.sub(r"'\1'", line) if line.count("'") == 2 else line
    return line.strip()
