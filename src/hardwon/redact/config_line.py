"""A line of a configuration that is nothing but a name and a value: there also plain words are a password."""

import re

from .lazy import compiled
from .values import is_label

_SETTING = r"[a-zA-ZäöüßÄÖÜéèñ]{3,20}(?:[.&_-][a-zA-ZäöüßÄÖÜéèñ]{2,20}){0,4}"
_LINE_OF_SETTING = r"^[ \t]*(?:[-*+>·・][ \t]*)?[\w.\-\"' ()]{0,60}$"


def is_setting(value: str, found: re.Match[str]) -> bool:
    """`dataSource.password=ahoi.matrose`: words, and none of them a word of programs, right behind a name."""
    if not compiled(_SETTING).fullmatch(value) or compiled("[A-Z][A-Z]|[a-z][A-Z]").search(value):
        return False
    start = found.string.rfind("\n", 0, found.start()) + 1
    if found.start() - start > 64 or not compiled(_LINE_OF_SETTING).match(found.string[start : found.start()]):
        return False
    joined = found.string[found.end("key") : found.start("bare")]
    words = [word.lower() for word in re.split(r"[.&_-]|(?<=[a-z])(?=[A-Z])", value)]
    telling = len(words) > 1 or joined.strip() in ("=", ":") or "：" in joined
    return telling and len(value) > 5 and not any(is_label(word) for word in words)
