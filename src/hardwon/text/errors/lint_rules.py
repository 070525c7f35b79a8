"""The rules that a linter names in its findings: the place first, the rule's name in brackets, at the end or as a code.

Nothing here knows a linter. A name counts only in a line that begins with a place, or below a line that is a file's
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.memory import Anchor, AnchorKind

_PLACE = re.compile(
    r"^\s{0,8}(?P<file>(?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,7}):\d+(?::\d+)?:? {1,4}(?P<said>.{0,400})$"
)
_FILE = re.compile(r"^\s{0,3}(?P<file>(?:[\w./\\@+-]{1,300}[/\\])?[\w@+-][\w.@+-]{0,120}\.[A-Za-z]\w{0,7})\s*$")
_BELOW = re.compile(r"^\s{1,8}\d+:\d+\s+(?P<said>.*)$")
_NAME = r"@?[a-z][\w-]{1,40}(?:/[\w-]{2,40}){0,2}"
_RULES = (
    re.compile(rf"\((?P<rule>{_NAME})\)\s*$"),
    re.compile(rf"\[(?P<rule>{_NAME})\]\s*$"),
    re.compile(rf"\s{{2,}}(?P<rule>{_NAME})\s*$"),
    re.compile(r"^(?:(?:error|warning|[EWCRF])[: ]\s*)?(?P<rule>[A-Z]{1,5}\d{3,4})\b"),
)
_NO_HABIT = re.compile(
    r"(?i)unused|typecheck|ineffassign|undef|syntax|parse|compil|^F(?:401|811|841|821)$|^E999$|^TS\d|^CS\d"
)
"""What a compiler would say, or what is left over while one is writing: nobody needs to be told."""
MOST_LINES = 400


def anchor(file: str) -> Anchor:
    """By which the rules of a language are found."""
    return Anchor(AnchorKind.TOPIC, f"lint:.{language(file)}")


def found(output: str) -> Iterator[tuple[str, str]]:
    """Each rule, with a file that it was met in."""
    file = ""
    seen: set[tuple[str, str]] = set()
    for line in output.splitlines()[:MOST_LINES]:
        if place := _PLACE.match(line):
            file, said = place["file"], place["said"]
        elif below := _BELOW.match(line):
            said = below["said"]
        else:
            file = named["file"] if (named := _FILE.match(line)) else file
            continue
        rule = next((match["rule"] for form in _RULES if (match := form.search(said))), "")
        if rule and file and not _NO_HABIT.search(rule) and (file, rule) not in seen:
            seen.add((file, rule))
            yield file, rule


def language(file: str) -> str:
    """By the ending; the variants of one language count as that."""
    ending = file.rpartition(".")[2].lower()
    return _VARIANTS.get(ending, ending)


_VARIANTS = {"tsx": "ts", "mts": "ts", "cts": "ts", "jsx": "js", "mjs": "js", "cjs": "js", "pyi": "py"}
