"""A KNOWLEDGE.md or CHECKPOINTS.md: entries with a date, a title and hits, as markdown."""

from __future__ import annotations

from pathlib import Path

from hardwon.memory import Kind
from hardwon.regular_file import regular
from hardwon.store.foreign import Foreign, Gathered
from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry

MOST = 64_000_000
LONGEST = 64_000
"""Bytes of one entry: more is a log, not a lesson."""
MOST_HITS = 10_000
CHECKPOINTS = "CHECKPOINTS.md"


def read(path: Path, skill: str | None, gathered: Gathered) -> None:
    """Add the file's entries; one that can't be read is named with its line, and the others are taken."""
    try:
        with open(path, "rb", opener=regular) as file:
            raw = file.read(MOST + 1)
    except OSError as error:
        gathered.problems.append(f"{path}: can't be read: {error.strerror}")
        return
    if len(raw) > MOST:
        gathered.problems.append(f"{path}: has more than {MOST // 1_000_000} MB")
        return
    if b"\0" in raw:
        gathered.problems.append(f"{path}: contains NUL bytes: it is not text")
        return
    gathered.files.append(str(path))
    kind = Kind.CHECKPOINT if path.name == CHECKPOINTS else Kind.LESSON
    entries = knowledge_entries.parse(raw.decode("utf-8", "surrogateescape")).entries
    for order, entry in enumerate(entries):
        where = f"{path}:{entry.line}"
        if problem := _problem(entry):
            gathered.problems.append(f"{where}: {problem}")
        elif not entry.is_placeholder:
            gathered.found.append(_foreign(entry, where, skill, kind, order))


def _problem(entry: Entry) -> str:
    if any("\udc80" <= character <= "\udcff" for character in entry.text + entry.title):
        return "not UTF-8"
    if not entry.text:
        return "an entry without text"
    if len(entry.text.encode()) > LONGEST:
        return f"an entry of more than {LONGEST // 1000} KB"
    return ""


def _foreign(entry: Entry, where: str, skill: str | None, kind: Kind, order: int) -> Foreign:
    return Foreign(
        body=entry.text,
        where=where,
        skill=skill,
        title=entry.title,
        kind=kind,
        created_at=knowledge_entries.moment(entry.date),
        hits=min(entry.hits, MOST_HITS),
        order=order,
    )


def skill_of(path: Path) -> str | None:
    """The skill that a file in its usual place is about; None in any other."""
    folder = path.absolute().parent
    usual = folder.parent.name in ("skills", "skill-knowledge") and path.name in ("KNOWLEDGE.md", CHECKPOINTS)
    return folder.name if usual else None


def is_global(path: Path) -> bool:
    """Whether this is the file of what holds for every skill."""
    return path.name == "skills-knowledge.md" or path.absolute().parent.name == "global"
