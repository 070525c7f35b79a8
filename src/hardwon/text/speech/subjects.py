"""What a decision is about, as a short key: two decisions with one key can't both hold.

Tools of one category stand for the category: "use Postgres" and "use SQLite" both decide about the database. Where no
tool is known, "for …" names the subject, or the verb and its object do.
"""

from __future__ import annotations

import re
from functools import cache

from hardwon.text.speech.categories import categories


@cache
def _known() -> re.Pattern[str]:
    names = sorted(categories(), key=len, reverse=True)
    joined = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in names)
    return re.compile(rf"(?<![a-z0-9_./-])(?:{joined})(?:js|\.js)?(?![a-z0-9_-]|\.\w)", re.IGNORECASE)


def category(text: str) -> str:
    """The category of the first tool that a text names; empty when it names none."""
    match = _known().search(text)
    if match is None:
        return ""
    name = re.sub(r"\.?js$", "", match[0].lower().replace("-", " "))
    return categories().get(name) or categories().get(match[0].lower().replace("-", " "), "")


def same_category(one: str, other: str) -> bool:
    return bool(category(one)) and category(one) == category(other)


_FOR = re.compile(
    r"\b(?:for|as)\s+(?:all\s+|every\s+|any\s+)?(?:the|our|a|an|this|these|new|its)?\s*([\w/.+ -]{2,60})", re.IGNORECASE
)
_NOT_A_SUBJECT = re.compile(
    r"(?:now|this|that|it|us|me|them|everything|all|sure|good|example|the moment|time being|here)\b"
)
_CUT = re.compile(
    r"\s*(?:[,;:—–.(]|\b(?:because|since|instead|rather|over|not|and|but|so|as|in|on|at|with|to|that|which|from|until"
    r"|when|if|by)\b).*",
    re.IGNORECASE,
)
_LITTLE = """
a an the our my your this that these those all every any some just only new own their its it always use using go with
stick stay keep adopt pick choose switch move put do
"""
_SMALL = frozenset(_LITTLE.split())


def subject(text: str, chosen: str = "") -> str:
    """The key of a decision, lower case, at most six words."""
    purpose = _purpose(text)
    found = category(purpose) or category(chosen) or category(text)
    if found:
        return f"{found}: {purpose}" if purpose and not category(purpose) else found
    return purpose or _words(chosen or text)


def _purpose(text: str) -> str:
    """What something is chosen for: "for the importer"."""
    for match in _FOR.finditer(text):
        what = _words(_CUT.sub("", match[1]))
        if what and not _NOT_A_SUBJECT.match(match[1].strip().lower()):
            return what
    return ""


def _words(text: str) -> str:
    """The telling words at its beginning, in a form that does not depend on articles, case and plural."""
    words = re.findall(r"[\w./+#-]*\w", _CUT.sub("", text.lower()) or text.lower())
    telling = [_singular(word) for word in words if word not in _SMALL]
    return " ".join(telling[:6])[:80]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
