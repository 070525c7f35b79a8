"""Whether two texts say the same lesson in other words. In doubt they do not: two lessons in the memory cost a line,
one that swallowed another costs a lesson.

What may differ: case and punctuation, the form of a word, words that carry nothing ("the", "please", "make sure to"),
which of two negations or obligations was chosen, a clause that stands first ("before the tests, run it"), and in a long
text one word more. What may not: a number, a version, a path, a flag, a command, an identifier; what is negated; any
word put in the place of another; the order of what is left. So "tabs, not spaces" and "spaces, not tabs" stay two, as
do two lessons that differ in one name, though they share nearly all of their words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

FEWEST = 3
"""Words that tell: fewer are too little to go by."""
MOST = 80
"""More is a page, of which two are hardly the same."""
ONE_MORE_IN = 8
"""For so many words of the shorter text the longer one may have one more."""


@dataclass(frozen=True, slots=True)
class Piece:
    key: str
    """What is compared: a word's stem, or the literal itself."""
    tells: bool
    """It may not be the one that only the longer text has."""


def pieces(text: str) -> tuple[Piece, ...]:
    """What of a text counts, in order; words not yet stemmed."""
    plain = _EMPHASIS.sub(r"\2", unicodedata.normalize("NFC", text).replace("\u2019", "'"))
    plain = _MARKS.sub(" ", plain)
    for pattern, instead in _SPELLED_OUT:
        plain = pattern.sub(instead, plain)
    return tuple(piece for sentence in _SENTENCES.split(plain) for piece in _of_sentence(sentence))


def stemmed(text: Sequence[Piece], stems: Mapping[str, str]) -> tuple[Piece, ...]:
    """With the stem of each word that has one."""
    return tuple(replace(piece, key=stems.get(piece.key, piece.key)) for piece in text)


def words(text: Sequence[Piece]) -> list[str]:
    """Those that can be stemmed: the plain ones."""
    return [piece.key for piece in text if piece.key.isascii() and piece.key.isalpha() and piece.key.islower()]


def may_be_same(one: str, other: str) -> bool:
    """A glance at the beginnings of their words, for a comparison costs a hundred times as much."""
    if not (one.isascii() and other.isascii()):
        return True
    few, many = sorted(({word[:4] for word in _WORD.findall(text.lower())} for text in (one, other)), key=len)
    return 5 * len(few & many) >= 3 * len(few) and 5 * len(few) >= 2 * len(many)


_WORD = re.compile(r"\w+")


