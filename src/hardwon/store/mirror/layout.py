"""A KNOWLEDGE.md as sections: which project a bullet stands under, and the file again with other bullets.

`## Project: NAME` begins the lessons of one project; what stands under any other heading of the first two levels, or
under none, holds everywhere. Prose, order, line ends and the byte order mark stay as they are; bullets that did not
change keep their bytes.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from hardwon.memory import GLOBAL
from hardwon.store.mirror.merge import Bullet
from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry, Prose

_HEADING = re.compile(r"#{1,2}[ \t]+\S")
_PROJECT = re.compile(r"##[ \t]+Project:[ \t]*(.*\S)")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_TRAILER = re.compile(r"\n?^<!-- hardwon: version (\d{1,9})(.*?) -->(?:\n|\Z)", re.MULTILINE)
"""The last line of a file: which version of ours it was made from."""


@dataclass(slots=True)
class Section:
    heading: str = ""
    """Its line, with its end; empty for what stands before the first heading."""
    name: str = ""
    """The project that the heading names."""
    project: str | None = GLOBAL
    """None: no project is called so, and its bullets are left alone."""
    parts: list[tuple[int, Entry | Prose]] = field(default_factory=list)
    """Each with its index in the file."""

    @property
    def has_entries(self) -> bool:
        return any(isinstance(part, Entry) for _, part in self.parts)


@dataclass(slots=True)
class Document:
    sections: list[Section]
    newline: str = "\n"
    mark: str = ""
    plain: str = ""
    """Its text without the byte order mark and the last line, with plain line ends."""
    version: int | None = None
    """The one that it was made from; None when somebody has taken that line out."""
    more: str = ""

    def bullets(self) -> list[Bullet]:
        return [
            Bullet(index, section.project, part.title, part.text)
            for section in self.sections
            for index, part in section.parts
            if isinstance(part, Entry) and section.project is not None and not part.is_placeholder
        ]

    def entry(self, index: int) -> Entry:
        found = next(part for section in self.sections for at, part in section.parts if at == index)
        assert isinstance(found, Entry)
        return found

    def project(self, index: int) -> str:
        """The one whose heading a bullet stands under."""
        return next(one.project or GLOBAL for one in self.sections for at, _ in one.parts if at == index)

    @property
    def unknown(self) -> list[str]:
        """Projects that headings name and nobody knows."""
        return [section.name for section in self.sections if section.project is None]


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory as the file shall show it."""

    id: str
    project: str
    entry: Entry


def read(text: str, projects: Mapping[str, str]) -> Document:
    """`projects` has the id of each project by its name."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    plain = re.sub(r"\r\n?", "\n", text.removeprefix(mark))
    trailers = [(int(found[1]), found[2]) for found in _TRAILER.finditer(plain)]
    plain = _TRAILER.sub("", plain)
    # With several, one was pasted from another file: the older is the more careful guess.
    version, more = min(trailers, default=(None, ""))
    document = Document([Section()], newline, mark, plain, version, more)
    for index, part in enumerate(_parts(plain)):
        if isinstance(part, Prose) and _HEADING.match(part.text):
            document.sections.append(_section(part.text, projects))
        else:
            document.sections[-1].parts.append((index, part))
    return document


def _parts(plain: str) -> Iterator[Entry | Prose]:
    """The pieces of the file, each heading a piece of its own."""
    for piece in knowledge_entries.parse(plain).pieces:
        if isinstance(piece, Entry):
            yield piece
            continue
        fenced, lines = False, ""
        for line in re.split(r"(?<=\n)", piece.text):
            fenced ^= bool(_FENCE.match(line))
            if _HEADING.match(line) and not fenced:
                if lines:
                    yield Prose(lines)
                yield Prose(line)
                lines = ""
            else:
                lines += line
        if lines:
            yield Prose(lines)


def _section(heading: str, projects: Mapping[str, str]) -> Section:
    named = _PROJECT.match(heading)
    return Section(heading, named[1], projects.get(named[1])) if named else Section(heading)


def fresh(title: str) -> Document:
    """A file that is not there yet."""
    text = (
        f"# {' '.join(title.split())}\n\n"
        "<!-- Written and read by hardwon. Change a bullet, add one, delete one: it is taken in when the next session\n"
        "begins, or by `hardwon mirror`. The dates and the [HIT:n] are hardwon's own. -->\n\n"
    )
    return read(text, {})


def arrange(
    document: Document,
    owners: Mapping[int, str],
    left: Set[int],
    shown: Sequence[Shown],
    names: Mapping[str, str],
) -> tuple[str, list[str]]:
    """The file's text without its last line, and the memories in it from top to bottom.

    `owners` says which memory each bullet is; those that are nobody's go, unless they are `left` as they are. `names`
    has the name of each project by its id.
    """
    waiting = {one.id: one for one in shown}
    sections = [_arranged(section, owners, left, waiting, names) for section in document.sections]
    _place(sections, waiting.values(), names)
    order = [id for section in sections for id, _ in section.lines if id]
    text, apart = "", False
    for section in (one for one in sections if not one.is_idle):
        text = _joined(text + (_gap(text) if section.is_new or apart else ""), section)
        apart = section.has_grown
    return text + ("\n" if text and not text.endswith("\n") else ""), order


def finished(document: Document, text: str, version: int, more: str) -> str:
    """The bytes to write: with the line that says which version this is."""
    whole = f"{text.rstrip(chr(10))}\n\n<!-- hardwon: version {version}{more} -->\n"
    return document.mark + whole.replace("\n", document.newline)


def more_than_shown(count: int) -> str:
    return f"; {count:,} more are not in this file, `hardwon list` shows them" if count else ""


@dataclass(slots=True)
class _Lines:
    """A section as it will stand: each piece with the memory it is, or nobody's."""

    heading: str
    project: str | None
    lines: list[tuple[str, str]]
    had_entries: bool
    is_new: bool = False
    has_grown: bool = False
    """Its last line is an entry that was not there before: the next heading stands apart from it."""

    @property
    def is_idle(self) -> bool:
        """The heading of a project that has nothing left to say."""
        return bool(
            self.project not in (None, GLOBAL)
            and self.had_entries
            and not any(id or text.strip() for id, text in self.lines)
        )

    @property
    def end_of_entries(self) -> int:
        """Where another entry goes: behind the last one, or behind everything."""
        return max((at + 1 for at, (id, _) in enumerate(self.lines) if id), default=len(self.lines))


