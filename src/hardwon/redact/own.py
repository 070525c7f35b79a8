"""The user's own rules: a name and a regular expression each, from the settings.

Python cannot stop a regular expression that has gone astray, so a slow one is kept from doing harm in three ways. It
is tried on short hostile strings when the settings are read, and refused if it takes long. It sees a line at a time,
and of long lines overlapping windows. And it has a limit of processor time per text: what it did not get to is redacted
whole, for a secret that is missed cannot be taken back.
"""

import re
from collections.abc import Iterator, Sequence
from time import thread_time

from .lazy import compiled

WINDOW = 1_000
OVERLAP = 300
SECONDS_PER_TEXT = 0.5
_PROBE_SECONDS = 0.02
_PROBE_SIZES = (*range(8, 33, 2), *(int(32 * 1.26**step) for step in range(1, 15)), WINDOW)
_NAME = r"[A-Za-z0-9][\w.-]{0,63}"
_LINE = r"[^\n]+"

Finding = tuple[str, int, int]


class OwnRules:
    """Compiled and tried out; raises ValueError, in a sentence, for a rule that cannot be used."""

    def __init__(self, rules: Sequence[tuple[str, str]]) -> None:
        self._rules = [(name, _compiled(name, source)) for name, source in rules]

    def findings(self, text: str) -> Iterator[Finding]:
        for name, pattern in self._rules:
            yield from _within_time(name, pattern, text)


def _compiled(name: str, source: str) -> re.Pattern[str]:
    if not compiled(_NAME).fullmatch(name):
        raise ValueError(f"redaction rule {name!r}: a name is letters, digits, dots, dashes and underscores")
    try:
        pattern = re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"redaction rule {name!r}: {source!r} is not a regular expression: {error}") from error
    if pattern.match(""):
        raise ValueError(f"redaction rule {name!r}: {source!r} matches the empty text, so it would match everywhere")
    if _is_slow(pattern):
        raise ValueError(
            f"redaction rule {name!r}: {source!r} takes far too long on some texts: "
            "give each repeat inside a repeat a border, or a bound such as {1,40}"
        )
    return pattern


def _is_slow(pattern: re.Pattern[str]) -> bool:
    """Try it on `aaaa…!` and the like, longer and longer, each size a little slower than the one before."""
    if not re.search(r"[*+{]", pattern.pattern):
        return False
    literal = re.match(r"(?:\(\?i\)|\^|\\b)*([\w -]*)(?![*+?{|])", pattern.pattern)
    own = re.sub(r"\\.|[^\w ./:@-]", "", pattern.pattern)
    for start in dict.fromkeys(("", literal[1] if literal else "")):
        for letter in dict.fromkeys("a0 " + own[-6:]):
            for size in _PROBE_SIZES:
                began = thread_time()
                pattern.search(start + letter * size + "\0")
                if thread_time() - began > _PROBE_SECONDS:
                    return True
    return False


def _within_time(name: str, pattern: re.Pattern[str], text: str) -> Iterator[Finding]:
    deadline = thread_time() + SECONDS_PER_TEXT
    for start, end in _windows(text):
        for found in pattern.finditer(text, start, end):
            begin, stop = found.span("secret" if "secret" in pattern.groupindex else 0)
            if begin < stop:
                yield name, begin, stop
        if thread_time() > deadline and end < len(text):
            yield name, end, len(text)
            return


def _windows(text: str) -> Iterator[tuple[int, int]]:
    for line in compiled(_LINE).finditer(text):
        start, end = line.span()
        while end - start > WINDOW:
            yield start, start + WINDOW
            start += WINDOW - OVERLAP
        yield start, end