def are_same(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    short, long = sorted((one, other), key=len)
    if not FEWEST <= len(short) <= len(long) <= MOST:
        return False
    if len(long) - len(short) > len(short) // ONE_MORE_IN:
        return False
    added = _added(short, long)
    # In a language of which we don't know what negates, every word tells.
    is_known = not added or all(piece.key.isascii() for piece in long)
    return added is not None and is_known and not any(piece.tells for piece in added)


def _added(short: Sequence[Piece], long: Sequence[Piece]) -> list[Piece] | None:
    """What the longer text has and the shorter has not; None when that is not all that differs."""
    left, added = list(short), []
    for piece in long:
        if left and left[0].key == piece.key:
            left.pop(0)
        else:
            added.append(piece)
    return None if left else added


def _of_sentence(sentence: str) -> list[Piece]:
    found: list[Piece] = []
    bare = _LEAD_IN.sub("", sentence.strip(), count=1)
    asks = [Piece("?", tells=True)] if bare.endswith("?") else []
    bare = _FRONTED.sub(r"\g<rest> \g<clause>", bare, count=1)
    for place, raw in enumerate(bare.split()):
        for piece in _of_word(_END.sub("", raw.lstrip("(\"'[")) or raw, is_first=place == 0):
            if found or piece.key not in ("always", "must"):  # an order is one without them
                found.append(piece)
    if any(piece.key == "before" for piece in found):
        found = [piece for piece in found if piece.key != "first"]
    return found + asks


def _of_word(raw: str, *, is_first: bool) -> list[Piece]:
    if not raw.strip(_DASHES):
        return []
    if is_literal(raw):
        return [Piece(raw, tells=True)]
    is_name = raw[0].isupper() and not is_first
    # Chinese and Japanese have no blanks between words: there each character counts.
    apart = _CJK.sub(r" \1 ", raw.casefold().replace("-", " ").replace("'", " ")).split()
    plain = (_FOLDED.get(word, word) for word in apart)
    return [Piece(word, tells=is_name or word in _TELLING) for word in plain if word not in LIGHT]


def is_literal(word: str) -> bool:
    """A number, a path, a flag, an identifier, a sign: what is the same only in the very same letters."""
    return word.startswith("-") or bool(_LITERAL.search(word))


def literals(text: str) -> tuple[str, ...]:
    return tuple(piece.key for piece in pieces(text) if is_literal(piece.key))


_DASHES = "-\u2013\u2014\u00b7\u2022"
_END = re.compile("[,;:!?)\"'\\]\u2026]*[.]?[,;:!?)\"'\\]\u2026]*$")
_EMPHASIS = re.compile(r"(?<!\S)(\*{1,2})(\w[^*\n]*?)\1(?=[\s.,;:!?]|$)")
_LITERAL = re.compile(r"[^\w'-]|[\d_]|[a-z][A-Z]")
_MARKS = re.compile(
    '[`"\u201c\u201d\u201e\u00ab\u00bb\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u300c\u300d]'
    "|(?<=[\u2e80-\U0003134f])[,;:.!?]|[,;:](?=[\u2e80-\U0003134f])"
)
_CJK = re.compile("([\u2e80-\U0003134f])")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_SPELLED_OUT = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\bcan(?:not|'t)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"'s\b", ""),
        (r"\b(?:needs?|has|have|ought|got) to\b", "must"),
    )
]
_LEAD_IN = re.compile(
    r"(?i)^(?:please )?(?:(?:note|reminder|remember|important|tip|hint|fyi|lesson)\s*:|note that"
    r"|(?:always )?remember (?:to|that)|(?:always )?(?:make|be) sure (?:to|that)|it is important (?:to|that))\s+"
)
_FRONTED = re.compile(
    r"(?i)^(?P<clause>(?:before|after|when|whenever|while|if|once|until|unless)\b[^,]{1,200}),\s+(?P<rest>.+?)[.!]?$"
)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


LIGHT = _set(
    """
    a an the this that these those is are be been being am it its of and so then you your we our
    please kindly also just simply really actually do does which very
    """
)
_FOLDED = {
    **dict.fromkeys(("never", "no", "dont"), "not"),
    **dict.fromkeys(("should", "shall"), "must"),
    **dict.fromkeys(("requires", "require", "needs"), "need"),
    "whenever": "when",
    "repo": "repository",
    "repos": "repositories",
    "config": "configuration",
    "configs": "configurations",
    "folder": "directory",
    "folders": "directories",
    "dir": "directory",
    "dirs": "directories",
    "db": "database",
    "env": "environment",
    "docs": "documentation",
}
SPELLINGS = frozenset({*_FOLDED.values(), "must", "not", "can", "will"})
"""Words that stand for others as well: a text that says the same may have another."""
# A sentence with one of these more may say something else, or the opposite. Other languages have their own for "not".
_TELLING = _set(
    """
    not nor neither none nothing nobody without unless except only instead rather than but however although though
    before after until till when while if once since during because to from into onto in on at by for with over under
    above below between through via as or either both all any every each some most few many several half twice once
    one two three four five six seven eight nine ten first second third last next previous other another same different
    always must may might can could would will rarely seldom sometimes often usually hardly barely almost
    avoid stop skip refuse forbid prevent disable disabled enable enabled fail fails failed off out up down back away
    old older new newer deprecated broken wrong missing hidden empty optional local remote global public private
    more less least larger smaller longer shorter higher lower fewer too enough un non anti
    nicht kein keine keinen nie niemals ohne nur statt ne pas jamais sans non rien aucun nunca sin nada ningun ninguna
    nao nem sem jamais mai senza niente niet geen nooit zonder ikke inte aldrig ei nie bez nem
    """
)
