"""The user's own rules: a name and a regular expression each, from the settings.

Python cannot stop a regular expression that has gone astray, so a slow one is kept from doing harm in three ways. It is
tried on short hostile strings when the settings are read, and refused if it takes long. It sees a line at a time, and of
long lines overlapping windows. And it has a time limit per text: what it did not get to is redacted whole, for a secret
that is missed cannot be taken back.
"""

import re
from collections.abc import Iterator, Sequence
from time import perf_counter

WINDOW = 2_000
OVERLAP = 500
SECONDS_PER_TEXT = 0.5
_PROBE_SECONDS = 0.02
_PROBE_SIZES = (*range(8, 40, 2), 80, 200, 500, WINDOW)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}")
_LINE = re.compile(r"[^\n]+")

Finding = tuple[str, int, int]


class OwnRules:
    """Compiled and tried out; raises ValueError, in a sentence, for a rule that cannot be used."""

    def __init__(self, rules: Sequence[tuple[str, str]]) -> None:
        self._rules = [(name, _compiled(name, source)) for name, source in rules]

    def findings(self, text: str) -> Iterator[Finding]:
        for name, pattern in self._rules:
            yield from _within_time(name, pattern, text)


def _compiled(name: str, source: str) -> re.Pattern[str]:
    if not _NAME.fullmatch(name):
        raise ValueError(f"redaction rule {name!r}: a name is letters, digits, dots, dashes and underscores")
    try:
        pattern = re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"redaction rule {name!r}: {source!r} is not a regular expression: {error}") from error
    if pattern.match(""):
        raise ValueError(f"redaction rule {name!r}: {source!r} matches the empty text, so it would match everywhere")
    if _is_slow(pattern):
        raise ValueError(
            f"redaction rule {name!r}: {source!r} takes exponential time on some texts: "
            "give each repeat inside a repeat a border, or a bound such as {1,40}"
        )
    return pattern


def _is_slow(pattern: re.Pattern[str]) -> bool:
    """Try it on `aaaa…!` and the like, longer and longer, each size a little slower than the one before."""
    if not re.search(r"[*+{]", pattern.pattern):
        return False
    own = re.sub(r"\\.|[^\w ./:@-]", "", pattern.pattern)
    start = own[: len(own) - len(own.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"))]
    for letter in dict.fromkeys("aA0 -" + own[:8]):
        for size in _PROBE_SIZES:
            began = perf_counter()
            pattern.search(start + letter * size + "\0")
            if perf_counter() - began > _PROBE_SECONDS:
                return True
    return False


def _within_time(name: str, pattern: re.Pattern[str], text: str) -> Iterator[Finding]:
    deadline = perf_counter() + SECONDS_PER_TEXT
    for start, end in _windows(text):
        for found in pattern.finditer(text, start, end):
            begin, stop = found.span("secret" if "secret" in pattern.groupindex else 0)
            if begin < stop:
                yield name, begin, stop
        if perf_counter() > deadline and end < len(text):
            yield name, end, len(text)
            return


def _windows(text: str) -> Iterator[tuple[int, int]]:
    for line in _LINE.finditer(text):
        start, end = line.span()
        while end - start > WINDOW:
            yield start, start + WINDOW
            start += WINDOW - OVERLAP
        yield start, end
