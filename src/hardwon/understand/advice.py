"""What a text tells one to do: the commands and files that it names, and those that it warns against.

Only by its form. "Run `make db` before `make test`" tells one to run both; "never `npm install`, use `pnpm install`"
warns against the first; "`make test` fails without `make db`" says nothing about running the first and asks for the
second. What is neither is left out: whoever follows a memory up must not take the wrong side of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardwon.memory import AnchorKind
from hardwon.understand import anchors

LONGEST = 20_000
"""Characters of a text that are read."""
_QUOTED = re.compile(r"`([^`\n]{2,300})`")
_CLAUSE = re.compile(r"[.;!?,:](?=\s|$)|[\n。；！？，：、()（）]|\s[-–—]\s|\b(?:but|instead(?! of)|so)\b")
_AGAINST = re.compile(
    r"(?i)\b(?:never|not|no|don['’]?t|doesn['’]?t|avoid|instead of|rather than|stop|without|cannot|can['’]?t|won['’]?t)\b"
    r"|不要|不能|别|勿|禁止|而不是|ない|せず|禁止"
)
_NEEDED = re.compile(r"(?i)\b(?:without|unless|until|before|except with)\s*(?:running\s*)?$|(?:没有|除非|之前)\s*$")
"""Right before a command: it is what was missing."""
_ONLY_IF = re.compile(r"(?i)\b(?:without|unless|until|before|when|while|if|except|after|on|in|from|as)\b|时|如果|之前|在")
"""After a command that is warned against: only then."""
_BROKEN = re.compile(
    r"(?i)\s*(?:\w+\s+)?(?:fail|break|broke|hang|hung|crash|error|panic|does not|doesn['’]?t|do not|did not|is (?:wrong|broken|not)"
    r"|was not|won['’]?t|can['’]?t|cannot|needs|need|requires)|\s*(?:会)?(?:失败|出错|不行|报错)|\s*(?:が|は)?失敗"
)
"""Right after a command: it is what goes wrong."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Commands as they are written there, files as the project knows them."""

    run: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def given(text: str) -> Advice:
    text = text[:LONGEST]
    run: dict[str, None] = {}
    avoid: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        side = _side(text, match.start(), match.end())
        if side is not None:
            (run if side else avoid)[match[1].strip()] = None
    named = [anchor.value for anchor in anchors.named_in(text) if anchor.kind is AnchorKind.FILE]
    files = [file for file in dict.fromkeys(named) if _is_for(text, file)]
    # One that is told both ways ("`x` works, but never `x` on main") is told neither way.
    return Advice(
        tuple(one for one in run if one not in avoid), tuple(one for one in avoid if one not in run), tuple(files)
    )


def _is_for(text: str, file: str) -> bool:
    at = text.find(file)
    return at >= 0 and _side(text, at, at + len(file)) is True


def _side(text: str, start: int, end: int) -> bool | None:
    """True where it is told to do it, False where it is told not to, None where neither is sure."""
    before = _CLAUSE.split(_QUOTED.sub("``", text[:start][-300:]))[-1]
    after = _CLAUSE.split(_QUOTED.sub("``", text[end : end + 300]))[0]
    if _NEEDED.search(before):
        return True
    if _AGAINST.search(before):
        return None if _ONLY_IF.search(after) else False
    return None if _BROKEN.match(after) else True
