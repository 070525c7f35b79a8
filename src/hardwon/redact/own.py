"""The user's own rules: a name and a regular expression each, from the settings.

Python cannot stop a regular expression that has gone astray, so a slow one is kept from doing harm in three ways. It
is tried on short hostile strings before it is used, and refused if it takes long. It sees a line at a time, and of long
lines overlapping windows. And it has a limit of processor time per text: what it did not get to is redacted whole, for
a secret that is missed cannot be taken back.

What happens while a refused rule stands in the settings waits in the spool until it is mended. There the rule counts
all the same (`slow_too`): in windows so short that it is quick on each of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from time import thread_time

from .lazy import compiled

WINDOW = 1_000
OVERLAP = 300
SECONDS_PER_TEXT = 0.5
_PROBE_SECONDS = 0.02
_QUICK_SECONDS = 0.002
_PROBE_SIZES = (*range(8, 33, 2), *(int(32 * 1.26**step) for step in range(1, 15)), WINDOW)
_LINE = r"[^\n]+"
NAME = r"[A-Za-z0-9_-]{1,40}"
"""The name of a rule, here and in the settings: what may stand in `[redacted:<name>]`."""

Finding = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]
    window: int = WINDOW
    overlap: int = OVERLAP


class OwnRules:
    """Compiled and tried out; raises ValueError, in a sentence, for a rule that cannot be used.

    With `slow_too` no rule that is a regular expression is refused; a slow one sees less of the text at a time.
    """

    def __init__(self, rules: Sequence[tuple[str, str]], *, slow_too: bool = False) -> None:
        made = _for_the_spool if slow_too else _tried
        self._rules = [made(name, source) for name, source in rules]

    def findings(self, text: str) -> Iterator[Finding]:
        for rule in self._rules:
            yield from _within_time(rule, text)


def check(name: str, source: str) -> None:
    """Raises ValueError, in a sentence, if this rule cannot be used."""
    _tried(name, source)


@cache
def _tried(name: str, source: str) -> _Rule:
    """Once in a process: what was quick enough a moment ago is not refused because the machine is busy now."""
    if not compiled(NAME).fullmatch(name):
        raise ValueError(f"redaction rule {name!r}: a name is letters, digits, - and _ of ASCII, up to 40 of them")
    try:
        pattern = re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"redaction rule {name!r}: {source!r} is not a regular expression: {error}") from error
    if pattern.match(""):
        raise ValueError(f"redaction rule {name!r}: {source!r} matches the empty text, so it would match everywhere")
    if _slow_from(pattern, _PROBE_SECONDS):
        raise ValueError(
            f"redaction rule {name!r}: {source!r} takes far too long on some texts: "
            "give each repeat inside a repeat a border, or a bound such as {1,40}"
        )
    return _Rule(name, pattern)


def _for_the_spool(name: str, source: str) -> _Rule:
    pattern = re.compile(source)
    label = name if compiled(NAME).fullmatch(name) else "own-rule"
    if not _slow_from(pattern, _PROBE_SECONDS):
        return _Rule(label, pattern)
    slow = _slow_from(pattern, _QUICK_SECONDS) or WINDOW
    window = max((size for size in _PROBE_SIZES if size < slow), default=_PROBE_SIZES[0])
    return _Rule(label, pattern, window, window // 2)


def _slow_from(pattern: re.Pattern[str], seconds: float) -> int:
    """The size from which on it takes longer than this, 0 for none. It is tried on `aaaa…!` and the like, longer and
    longer, each size a little slower than the one before."""
    least = 0
    if not re.search(r"[*+{]", pattern.pattern):
        return least
    literal = re.match(r"(?:\(\?i\)|\^|\\b)*([\w -]*)(?![*+?{|])", pattern.pattern)
    own = re.sub(r"\\.|[^\w ./:@-]", "", pattern.pattern)
    for start in dict.fromkeys(("", literal[1] if literal else "")):
        for letter in dict.fromkeys("a0 " + own[-6:]):
            for size in (one for one in _PROBE_SIZES if not least or one < least):
                began = thread_time()
                pattern.search(start + letter * size + "\0")
                if thread_time() - began > seconds:
                    least = size
                    break
    return least


def _within_time(rule: _Rule, text: str) -> Iterator[Finding]:
    deadline = thread_time() + SECONDS_PER_TEXT
    for start, end, following in _windows(rule, text):
        for found in rule.pattern.finditer(text, start, end):
            begin, stop = found.span("secret" if "secret" in rule.pattern.groupindex else 0)
            cut = found.end() == end and found.start() >= following  # the next window sees it whole
            if begin < stop and not cut:
                yield rule.name, begin, stop
        if thread_time() > deadline and end < len(text):
            yield rule.name, following, len(text)
            return


def _windows(rule: _Rule, text: str) -> Iterator[tuple[int, int, int]]:
    """Where each begins and ends, and where the next one in the same line begins."""
    for line in compiled(_LINE).finditer(text):
        start, end = line.span()
        while end - start > rule.window:
            following = start + rule.window - rule.overlap
            yield start, start + rule.window, following
            start = following
        yield start, end, end
