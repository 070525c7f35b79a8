"""Values without what changes from run to run: addresses, times, folders, temporary names, numbers that only count."""

from __future__ import annotations

import re

LONGEST = 120

_TIMES = (
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?)?"
    r"|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
)
RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b0x[0-9a-fA-F]{1,32}\b"), "#"),
    (re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"), "#"),
    (re.compile(_TIMES), "#"),
    (re.compile(r"\b(?:sha256:)?(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}\b"), "#"),
)
_PATH = re.compile(r"(?:\b[A-Za-z]:)?(?:[\w.@+~$%-]{0,80}[/\\]){1,30}(?P<name>[\w.@+~$%-]{1,120})?")
_URL = re.compile(
    r"\b[a-z][a-z0-9+]{1,10}://(?:[^\s/@']{1,80}@)?(?P<host>[^\s/:'?,)]{1,120})(?::\d{1,5})?[^\s']{0,300}"
)
_PLACE = re.compile(
    r":\d{1,7}(?::\d{1,7}){0,2}\b|\(\d{1,7}(?:[,:]\s?\d{1,7})?\)|\[\d{1,7}(?:,\s?\d{1,7})?\]"
    r"|,? (?:on |at )?line \d{1,7}(?:,? col(?:umn)? \d{1,7})?|, col(?:umn)? \d{1,7}"
)
_VALUE = re.compile(
    r"(?P<said>can't modify frozen [\w:]{1,80}|invalid literal for \w{1,20}\(\) with base \d{1,2}"
    r"|invalid value for (?:Integer|Float|Rational)\(\)|could not convert string to \w{1,20}|For input string"
    r"|Invalid isoformat string|invalid input (?:syntax|value) for (?:type|enum) [\w ]{1,40}"
    r"|badly formed \w{1,20} string): ?.{1,200}"
)
"""A value that was given, not a name that is wrong: another value is the same mistake."""
_COUNT = re.compile(r"(?<![\w.#-])[-+]?\d+(?:[.,]\d+){0,4}(?:\s?(?:ms|s|secs?|seconds?|[KMG]i?B|%|bytes?)\b)?(?![\w-])")
_BLANKS = re.compile(r"\s+")
_RANDOM_NAME = re.compile(
    r"(?i)tmp[._-]?[a-z0-9_]{6,}|.{0,40}[._-](?=[a-z0-9]{0,20}\d)(?=[a-z0-9]{0,20}[a-z])[a-z0-9]{8,}|[0-9a-f]{8,}|\d+"
)


def words(value: str) -> str:
    """A message in one form: paths by their last name, numbers as #, one kind of quotation."""
    value = _VALUE.sub(lambda match: match["said"], value[:400])
    value = _URL.sub(lambda match: match["host"], value)
    for pattern, mark in RULES:
        value = pattern.sub(mark, value)
    value = _PATH.sub(lambda match: name(match[0]), value)
    value = _COUNT.sub("#", _PLACE.sub("", value))
    value = _BLANKS.sub(" ", value.replace("'", "")).strip(" .:,;!-")
    return value[:LONGEST].rstrip()


def name(path: str) -> str:
    """A file by its last name; one that nobody chose is #."""
    last = re.split(r"[/\\]", path.strip("'\" ").rstrip("/\\"))[-1]
    stem, dot, extension = last.partition(".")
    if _RANDOM_NAME.fullmatch(stem):
        return f"#{dot}{extension}" if len(extension) <= 5 else "#"
    for pattern, mark in RULES:
        last = pattern.sub(mark, last)
    return last[:LONGEST]


def word(value: str) -> str:
    """One identifier, as it is."""
    value = value.strip("'\" ")
    for pattern, mark in RULES:
        value = pattern.sub(mark, value)
    return value[:LONGEST]
