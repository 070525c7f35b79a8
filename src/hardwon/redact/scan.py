"""From a text to the secrets in it: a cheap prefilter decides which rules have anything to do, and where.

1. The text is folded to lower-case ASCII bytes of the same length. A search for a fixed word in those runs at about two
   gigabytes a second, far faster than any regular expression.
2. Long runs of token characters are found by searching a copy in which every such character is an `x` for twenty x's.
   Only in these (a few per cent of source code) are the prefixes of `TOKENS` looked for.
3. The words of `CONTEXTS` are looked for in the whole text.
4. A rule's pattern is matched at the hits of its keywords, and nowhere else.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .contexts import CONTEXTS
from .rules import KEY_WORDS, NEIGHBOURS, REACH, RUN, SHAPE_BEGINS, SHAPES, TOKENS, Rule, Span
from .view import View

Finding = tuple[str, int, int]

_LOWER = b"abcdefghijklmnopqrstuvwxyz_-"
_TOKEN = _LOWER + b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_HEXADECIMAL = b"0123456789abcdef-"
_MARKED = bytes(120 if c in _TOKEN else 32 for c in range(256))
_LONG_RUN = b"x" * RUN
# A prefix may end in a sign (`hvs.`, `:AA`), or stand a part before the long one (`pat….`): so much is looked at too.
_JOINTS = b".:/~"
_LEFT = 48
_ESCAPES = {b"%": 2, b"\\": 3}
_LONG = 200


def by_keyword(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    table: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        for keyword in rule.keywords:
            table[keyword].append(rule)
    return dict(table)


_TOKENS = by_keyword(TOKENS)
_NEIGHBOURS = {name.encode(): rules for name, rules in by_keyword(NEIGHBOURS).items()}
_KEY_WORDS = frozenset(KEY_WORDS)
_MARKER = re.compile(rb"\[redacted:[\w.-]{1,64}\]")


class Scanner:
    """The prefilter and the rules behind it. `more` are rules found by words, after those that everybody has."""

    def __init__(self, more: Iterable[Rule] = ()) -> None:
        words = by_keyword((*CONTEXTS, *more))
        self._foreign_words = [(word, rules) for word, rules in words.items() if not word.isascii()]
        plain = [(word.encode(), rules) for word, rules in words.items() if word.isascii()]
        self._words = [(word, rules) for word, rules in plain if b"$" not in word]
        self._dollar_words = [(word, rules) for word, rules in plain if b"$" in word]

    def findings(self, view: View) -> Iterator[Finding]:
        """Every secret in the view, possibly overlapping, in no order."""
        text = view.text
        plain = _without_markers(text.encode("ascii", "replace"))
        folded = plain.lower()
        present = [(word, rules) for word, rules in self._words if word in folded]
        if runs := _long_runs(plain):
            starts = _starts(runs, plain)
            yield from _tokens(text, runs, starts, plain)
            if any(word in _KEY_WORDS for word, _ in present):
                yield from _neighbours(text, starts, folded)
        for word, rules in present:
            yield from _at_hits(text, rules, _hits(folded, word))
        if b"$" in folded:
            for word, rules in self._dollar_words:
                yield from _at_hits(text, rules, _hits(folded, word))
        if not text.isascii():
            for foreign, rules in self._foreign_words:
                if foreign in text:
                    yield from _at_hits(text, rules, _hits(text, foreign))


def _without_markers(plain: bytes) -> bytes:
    """The type in `[redacted:api-key]` is no keyword."""
    return _MARKER.sub(lambda found: b"\0" * len(found[0]), plain) if b"[redacted:" in plain else plain


def _long_runs(plain: bytes) -> list[Span]:
    """Where `RUN` or more token characters follow each other, and not all of them are what `long_plain_names` have."""
    marked = plain.translate(_MARKED)
    runs = []
    start = marked.find(_LONG_RUN)
    while start >= 0:
        end = marked.find(b" ", start + RUN)
        if end < 0:
            end = len(marked)
        if plain[start:end].translate(None, _LOWER):
            runs.append((start, end))
        start = marked.find(_LONG_RUN, end)
    return runs


def _tokens(text: str, runs: list[Span], starts: list[int], plain: bytes) -> Iterator[Finding]:
    haystack = " ".join([text[start:end] for start, end in _with_prefixes(runs, plain)])
    for keyword, rules in _TOKENS.items():
        if keyword in haystack:
            yield from _at_hits(text, rules, _hits(text, keyword))
    yield from _at_hits(text, SHAPES, [at for at in starts if plain[at : at + 1] in SHAPE_BEGINS])


def _with_prefixes(runs: list[Span], plain: bytes) -> Iterator[Span]:
    """Where a prefix can be. Hashes and ids of hexadecimal digits have none, unless it stands before a joint."""
    for start, end in runs:
        if start and plain[start - 1] in _JOINTS:
            yield max(0, start - _LEFT), end
        elif plain[start:end].translate(None, _HEXADECIMAL):
            yield start, end


def _neighbours(text: str, starts: list[int], folded: bytes) -> Iterator[Finding]:
    haystack = b" ".join([folded[max(0, start - REACH) : start] for start in starts])
    for name, rules in _NEIGHBOURS.items():
        if name in haystack:
            yield from _at_hits(text, rules, [at for at in starts if name in folded[max(0, at - REACH) : at]])


def _starts(runs: list[Span], plain: bytes) -> list[int]:
    """Where a value begins: in `%3Dvalue` and `\\xafvalue` the run begins earlier."""
    if not any(escape in plain for escape in _ESCAPES):
        return [start for start, _ in runs]
    return [start + _ESCAPES.get(plain[start - 1 : start], 0) for start, _ in runs]


def _hits(haystack: str | bytes, keyword: str | bytes) -> list[int]:
    hits = []
    position = haystack.find(keyword)  # type: ignore[arg-type]
    while position >= 0:
        hits.append(position)
        position = haystack.find(keyword, position + 1)  # type: ignore[arg-type]
    return hits


def _at_hits(text: str, rules: Sequence[Rule], hits: list[int]) -> Iterator[Finding]:
    """Match each rule at each hit. What a rule has found, to the end of the word, it does not search again."""
    for rule in rules if hits else ():
        match, offset, done = rule.pattern.match, rule.offset, 0
        for hit in hits:
            if (
                hit < done
                or hit < offset
                or not (found := match(text, hit - offset))
                or not (span := rule.secret(found))
            ):
                continue
            start, end = span[0], _without_escape(text, *span)
            stop = _end_of_word(text, start, end)
            if stop > end or end - start > _LONG:
                done = stop
            yield rule.name, start, stop


def _without_escape(text: str, start: int, end: int) -> int:
    """Blanks, and the backslashes before a closing quote, are not the secret's."""
    while end - 1 > start and text[end - 1] in "\\ ":
        end -= 1
    return end


def _end_of_word(text: str, start: int, end: int) -> int:
    """A pattern reads a bounded number of characters; letters and digits that follow are of the same secret."""
    more = "_-+/=%" if end - start > _LONG else ""
    while end < len(text) and ((text[end].isascii() and text[end].isalnum()) or text[end] in more):
        end += 1
    return end
