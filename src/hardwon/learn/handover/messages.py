"""What can be told of an agent's message by its form alone, whatever the language.

Boxes that it ticked or left open, a question at its end, and its last words: the list or the paragraph that it ends
with. What these mean is not guessed: they are quoted, as the agent's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 200
LONGEST_QUOTE = 300
MOST_QUOTES = 3
_ITEM = re.compile(r"^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX~>-])\]\s*)?(?P<text>\S.*)")
_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+(?P<hash>.+?)\s*#*|\*\*(?P<bold>[^*]{2,80})\*\*[:：]?|(?P<plain>[^\s.!?`-][^.!?`]{1,60})[:：])\s*$"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'“(A-ZÀ-Ý`0-9])|(?<=[。！？])")
_MARKS = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|\[(?P<said>[^\]]{1,80})\]\([^)]{1,300}\)")
_ASKS = re.compile(r"[?？]\W{0,3}$")


@dataclass(slots=True)
class Said:
    """What one message says, by field."""

    done: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """How it ends, in its order."""


@dataclass(slots=True)
class _Block:
    """A paragraph, or a list, with the heading right above it."""

    heading: str = ""
    lines: list[str] = field(default_factory=list)
    is_list: bool = False

    def quoted(self) -> str:
        text = (" · " if self.is_list else " ").join(self.lines)
        return f"{self.heading}: {text}" if self.heading else text


def read(message: str) -> Said:
    said = Said()
    blocks = list(_blocks(message, said))
    if not blocks:
        return said
    last = blocks[-1]
    if not last.is_list and _ASKS.search(last.lines[-1]):
        said.open.append(_cut(" ".join(sentences(" ".join(last.lines))[-2:]), LONGEST))
        blocks.pop()
    said.words = [_cut(one.quoted(), LONGEST_QUOTE) for one in _ending(blocks)]
    return said


def _ending(blocks: list[_Block]) -> list[_Block]:
    """The sections with headings that it ends with, else its last list or paragraph."""
    count = 0
    while count < min(MOST_QUOTES, len(blocks)) and blocks[-1 - count].heading:
        count += 1
    return blocks[-max(1, count) :]


def _blocks(message: str, said: Said) -> Iterator[_Block]:
    """Without code and tables; what has a box goes to its field."""
    heading, now = "", _Block()
    for line in _prose(message):
        item, head = _ITEM.match(line), _HEADING.match(line)
        is_item = item is not None
        if now.lines and (head or not line.strip() or is_item != now.is_list) and not _continues(now, line):
            yield now
            now, heading = _Block(), ""
        if head:
            heading = _bare(head["hash"] or head["bold"] or head["plain"])
        elif item and item["box"] is not None:
            (said.done if item["box"] in "xX" else said.next).append(_cut(_bare(item["text"]), LONGEST))
        elif line.strip():
            now.heading, now.is_list = heading, is_item or now.is_list
            now.lines.append(_bare(item["text"] if item else line))
    if now.lines:
        yield now


def _continues(block: _Block, line: str) -> bool:
    """An indented line below an item belongs to it."""
    return block.is_list and line.startswith(("  ", "\t")) and bool(line.strip())


def _prose(message: str) -> Iterator[str]:
    is_code = False
    for line in message.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.lstrip().startswith("|"):
            yield line


def sentences(text: str) -> list[str]:
    return [one.strip() for one in _SENTENCE.split(" ".join(text.split())) if one.strip()]


def _bare(text: str) -> str:
    return " ".join(_MARKS.sub(lambda match: match["said"] or "", text).split())


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
