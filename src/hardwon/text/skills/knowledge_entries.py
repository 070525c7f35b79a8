"""A KNOWLEDGE.md as pieces: its entries, and the prose around them.

An entry is a bullet at the margin, `- [2026-03] [title] text  [HIT:4]`, with every line that belongs to it: indented
ones, lines that simply go on, nested bullets, a fenced block. All else is prose and stays as it is. What was parsed
and not changed is rendered byte for byte; `read(written(entry))` gives the entry back.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Entry:
    text: str
    title: str = ""
    date: str = ""
    """As it stands in the brackets: "2026-03", in a CHECKPOINTS.md "2026-03-14 09:30:00"; empty when there is none."""
    hits: int = 0
    line: int = field(default=0, compare=False)
    """Where it begins in its file, from 1."""
    source: str = field(default="", compare=False, repr=False)
    """The lines it was read from."""

    @property
    def month(self) -> str:
        return self.date[:7]

    @property
    def is_placeholder(self) -> bool:
        """The line that stands in a file without lessons."""
        return self.title.casefold() == "placeholder"


@dataclass(frozen=True, slots=True)
class Prose:
    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class File:
    pieces: tuple[Entry | Prose, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Entry))


def parse(text: str) -> File:
    lines = [line for line in re.split(r"(?<=\n)", text) if line]
    pieces: list[Entry | Prose] = []
    prose: list[str] = []
    at = _frontmatter(lines)
    prose += lines[:at]
    while at < len(lines):
        end = _end_of_entry(lines, at) if _BULLET.match(lines[at]) else at
        if end > at:
            _add_prose(pieces, prose, at)
            pieces.append(read("".join(lines[at:end]), at + 1))
            prose = []
        else:
            end = _end_of_block(lines, at)
            prose += lines[at:end]
        at = end
    _add_prose(pieces, prose, at)
    return File(tuple(pieces))


def _add_prose(pieces: list[Entry | Prose], prose: list[str], end: int) -> None:
    if prose:
        pieces.append(Prose("".join(prose), end - len(prose) + 1))


_BULLET = re.compile(r"\ufeff?( ?[-*+])([ \t]+)(?=\S)(?!(?:[-*_][ \t]*){2,}$)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_NOT_GOING_ON = re.compile(r"\s*$|#{1,6}[ \t]|\d{1,3}[.)][ \t]|[|>]|<!--|(?:[-*_][ \t]*){3,}$|(?:=+|-+)[ \t]*$")
"""What ends an entry when it stands at the margin; any other line there simply goes on."""


def _frontmatter(lines: list[str]) -> int:
    """How many lines the settings at the top take."""
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    ends = (index + 1 for index, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
    return next(ends, 0)


def _end_of_block(lines: list[str], at: int) -> int:
    """Past one line of prose; a fenced block or a comment is one whole, so that bullets in it are no entries."""
    if _FENCE.match(lines[at]):
        return _end_of_fence(lines, at)
    if lines[at].lstrip().startswith("<!--"):
        return next((index + 1 for index in range(at, len(lines)) if "-->" in lines[index]), at + 1)
    return at + 1


def _end_of_fence(lines: list[str], at: int) -> int:
    """Past the closing fence. One that is never closed is taken for a slip: only its own line is it then."""
    opening = _FENCE.match(lines[at])
    assert opening
    closing = re.compile(rf"[ \t]*{re.escape(opening[1][0])}{{{len(opening[1])},}}\s*$")
    return next((index + 1 for index in range(at + 1, len(lines)) if closing.match(lines[index])), at + 1)


def _end_of_entry(lines: list[str], at: int) -> int:
    end = at = at + 1
    while at < len(lines):
        line = lines[at]
        if not line.strip():  # it may be a paragraph's end within the entry: what follows decides
            at += 1
            continue
        inside = line[:2].isspace() or line[0] == "\t"
        if not inside and (at > end or _BULLET.match(line) or _FENCE.match(line) or _NOT_GOING_ON.match(line)):
            break
        end = at = _end_of_fence(lines, at) if _FENCE.match(line) else at + 1
    return end


_DATE = re.compile(r"\[(\d{4}-\d{2}(?:-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?)?)\](?:\s+|$)")
_TITLE = re.compile(r"\[((?:\\[\[\]\\]|[^\[\]\\]|\\|\[[^\[\]]*\])+)\](?:\s+|$)")
_ESCAPED = re.compile(r"\\+\[")
_HITS = re.compile(r"[ \t]*\[HIT:(\d{1,9})\]\s*$", re.IGNORECASE)
_TICKED = frozenset({"", "x", "X"})


def read(source: str, line: int = 0) -> Entry:
    """One entry from its lines, with or without the bullet."""
    first, *rest = source.rstrip().split("\n")
    bullet = _BULLET.match(first)
    body = first[bullet.end() :] if bullet else first.strip()
    lines = [body.rstrip(), *(_dedented(one, bullet.end() if bullet else len(_INDENT)) for one in rest)]
    hits = _take_hits(lines)
    date, title, lines[0] = _take_brackets(lines[0])
    text = "\n".join(lines).strip()
    return Entry(text, title, date, hits, line, source)


def _dedented(line: str, width: int) -> str:
    flat = line.rstrip().expandtabs(4)
    return flat[min(width, len(flat) - len(flat.lstrip())) :]


def _take_hits(lines: list[str]) -> int:
    for index in (len(lines) - 1, 0):
        if found := _HITS.search(lines[index]):
            lines[index] = lines[index][: found.start()]
            return int(found[1])
    return 0


def _take_brackets(first: str) -> tuple[str, str, str]:
    """Date, title and what is left. A link, a tick box and an escaped bracket are text."""
    date = title = ""
    if found := _DATE.match(first):
        date, first = found[1], first[found.end() :]
    if (found := _TITLE.match(first)) and found[1].strip() not in _TICKED:
        title, first = _unescaped(found[1]).strip(), first[found.end() :]
    return date, title, first[1:] if _ESCAPED.match(first) else first


def _unescaped(title: str) -> str:
    return re.sub(r"\\([\[\]\\])", r"\1", title)


def render(pieces: Iterable[Entry | Prose]) -> str:
    """The file again; an entry that follows a last line without an end begins a line of its own."""
    text = ""
    for piece in pieces:
        part = piece.text if isinstance(piece, Prose) else written(piece)
        text += ("\n" if text and not text.endswith("\n") else "") + part
    return text


def written(entry: Entry, *, with_hits: bool = True) -> str:
    """The lines of an entry: those it was read from while they still say the same. A CHECKPOINTS.md has no hits."""
    if entry.source and read(entry.source) == entry:
        return entry.source
    first, *rest = entry.text.split("\n")
    if _ESCAPED.match(first) or _take_brackets(first) != ("", "", first):
        first = f"\\{first}"
    brackets = [f"[{entry.date}]"] if entry.date else []
    if entry.title:
        brackets.append(f"[{_escaped(entry.title)}]")
    lines = [" ".join(["-", *brackets, first]).rstrip(), *(f"{_INDENT}{one}" if one.strip() else "" for one in rest)]
    if with_hits:
        # On the line of a fence it would be part of it.
        where = 0 if _FENCE.match(lines[-1]) else -1
        lines[where] += f"  [HIT:{entry.hits}]"
    return "\n".join(lines) + "\n"


def _escaped(title: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", " ".join(title.split()))


def moment(date: str) -> int | None:
    """The UTC milliseconds at which a date of an entry begins; None when it is none."""
    parts = [int(part) for part in re.findall(r"\d+", date)]
    if len(parts) < 2:
        return None
    if len(parts) == 2:
        parts.append(1)
    try:
        return int(datetime.datetime(*parts, tzinfo=datetime.UTC).timestamp() * 1000)  # type: ignore[misc,arg-type]
    except ValueError:
        return None
