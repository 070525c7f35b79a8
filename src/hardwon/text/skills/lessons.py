"""Lessons out of a text: what stands under a heading that says so.

A session's summary, or the whole session, holds much that is not worth keeping. Only sections whose heading speaks of
lessons are read: their bullets and numbered items, each with the lines and the nested bullets that belong to it, and
plain lines of the length of a sentence. Nothing is guessed from the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardwon.memory import normalise
from hardwon.text.skills import knowledge_entries

HEADINGS = "Lessons, Takeaways, Insights, Learnings, 经验, 教训, 沉淀, 总结"
"""What is looked for, as it is said to people."""

_NAMES_LESSONS = re.compile(
    r"(?<![a-z])(?:lessons?|take-?aways?|insights?|learnings)(?![a-z])|[经經][验驗]|教[训訓]|沉[淀澱]|[总總][结結]",
    re.IGNORECASE,
)
_SHORTEST, _LONGEST = 12, 220
"""Characters of a plain line: less is a label, more a paragraph that tells a story."""
_LONGEST_ITEM = 8_000
_BOLD = 7
"""The level of a line in bold: below every heading with a sign."""


@dataclass(frozen=True, slots=True)
class Lesson:
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    lessons: tuple[Lesson, ...]
    left_over: int = 0
    """How many more there are than were wanted."""
    sections: int = 0
    """How many sections were read."""


def find(texts: Iterable[str], most: int = 3) -> Found:
    """The first lessons of these texts; each text begins outside of every section."""
    kept: list[Lesson] = []
    seen: set[str] = set()
    sections = left_over = 0
    for text in texts:
        if not _NAMES_LESSONS.search(text):
            continue
        for section in _sections(text):
            sections += 1
            for lesson in map(_lesson, _items(section)):
                key = normalise(lesson.text)
                if not _says_something(lesson) or key in seen:
                    continue
                seen.add(key)
                if len(kept) < most:
                    kept.append(lesson)
                else:
                    left_over += 1
    return Found(tuple(kept), left_over, sections)


_NOTHING = frozenset({"none", "n/a", "na", "nothing", "nil", "tbd", "无", "無", "没有", "沒有", "暂无", "暫無"})


def _says_something(lesson: Lesson) -> bool:
    bare = normalise(lesson.text).rstrip(".!。！ ")
    return len(lesson.text) <= _LONGEST_ITEM and bare not in _NOTHING and any(map(str.isalnum, bare))


def _lesson(item: str) -> Lesson:
    """A lesson may come in the form of an entry, with a date and a title in brackets."""
    bare = re.sub(r"^\[[ xX]\]\s+", "", item).replace("\n", "\n  ")
    entry = knowledge_entries.read(f"- {bare}")
    return Lesson(entry.text, entry.title)


_SIGNED = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$")
_IN_BOLD = re.compile(r" {0,3}(\*\*|__)(?=\S)((?:(?!\1).)+)\1[ \t]*[:：]?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    level: int = 0
    """Of a heading, 1 to 7."""
    in_fence: bool = False


def _sections(text: str) -> Iterator[list[_Line]]:
    """The lines under each heading that names lessons, up to the next heading that is not below it."""
    section: list[_Line] = []
    level = 0
    for line in _lines(text):
        if line.level and not (level and line.level > level):
            if section:
                yield section
            section = []
            level = line.level if _NAMES_LESSONS.search(line.text) else 0
        elif level:
            section.append(line)
    if section:
        yield section


def _lines(text: str) -> Iterator[_Line]:
    lines = text.splitlines()
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if fence or (opening := _FENCE.match(line)):
            fence = _after(fence, line) if fence else opening[1]  # type: ignore[index]
            yield _Line(line, in_fence=True)
        elif signed := _SIGNED.match(line):
            yield _Line(signed[2] or "", len(signed[1]))
        elif bold := _IN_BOLD.match(line):
            yield _Line(bold[2], _BOLD)
        elif at < len(lines) and _is_underlined(line, lines[at]):
            yield _Line(line.strip(), 1 if "=" in lines[at] else 2)
            at += 1
        else:
            yield _Line(line)


def _after(fence: str, line: str) -> str:
    """The fence that is still open after this line."""
    bare = line.strip()
    return "" if bare.startswith(fence) and set(bare) == {fence[0]} else fence


def _is_underlined(line: str, below: str) -> bool:
    return bool(line.strip()) and not _ITEM.match(line) and bool(_UNDERLINE.match(below))


_ITEM = re.compile(r"([ \t]*)(?:[-*+•·‣–]|\d{1,3}(?:[.)]|、))(?:[ \t]+|(?<=、))(?=\S)")


def _items(section: list[_Line]) -> Iterator[str]:
    """Bullets and numbered items whole, and plain lines that could be a sentence."""
    item: list[str] = []
    depth = width = 0
    after_blank = False
    for line in section:
        flat = line.text.expandtabs(4).rstrip()
        indent = len(flat) - len(flat.lstrip())
        start = None if line.in_fence or line.level else _ITEM.match(flat)
        belongs = bool(item) and (indent > depth or (not start and not after_blank and not line.level))
        if not flat:
            after_blank = True
            if line.in_fence and item:
                item.append("")
            continue
        if belongs:
            _go_on(item, flat, width, is_own_line=bool(start) or line.in_fence)
        else:
            if item:
                yield "\n".join(item)
            item = [flat[start.end() :]] if start else []
            depth, width = indent, start.end() if start else 0
            if not start and not line.in_fence and not line.level and _SHORTEST <= len(flat.strip()) <= _LONGEST:
                yield flat.strip()
        after_blank = False
    if item:
        yield "\n".join(item)


def _go_on(item: list[str], line: str, width: int, *, is_own_line: bool) -> None:
    """Nested bullets and code keep their lines; what was only wrapped becomes one line again."""
    bare = line.strip()
    if is_own_line or item[-1] == "" or _FENCE.match(item[-1]):
        indent = len(line) - len(line.lstrip())
        item.append(" " * max(0, indent - width) + bare)
    else:
        item[-1] = _joined(item[-1], bare)


def _joined(one: str, other: str) -> str:
    """Chinese and Japanese lines are joined without a blank."""
    wide = all(character >= "⺀" for character in (one[-1:], other[:1]))
    return one + ("" if wide else " ") + other
