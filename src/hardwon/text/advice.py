"""What a text tells one to do: the commands and files that it names, and those that it warns against.

Only by its form. "Run `make db` before `make test`" tells one to run the first; "never `npm install`, use `pnpm
install`" warns against the first; "`make test` fails without `make db`" asks for the second only. What is neither is
left out: whoever follows a memory up must not take the wrong side of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardwon.memory import AnchorKind
from hardwon.text import anchors

LONGEST = 20_000
"""Characters of a text that are read."""
NEAR = 300
"""Characters before and after, within the clause, that say what is meant."""
_QUOTED = re.compile(r"`([^`\n]{2,300})`")
_CLAUSE = re.compile(r"[.;!?,:](?=\s|$)|[\n。；！？，：、()（）]|\s[-–—]\s|\b(?:but|instead(?! of)|so)\b")
_AGAINST = re.compile(
    r"(?i)\b(?:never|not|no|(?:do|does|ca|wo)n['’]?t|cannot|avoid|instead of|rather than|stop|without)\b"
    r"|不要|不能|别|勿|禁止|而不是|ない|せず|禁止"
)
_NEEDED = re.compile(r"(?i)\b(?:without|unless)\s*(?:running\s*)?$|(?:没有|除非)\s*$")
"""Right before a command: it is what was missing."""
_MEANWHILE = re.compile(
    r"(?i)\b(?P<until>before|until)\s*(?:running\s*)?$|\b(?:after|when|whenever|if|while|where|once|for)\s*$|当\s*$"
)
"""Right before a command: it is only said when."""
_WORKS = re.compile(r"(?i)\b(?:work|pass|succeed|fix)(?:s|es|ed)?\s+(?:again\s+|only\s+)?after\s*$")
_ONLY_IF = re.compile(
    r"(?i)\b(?:without|unless|until|before|when|while|if|except|after|on|in|from|as)\b|时|如果|之前|在"
)
"""After a command that is warned against: only then."""
_BROKEN = re.compile(
    r"(?i)\s*(?:\w+\s+)?(?:fail|break|broke|hang|hung|crash|error|panic|(?:do|does|did) not|(?:do|does|did)n['’]?t"
    r"|is (?:wrong|broken|not)|was not|(?:ca|wo)n['’]?t|cannot|needs?\b|requires?\b)"
    r"|\s*会?(?:失败|出错|不行|报错)|\s*[がは]?失敗"
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
    # What is quoted is no word of the sentence; positions stay.
    masked = _QUOTED.sub(lambda match: f"`{'_' * len(match[1])}`", text)
    run: dict[str, None] = {}
    avoid: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        side = _side(masked, match.start(), match.end())
        if side is not None:
            (run if side else avoid)[match[1].strip()] = None
    named = [anchor.value for anchor in anchors.named_in(text) if anchor.kind is AnchorKind.FILE]
    places = {file: text.find(file) for file in dict.fromkeys(named)}
    files = [file for file, at in places.items() if at >= 0 and _side(masked, at, at + len(file))]
    # One that is told both ways ("`x` works, but never `x` on main") is told neither way.
    return Advice(
        tuple(one for one in run if one not in avoid), tuple(one for one in avoid if one not in run), tuple(files)
    )


def _side(text: str, start: int, end: int) -> bool | None:
    """True where it is told to do it, False where it is told not to, None where neither is sure."""
    before = _CLAUSE.split(text[max(0, start - NEAR) : start].rstrip("`"))[-1]
    after = _CLAUSE.split(text[end : end + NEAR].lstrip("`"))[0]
    against = _AGAINST.search(before) is not None
    if _NEEDED.search(before) or _WORKS.search(before):
        return True
    if when := _MEANWHILE.search(before):  # "never push before `make lint`"
        return True if against and when["until"] else None
    if against:
        return None if _ONLY_IF.search(after) else False
    return None if _BROKEN.match(after) else True
