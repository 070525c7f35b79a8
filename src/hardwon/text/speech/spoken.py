"""What a person says themselves in a prompt, sentence by sentence.

Code, quotations, logs and what was pasted are somebody else's words: a page that says "always use X" is no wish of the
person who shows it. Quotations and code inside a sentence stay in their place as one sign each, so that no word of them
is taken for the person's, and come back when a part of the sentence is given out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 400
"""Characters of a sentence; what is longer tells a story."""
MOST = 60
_FIRST_SIGN = 0xE000  # private use: stands in no text that a person types
_SIGNS = 0x1000
SIGN = "\ue000-\uefff"
"""The signs as a range inside of a character class."""

_FENCE = re.compile(r"[ \t]{0,8}(?:`{3,}|~{3,})")
# Each quantifier has a bound: a prompt may hold a megabyte of log.
_HELD = re.compile(
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|«[^»\n]{1,300}»"
    r"|(?<!\w)'[^'\n]{2,300}'(?!\w)"
)
# A line that a machine wrote: a quotation, a log, a trace, a diff, code.
_MACHINE = re.compile(
    r"\s*(?:>|\||<|\{|\}|\$ |% |❯|//|/\*|\*/|#!|@@|\+{3} |-{3} |\+\s?\w+\(|diff --git|at \S+[ (:]|File \"|Traceback"
    r"|\[?\d{4}-\d\d-\d\d|\[\d|\[?\d\d:\d\d|npm (?:ERR|WARN|notice)|error(?:\[|:| TS)|(?:fatal|warning"
    r"|panic|note): |E   |FAILED "
    r"|caused by:|import \w+$|from \S+ import |(?:async )?def \w+\(|class \w+[:({]|(?:const|let|var) \w+ ?="
    r"|\S{0,200}\.\w{1,5}:\d|\w{0,40}(?:Error|Exception): )",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(r"(?: {4}|\t).*|.*[;{}]\s*$")
# What follows such a line was pasted.
_PASTE = re.compile(
    r"(?:\b(?:here(?:'s| is| are)|this is|output|logs?|error|errors|trace(?:back)?|message|says|said|readme|page|docs?"
    r"|documentation|following|got|get|prints?|below|paste[sd]?|issue|ticket|comment|review|email|wrote|text|contents?)"
    r"\b.{0,80}|(?:如下|报错|報錯|日志|日誌|输出|輸出|内容|內容|下面|信息|提示|说|說).{0,10}"
    r"|(?:以下|エラー|ログ|出力|内容|メッセージ|次).{0,10})[:：]\s*$",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*<([A-Za-z][\w-]{0,40})")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_END = re.compile(r"(?<=[.!?…])(?:\s+|$)|(?<=[。！？])")
# A full stop after these ends no sentence.
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl)\.|\b[A-Z]\.)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    sentences: tuple[str, ...]
    """With a sign in the place of each quotation."""
    held: tuple[str, ...] = ()

    def restored(self, text: str) -> str:
        """With the quotations again."""
        return re.sub(f"[{SIGN}]", self._behind, text)

    def _behind(self, sign: re.Match[str]) -> str:
        place = ord(sign[0]) - _FIRST_SIGN
        return self.held[place] if place < len(self.held) else sign[0]


def listen(prompt: str) -> Spoken:
    held: list[str] = []
    sentences: list[str] = []
    for line in _own_lines(prompt):
        covered = _HELD.sub(lambda match: _hold(held, match[0]), line)
        for sentence in split(covered):
            if len(sentence) <= LONGEST:
                sentences.append(sentence)
            if len(sentences) == MOST:
                return Spoken(tuple(sentences), tuple(held))
    return Spoken(tuple(sentences), tuple(held))


def _hold(held: list[str], text: str) -> str:
    if len(held) == _SIGNS:
        return ""
    held.append(text)
    return chr(_FIRST_SIGN + len(held) - 1)


def _own_lines(prompt: str) -> list[str]:
    """Without fenced blocks, machine lines, and whatever follows a line that announces something pasted."""
    found: list[str] = []
    for own, line in lines(prompt):
        if own:
            found.append(without_item(line))
            if _PASTE.search(line):
                break
    return found


def lines(prompt: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether a person can have said it: no fenced block, no machine's line, nothing in a tag."""
    fenced, tag = False, ""
    bare = prompt if prompt.isascii() else re.sub("[\ue000-\uf8ff]", "", prompt)
    for line in bare.replace("’", "'").splitlines():
        own = False
        if _FENCE.match(line):
            fenced = not fenced
        elif tag:
            tag = "" if f"</{tag}" in line else tag
        elif (opening := _TAG.match(line)) and f"</{opening[1]}" in prompt:
            tag = "" if f"</{opening[1]}" in line else opening[1]
        else:
            machine = len(line) > 4_000 or _MACHINE.match(line) or _CODE_LINE.fullmatch(line)
            own = not (fenced or not line.strip() or machine)
        yield own, line


def without_item(line: str) -> str:
    """Without the sign of a list."""
    return _ITEM.sub("", line, count=1).strip()


def split(line: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if not _ABBREVIATED.search(line[start : end.start()]):
            parts.append(line[start : end.start()].strip())
            start = end.end()
    parts.append(line[start:].strip())
    return [part for part in parts if part]


_ASKS = re.compile(r"[?？]\s*$|(?:吗|嗎|呢|么|麼)[。.…]*$|(?:ですか|ますか|でしょうか|かな|のか)[。.…]*$")
_ASKS_FIRST = re.compile(
    r"(?:what|why|how|when|where|who|which|whose|is|are|was|were|does|did|can|could|should|would"
    r"|will|shall|has|have|had"
    r"|isn't|aren't|doesn't|didn't|can't|couldn't|shouldn't|wouldn't|won't)\s+"
    r"(?:the|this|that|it|we|you|i|there|they|a|an|my|our|your|us|if|about)\b|do\s+(?:we|you|i|they)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:if|unless|when|whenever|suppose|assuming|in case|whether)\b|如果|假如|要是|当|當|若|もし|万が一", re.IGNORECASE
)


@lru_cache(maxsize=4)  # several readers of a sentence ask
def asks(sentence: str) -> bool:
    return bool(_ASKS.search(sentence) or _ASKS_FIRST.match(sentence))


@lru_cache(maxsize=4)
def supposes(sentence: str) -> bool:
    """A case and not a wish: "if we had decided …"."""
    return bool(_SUPPOSES.match(sentence))
