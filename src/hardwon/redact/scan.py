"""From a text to the secrets in it: a cheap prefilter decides which rules have anything to do, and where.

1. The text is folded to lower-case ASCII bytes of the same length. A search for a fixed word in those runs at about two
   gigabytes a second, far faster than any regular expression.
2. Long runs of token characters are found by searching a copy in which every such character is an `x` for twenty x's.
   Only in these (a few per cent of source code) are the prefixes of `TOKENS` looked for.
3. The words of `CONTEXTS` are looked for in the whole text, and most only where a part that several have is there.
4. A rule's pattern is matched at the hits of its keywords, and nowhere else.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from . import groups, logins, unexplained
from .contexts import CONTEXTS
from .rules import FOREIGN_KEY_WORDS, KEY_WORDS, NEIGHBOURS, REACH, RUN, SHAPE_BEGINS, SHAPES, TOKENS, Rule, Span
from .tables import TABLES, columns
from .view import View

Finding = tuple[str, int, int]

_LOWER = b"abcdefghijklmnopqrstuvwxyz_-"
_TOKEN = _LOWER + b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_HEXADECIMAL = b"0123456789abcdef-"
_F = ord("f")
_MARKED = bytes(120 if c in _TOKEN else 32 for c in range(256))
_LONG_RUN = b"x" * RUN
# A prefix may end in a sign (`hvs.`, `:AA`), or stand a part before the long one (`pat….`): so much is looked at too.
_JOINTS = b".:/~"
_LEFT = 48
_ESCAPES = {b"%": 2, b"\\": 3}
_LONG = 200
SPOKEN = 2_000
"""Characters up to which a text is also read as somebody's words, which takes longer than all else."""
# Parts of the words of `CONTEXTS`, the rarest first. A sign is looked for several times as fast as a word, and where a
# part is missing (in all of a log, often), so are the words that have it.
_PARTS = tuple(b"~ @ } * ? < ---- _ j x y g l ok ss cr as ar".split())


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

    def __init__(self, more: Iterable[Rule] = (), *, second_line: bool = True) -> None:
        self._second_line = second_line
        words = by_keyword((*CONTEXTS, *more))
        self._foreign_words = [(word, rules) for word, rules in words.items() if not word.isascii()]
        plain = [(word.encode(), rules) for word, rules in words.items() if word.isascii()]
        self._words = _by_part([(word, rules) for word, rules in plain if b"$" not in word])
        self._dollar_words = [(word, rules) for word, rules in plain if b"$" in word]

    def _finds(self, text: str) -> bool:
        return next(self.findings(View(text)), None) is not None

    def findings(self, view: View) -> Iterator[Finding]:
        """Every secret in the view, possibly overlapping, in no order."""
        text = view.text
        plain = _without_markers(text.encode("ascii", "replace"))
        folded = plain.lower()
        present = [each for part, words in self._words if part in folded for each in words if each[0] in folded]
        announced = any(word in _KEY_WORDS for word, _ in present)
        starts, with_prefix = _long_runs(plain, hashes=announced or len(folded) <= SPOKEN)
        if starts:
            starts = _values(starts, plain)
            yield from _tokens(text, with_prefix, starts, plain)
            near = (
                _after_key_words(folded, text, starts)
                if announced or (len(text) <= SPOKEN and not text.isascii())
                else []
            )
            if near:
                yield from _neighbours(text, near, folded)
            if self._second_line:
                yield from unexplained.findings(text, plain, starts, frozenset(near), self._finds)
        for word, rules in present:
            yield from _at_hits(text, rules, _hits(folded, word))
        if b"$" in folded:
            for word, rules in self._dollar_words:
                yield from _at_hits(text, rules, _hits(folded, word))
        yield from groups.private_numbers(text, folded)
        if self._second_line and len(text) <= SPOKEN:
            yield from logins.findings(text, folded)
            yield from groups.findings(text, folded)
        for needed, find in TABLES:
            if (needed[0] not in _KEY_WORDS or announced) and any(word in folded for word in needed):
                yield from find(text)
        if announced and b"\n" in folded:
            yield from columns(text, folded)
        if not text.isascii():
            for foreign, rules in self._foreign_words:
                if foreign in text:
                    yield from _at_hits(text, rules, _hits(text, foreign))


