"""From a text to the secrets in it: a cheap prefilter decides which rules have anything to do, and where.

1. The text is folded to lower-case ASCII bytes of the same length; a search for a fixed word in those runs at more than
   two gigabytes a second, far faster than any regular expression.
2. Long runs of token characters are found by searching a copy in which every such character is an `x` for twenty x's.
   Only in these (4 % of source code) are the prefixes of `TOKENS` looked for.
3. The words of `CONTEXTS` are looked for in the whole text.
4. A rule's pattern is matched at the hits of its keywords, and nowhere else.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from .contexts import CONTEXTS
from .rules import NEIGHBOURS, REACH, RUN, SHAPES, TOKENS, Rule, Span
from .view import View

Finding = tuple[str, int, int]

_TOKEN_CHARACTERS = bytes(120 if chr(c).isalnum() and c < 128 or c in b"_-" else 32 for c in range(256))
_LONG_RUN = b"x" * RUN
# A prefix may end in a sign (`hvs.`, `:AA`), or stand a part before the long one (`pat….`), so that much is looked at too.
_JOINTS = b".:/~"
_LEFT = 48
_LONG = 200


def by_keyword(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    table: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        for keyword in rule.keywords:
            table[keyword].append(rule)
    return dict(table)


_TOKENS = by_keyword(TOKENS)
_NEIGHBOURS = by_keyword(NEIGHBOURS)


class Scanner:
    """The prefilter and the rules behind it. `more` are rules found by words, after those that everybody has."""

    def __init__(self, more: Iterable[Rule] = ()) -> None:
        words = by_keyword((*CONTEXTS, *more))
        self._words = [(word.encode(), rules) for word, rules in words.items() if word.isascii()]
        self._foreign_words = [(word, rules) for word, rules in words.items() if not word.isascii()]

    def findings(self, view: View) -> Iterator[Finding]:
        """Every secret in the view, possibly overlapping, in no order."""
        text = view.text
        folded = _without_markers(text.encode("ascii", "replace").lower())
        runs = _long_runs(folded)
        if runs:
            yield from _tokens(text, runs, folded)
            yield from _neighbours(text, runs, folded)
        for word, rules in self._words:
            if word in folded:
                yield from _at_hits(text, rules, _hits(folded, word))
        if not text.isascii():
            for foreign, rules in self._foreign_words:
                yield from _at_hits(text, rules, _hits(text, foreign))


def _without_markers(folded: bytes) -> bytes:
    """The type in `[redacted:api-key]` is no keyword."""
    start = folded.find(b"[redacted:")
    if start < 0:
        return folded
    blanked = bytearray(folded)
    while start >= 0:
        end = folded.find(b"]", start, start + 80)
        blanked[start + 1 : end if end > 0 else start + 10] = b"\0" * ((end if end > 0 else start + 10) - start - 1)
        start = folded.find(b"[redacted:", start + 1)
    return bytes(blanked)


def _long_runs(folded: bytes) -> list[Span]:
    """Where at least `RUN` letters, digits, dashes and underscores follow each other."""
    marked = folded.translate(_TOKEN_CHARACTERS)
    runs = []
    start = marked.find(_LONG_RUN)
    while start >= 0:
        end = marked.find(b" ", start + RUN)
        if end < 0:
            end = len(marked)
        runs.append((start, end))
        start = marked.find(_LONG_RUN, end)
    return runs


def _tokens(text: str, runs: list[Span], folded: bytes) -> Iterator[Finding]:
    parts = [
        text[max(0, start - _LEFT) if start and folded[start - 1] in _JOINTS else start : end] for start, end in runs
    ]
    haystack = " ".join(parts)
    for keyword, rules in _TOKENS.items():
        if keyword in haystack:
            yield from _at_hits(text, rules, _hits(text, keyword))


def _neighbours(text: str, runs: list[Span], folded: bytes) -> Iterator[Finding]:
    for start, _ in runs:
        for rule in SHAPES:
            if span := rule.secret_at(text, start):
                yield rule.name, *span
    if any(name.encode() in folded for name in _NEIGHBOURS):
        for start, _ in runs:
            before = folded[max(0, start - REACH) : start].decode("ascii")
            rules = [rule for name, rules in _NEIGHBOURS.items() if name in before for rule in rules]
            yield from _at_hits(text, rules, iter((start,)))


def _hits(haystack: str | bytes, keyword: str | bytes) -> Iterator[int]:
    position = haystack.find(keyword)  # type: ignore[arg-type]
    while position >= 0:
        yield position
        position = haystack.find(keyword, position + 1)  # type: ignore[arg-type]


def _at_hits(text: str, rules: list[Rule], hits: Iterator[int]) -> Iterator[Finding]:
    """Match each rule at each hit; inside a long secret the rule that found it has nothing more to find."""
    done = [0] * len(rules)
    for hit in hits:
        for index, rule in enumerate(rules):
            if hit >= done[index] and (span := rule.secret_at(text, hit)):
                start, end = span
                if end - start > _LONG:
                    end = done[index] = _end_of_run(text, end)
                yield rule.name, start, end


def _end_of_run(text: str, end: int) -> int:
    """A pattern reads a bounded number of characters; what goes on after that is the same secret."""
    while end < len(text) and (text[end].isalnum() and text[end].isascii() or text[end] in "_-+/=%"):
        end += 1
    return end