def _arranged(
    section: Section,
    owners: Mapping[int, str],
    left: Set[int],
    waiting: dict[str, Shown],
    names: Mapping[str, str],
) -> _Lines:
    lines: list[tuple[str, str]] = []
    for index, part in section.parts:
        if isinstance(part, Prose) or section.project is None or index in left:
            lines.append(("", part.text if isinstance(part, Prose) else part.source))
            continue
        id = owners.get(index, "")
        if id in waiting and waiting[id].project == section.project:
            lines.append((id, _written(part, waiting.pop(id).entry)))
    heading = section.heading
    name = names.get(section.project or "", section.name)
    if section.name and name != section.name:
        heading = _heading(name)
    return _Lines(heading, section.project, lines, section.has_entries)


def _written(before: Entry, now: Entry) -> str:
    """With the bytes that it had, if it still says the same."""
    same = dataclasses.replace(before, text=now.text, title=now.title, date=now.date, hits=now.hits)
    return line_of(same)


def line_of(entry: Entry) -> str:
    """A checkpoint has the time of day, and no count."""
    return knowledge_entries.written(entry, with_hits=":" not in entry.date)


def _heading(name: str) -> str:
    return f"## Project: {name}\n"


def _place(sections: list[_Lines], new: Iterable[Shown], names: Mapping[str, str]) -> None:
    """Entries that have no place yet go behind the last of their section."""
    for one in new:
        section = _home(sections, one.project)
        if section is None:
            section = _Lines(_heading(names.get(one.project, one.project)), one.project, [], False, True)
            sections.append(section)
        at = section.end_of_entries
        if not (at and section.lines[at - 1][0]):  # behind prose, or behind the heading
            before = section.heading + "".join(text for _, text in section.lines[:at])
            section.lines.insert(at, ("", _gap(before)))
            at += 1
        section.lines.insert(at, (one.id, line_of(one.entry)))
        section.has_grown = section.has_grown or at == len(section.lines) - 1


def _gap(before: str) -> str:
    """What makes a blank line behind this text."""
    if not before or before.endswith("\n\n"):
        return ""
    return "\n" if before.endswith("\n") else "\n\n"


def _home(sections: list[_Lines], project: str) -> _Lines | None:
    there = [section for section in sections if section.project == project]
    with_entries = [section for section in there if any(id for id, _ in section.lines)]
    with_heading = [section for section in there if section.heading]
    return next(iter((*with_entries, *with_heading, *there)), None)


def _joined(text: str, section: _Lines) -> str:
    for part in (section.heading, *(part for _, part in section.lines)):
        text += ("\n" if part and text and not text.endswith("\n") else "") + part
    return text