def _by_part(words: list[tuple[bytes, list[Rule]]]) -> list[tuple[bytes, list[tuple[bytes, list[Rule]]]]]:
    """Each word behind the sign that its rules need, or the first of `_PARTS` that it has; if it has none, behind the
    empty one, which any text has."""
    table: dict[bytes, list[tuple[bytes, list[Rule]]]] = defaultdict(list)
    for word, rules in words:
        beside = rules[0].beside.encode() if all(rule.beside == rules[0].beside for rule in rules) else b""
        table[beside or next((part for part in _PARTS if part in word), b"")].append((word, rules))
    return list(table.items())


def _without_markers(plain: bytes) -> bytes:
    """The type in `[redacted:api-key]` is no keyword."""
    return _MARKER.sub(lambda found: b"\0" * len(found[0]), plain) if b"[redacted:" in plain else plain


def _long_runs(plain: bytes, *, hashes: bool) -> tuple[list[int], list[Span]]:
    """Where `RUN` or more token characters follow each other, not all of them small letters; and where a prefix can be.

    Hashes and ids of hexadecimal digits have none (but `fc-`), unless it stands before a joint, and most logs are full
    of them: they are only told where somebody wants them.
    """
    starts: list[int] = []
    with_prefix: list[Span] = []
    marked = plain.translate(_MARKED)
    find = marked.find
    start = find(_LONG_RUN)
    while start >= 0:
        end = find(b" ", start + RUN)
        if end < 0:
            end = len(marked)
        run = plain[start:end]
        if start and plain[start - 1] in _JOINTS:
            if run.translate(None, _LOWER):
                starts.append(start)
                with_prefix.append((max(0, start - _LEFT), end))
        elif run.translate(None, _HEXADECIMAL) or (run[0] == _F and run.startswith(b"fc-")):
            if run.translate(None, _LOWER):
                starts.append(start)
                with_prefix.append((start, end))
        elif hashes and run.translate(None, _LOWER):
            starts.append(start)
        start = find(_LONG_RUN, end)
    return starts, with_prefix


def _tokens(text: str, with_prefix: list[Span], starts: list[int], plain: bytes) -> Iterator[Finding]:
    if with_prefix:
        haystack = " ".join([text[start:end] for start, end in with_prefix])
        for keyword, rules in _TOKENS.items():
            if keyword in haystack:
                yield from _at_hits(text, rules, _hits(text, keyword))
    yield from _at_hits(text, SHAPES, [at for at in starts if plain[at] in SHAPE_BEGINS])


def _neighbours(text: str, announced: list[int], folded: bytes) -> Iterator[Finding]:
    """Only a word like `key` shortly before it makes such a run one of these: see `rules._announced`."""
    haystack = b" ".join([folded[max(0, at - REACH) : at] for at in announced])
    for name, rules in _NEIGHBOURS.items() if haystack else ():
        if name in haystack:
            yield from _at_hits(text, rules, [at for at in announced if name in folded[max(0, at - REACH) : at]])


def _after_key_words(folded: bytes, text: str, starts: list[int]) -> list[int]:
    """Those with such a word in the `REACH` characters before them."""
    near: set[int] = set()
    foreign = [] if text.isascii() else [word for word in FOREIGN_KEY_WORDS if word in text]
    for haystack, words in ((folded, KEY_WORDS), (text, foreign)):
        for word in words:
            for hit in _hits(haystack, word):
                near.update(starts[bisect_left(starts, hit + len(word)) : bisect_right(starts, hit + REACH)])
    return sorted(near)


def _values(starts: list[int], plain: bytes) -> list[int]:
    """Where a value begins: in `%3Dvalue` and `\\xafvalue` the run begins earlier."""
    if not any(escape in plain for escape in _ESCAPES):
        return starts
    return [start + _ESCAPES.get(plain[start - 1 : start], 0) for start in starts]


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
