"""What a session is about when it ends: the request that is being worked at, and what was added to it since.

The first prompt says it only as long as the work did not move on. Whether it did is told by what was done, in no
language: the work was committed, or all of the list is done, and what is asked then is of something else; the agent
made a list of what it was asked last; or the prompt has nothing in common with what was asked and done before. A short
answer is no request.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hardwon.text.common_words import COMMON_WORDS

LONGEST = 220
WORDS, CHARACTERS = 4, 8
"""Fewer are an answer: words, and characters of a script without blanks."""
OF_ANOTHER = 0.34
"""Share of the words of a prompt that the work so far has, up to which it is about something else: after an end."""
OF_NOTHING = 0.12
"""The same in the middle of the work."""
OF_A_LIST = 0.2
"""The same with the request alone, where the agent then made a list."""
_WORD = re.compile(r"[A-Za-zÀ-ÿ0-9_][\w./-]{2,}|[\u3040-\u30ff\u4e00-\u9fff]{2}")
_COMMON = frozenset(COMMON_WORDS.split())
_ASKS = re.compile(r"[?？]\s*$")


@dataclass(slots=True)
class Goal:
    """What was asked, subject by subject."""

    opening: str = ""
    added: list[str] = field(default_factory=list)
    _words: set[str] = field(default_factory=set)
    _is_finished: bool = False

    def asked(self, prompt: str) -> None:
        said = " ".join(prompt.split())
        words = content(said)
        if is_short(said):
            return
        if not self.opening or self._is_new(said, words):
            self._begin(said)
            return
        self._words |= words
        if not _is_question(said):
            self.added.append(said)

    def worked(self, text: str) -> None:
        """What is said and touched meanwhile belongs to the subject."""
        if len(self._words) < 400:
            self._words |= content(text[:600])

    def finished(self, *, really: bool = True) -> None:
        """All of it was done, or committed; or it goes on."""
        self._is_finished = really

    def planned(self, items: str) -> None:
        """The agent made a list of what there is to do: of what was asked last, if that is another subject."""
        last = self.added[-1] if self.added else ""
        words, before = content(last), content(self.opening)
        if len(words) >= WORDS and len(words & before) <= OF_A_LIST * len(words) and words & content(items):
            self._begin(last)

    def _begin(self, said: str) -> None:
        self.opening, self.added, self._words, self._is_finished = said, [], content(said), False

    def _is_new(self, said: str, words: set[str]) -> bool:
        if len(words) < 3 or _is_question(said):
            return False
        share = len(words & self._words) / len(words)
        return not share or (len(words) >= 6 and share < OF_NOTHING) or (self._is_finished and share < OF_ANOTHER)

    def said(self) -> str:
        opening = _cut(self.opening, LONGEST)
        if not self.added:
            return opening
        return f"{opening} — then: {_cut(self.added[-1], LONGEST - 60)}"


def is_short(said: str) -> bool:
    return len(said.split()) < WORDS and (said.isascii() or len(said) < CHARACTERS)


def _is_question(said: str) -> bool:
    """About the work, as a rule."""
    return len(said) < 80 and _ASKS.search(said) is not None


def content(text: str) -> set[str]:
    return {word for word in (one.lower().strip(".-/") for one in _WORD.findall(text)) if word not in _COMMON}


def _cut(text: str, longest: int) -> str:
    """Its first sentences, as far as they fit."""
    if len(text) <= longest:
        return text
    ends = [match.end() for match in re.finditer(r"[.!?。！？](?=\s|$)", text[:longest])]
    return text[: ends[-1]] if ends and ends[-1] > longest // 2 else f"{text[: longest - 1]}…"
