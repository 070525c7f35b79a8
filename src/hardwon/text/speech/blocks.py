"""A prompt by its sentences, each with how sure it is that the person at the keyboard said it themselves.

What is fenced, quoted with `>`, tagged, or written as machines write is somebody else's. What stands below a line that
shows something ("look at this:"), among headings and tables, or in the middle of a very long prompt may be pasted: it
may be the person's own, and a person will say so. A terminal tells of long pastes only
(`clients/claude_code/typed.py`), so all of this goes by form, and errs towards asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from hardwon.text.speech import spoken

LONG = 1_200
"""Characters of a prompt that is mostly not typed."""
MANY_LINES = 20
SHORT = 300
"""Characters of a paragraph that is one statement."""
SHOWS = 160
"""Characters of a line that shows what stands below it."""


class Hand(StrEnum):
    """Whose words."""

    OWN = "own"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    block: int
    """Sentences of one paragraph have the same number."""
    hand: Hand = Hand.OWN


def sentences(prompt: str) -> list[Sentence]:
    """What the person may have said, in order; what is plainly somebody else's is not in it."""
    found = list(_read(prompt))
    typed = "\n".join(one.text for one in found)
    if len(typed) > LONG or typed.count("\n") > MANY_LINES:
        return [one if at in (0, len(found) - 1) else _unsure(one) for at, one in enumerate(found)]
    return found


def _unsure(one: Sentence) -> Sentence:
    return Sentence(one.text, one.block, Hand.UNSURE)


def _read(prompt: str) -> Iterator[Sentence]:
    block, hand, lines = 0, Hand.OWN, 0
    for own, line in spoken.lines(prompt):
        if not own:
            block += 1
            continue
        if _PAGE.match(line):  # a heading, a table, a mail's head: from here on it is a page
            hand = Hand.UNSURE
        for text in spoken.split(spoken.without_item(line)):
            yield Sentence(text, block, hand)
        lines += 1
        if _shows(line, first=lines == 1):
            hand, block = Hand.UNSURE, block + 1


def _shows(line: str, *, first: bool) -> bool:
    """Whether something else may follow on the next lines: it ends with a colon, or is a short opening that points."""
    bare = line.rstrip()
    return bare.endswith((":", "：")) or (first and len(bare) <= SHOWS and _POINTS.search(bare) is not None)


_POINTS = re.compile(
    r"(?i)\b(?:this|these|below|following|pasted?|attached|summari[sz]e|translate|review|explain|read)\b"
    r"|这|這|以下|下面|如下|总结|翻译|これ|以下|次の|要約|翻訳|\b(?:esto?|esta|dies(?:e[rsmn]?)?|folgende\w*|isto|questo)\b"
)
_PAGE = re.compile(
    r"\s*(?:#{1,6} \S|\|.*\||={3,}\s*$|-{3,}\s*$|\*{3,}\s*$"
    r"|(?:From|To|Cc|Subject|Date|Von|An|Betreff|De|Para|Asunto): \S"
    r"|</?\w|!?\[[^\]]{0,200}\]\(|\w+ wrote:|> )"
)
