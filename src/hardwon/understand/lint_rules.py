"""The rules that a linter names in its findings: the place first, the rule's name in brackets, at the end or as a code.

Nothing here knows a linter. A name counts only in a line that begins with a place, or below a line that is a file's
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.memory import Anchor, AnchorKind

_PLACE = re.compile(
    r"^\s{0,8}(?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.(?P<ext>[A-Za-z]\w{0,7}):\d+(?::\d+)?:? {1,4}(?P<said>.{0,400})$"
)
_FILE = re.compile(r"^\s{0,3}(?:[\w./\\@+-]{1,300}[/\\])?[\w@+-][\w.@+-]{0,120}\.(?P<ext>[A-Za-z]\w{0,7})\s*$")
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


def anchor(ending: str) -> Anchor:
    """By which the rules of a language are found."""
    return Anchor(AnchorKind.TOPIC, f"lint:.{ending}")


def found(output: str) -> Iterator[tuple[str, str]]:
    """Each rule with the ending of the files that it was met in."""
    ending = ""
    seen: set[tuple[str, str]] = set()
    for line in output.splitlines()[:MOST_LINES]:
        if place := _PLACE.match(line):
            ending, said = place["ext"].lower(), place["said"]
        elif below := _BELOW.match(line):
            said = below["said"]
        else:
            ending = named["ext"].lower() if (named := _FILE.match(line)) else ending
            continue
        rule = next((match["rule"] for form in _RULES if (match := form.search(said))), "")
        if rule and ending and not _NO_HABIT.search(rule) and (ending, rule) not in seen:
            seen.add((ending, rule))
            yield ending, rule
