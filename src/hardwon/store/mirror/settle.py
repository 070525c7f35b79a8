"""Making the files of a skill and its memories say the same again.

Everything about one skill happens in one transaction, the renaming of its files last. A process that dies in between
leaves a new file and old tables: the next one finds bullets that are exactly the memories, and nothing to take in. So
what the tables say can be older than the file, never newer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from hardwon.memory import GLOBAL, Kind, Memory, Status, Trust
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.mirror import disk, layout, merge, tables
from hardwon.store.mirror.disk import Seen
from hardwon.store.mirror.layout import Document, Shown
from hardwon.store.mirror.merge import Known, Merge
from hardwon.store.mirror.tables import Base, Entry, MirrorFile
from hardwon.store.mirror.take_in import Change, TakenIn, Taker, entry_of
from hardwon.store.tables import memories
from hardwon.text.skills.knowledge_entries import Entry as Bullet

ATTEMPTS = 5
"""How often a file is read again that somebody writes at the same time."""


class Answer(StrEnum):
    """What to do about a file that lost everything or most of it."""

    LEAVE = "leave"
    ARCHIVE = "archive"
    WRITE = "write"


@dataclass(slots=True)
class Settled:
    file: str
    skill: str = ""
    changes: list[Change] = field(default_factory=list)
    written: bool = False
    shown: int = 0
    gone: int = 0
    """Bullets that are missing and were not archived, because somebody should be asked."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class How:
    """On whose behalf, and how far to go."""

    now: int
    who: Trust = Trust.AGENT
    answer: Answer = Answer.LEAVE
    only_look: bool = False
    asked: bool = False
    """By a command of its own, which `undo` then takes back."""


class _ChangedMeanwhile(Exception):
    """Somebody has written the file since it was read."""


class _OnlyLooking(Exception):
    """Nothing of it is to stay."""


def settle(store: Store, skill: str, how: How) -> list[Settled]:
    """Take in what the skill's files say and write what has changed. The caller has the lock, unless it only looks."""
    files = tables.files_of(store, skill)
    for _ in range(ATTEMPTS):
        done: list[Settled] = []
        try:
            with store.transaction():
                done = [_settled(store, file, how) for file in files]
                tables.forget_due(store, skill)
                if how.only_look:
                    raise _OnlyLooking
        except _ChangedMeanwhile:
            continue
        except _OnlyLooking:
            pass
        return done
    return [Settled(file.name, problem=f"{file.path(store.home)} is written all the time") for file in files]


def _settled(store: Store, file: MirrorFile, how: How) -> Settled:
    done = Settled(file.name, file.skill)
    path = file.path(store.home)
    seen = disk.read(path)
    if seen.problem:
        done.problem = seen.problem
        return done
    base = tables.base(store, file)
    document = None if seen.text is None else layout.read(seen.text, _ids(store, base))
    before = tables.entries(store, file, base, document.version if document else None)
    view = _view(store, file)
    merged = _merged(store, file, before, view, document)
    if merged.asks and how.answer is Answer.LEAVE:
        done.gone = len(merged.deleted)
        return done
    if merged.asks and how.answer is Answer.WRITE:
        merged.deleted.clear()
    taken = Taker(store, file, how.who, how.now).take_in(document or Document([]), merged)
    done.changes = taken.changes
    if document and document.unknown:
        done.problem = f'{path}: no project is called "{document.unknown[0]}"; what stands under it is left alone'
    if taken.changes:
        view = _view(store, file)
    if document or view.shown:
        _write(store, file, how, seen, document or layout.fresh(_title(file)), taken, view, done)
    return done


@dataclass(frozen=True, slots=True)
class _View:
    """What the file shall show."""

    memories: dict[str, Memory]
    shown: list[Shown]
    more: int


def _view(store: Store, file: MirrorFile) -> _View:
    chosen, more = tables.shown(store, file, store.settings.mirror.most)
    shown = [Shown(one.id, one.scope.project, entry_of(one, hits, store.redactor)) for one, hits in chosen]
    return _View({one.id: one for one, _ in chosen}, shown, more)


def _merged(store: Store, file: MirrorFile, entries: Sequence[Entry], view: _View, document: Document | None) -> Merge:
    home = {project: projects.canonical(store, project) for project in {one.project for one in entries}}
    before = {one.memory: (home[one.project], one.mark) for one in entries}
    others = memories.by_ids(store, [id for id in before if id not in view.memories])
    there = [(memory, entry_of(memory, 0, store.redactor)) for memory in others.values()]
    there += [(view.memories[one.id], one.entry) for one in view.shown]
    known = {
        memory.id: _known(file, memory, entry, memory.id in view.memories, before.get(memory.id))
        for memory, entry in there
    }
    for id, (project, mark) in before.items():  # one that was forgotten is in no table: its bullet goes with it
        known.setdefault(id, Known(id, project, "", "", live=False, base=mark, base_project=project))
    ordered = [known[id] for id in dict.fromkeys((*before, *known))]
    return merge.merge(ordered, document.bullets() if document else None)


def _known(file: MirrorFile, memory: Memory, entry: Bullet, fits: bool, before: tuple[str, bytes] | None) -> Known:
    return Known(
        id=memory.id,
        project=memory.scope.project,
        title=entry.title,
        text=entry.text,
        live=memory.status is Status.ACTIVE and memory.kind is file.kind and (memory.scope.skill or "") == file.skill,
        fits=fits,
        base=before[1] if before else None,
        base_project=before[0] if before else "",
    )


def _ids(store: Store, base: Base) -> dict[str, str]:
    """The project that a heading means: first the one for which we wrote it."""
    known = {_one_line(project.name): project.id for project in projects.listed(store)}
    written = {name: projects.canonical(store, id) for name, id in base.projects.items()}
    return known | written


def _names(store: Store, view: _View) -> dict[str, str]:
    ids = {one.project for one in view.shown} - {GLOBAL}
    found = {id: projects.get(store, id) for id in sorted(ids)}
    return {id: _one_line(project.name if project else id) for id, project in found.items()}


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _write(
    store: Store,
    file: MirrorFile,
    how: How,
    seen: Seen,
    document: Document,
    taken: TakenIn,
    view: _View,
    done: Settled,
) -> None:
    names = _names(store, view)
    text, order = layout.arrange(document, taken.owners, taken.left, view.shown, names)
    rest = layout.more_than_shown(view.more)
    by_id = {one.id: Entry(one.id, one.project, merge.mark(one.entry.title, one.entry.text)) for one in view.shown}
    written = [by_id[id] for id in order]
    done.shown = len(order)
    base = tables.base(store, file)
    current = tables.entries(store, file, base, None)
    is_new = seen.text is None or (text, rest) != (document.plain, document.more)
    version, stamp = base.version, seen.stamp
    if is_new or document.version != base.version or set(written) != set(current):
        done.written = True
        version = max(base.version, document.version or 0) + 1
        if not how.only_look:
            stamp = disk.write(file.path(store.home), layout.finished(document, text, version, rest), seen.stamp) or ""
            if not stamp:
                raise _ChangedMeanwhile
    headings = base.projects | {name: id for id, name in names.items()}
    tables.save(store, file, Base(version, stamp, headings), written)


def _title(file: MirrorFile) -> str:
    what = "Checkpoints" if file.kind is Kind.CHECKPOINT else "Lessons"
    return f"{what} of the skill {file.skill}" if file.skill else f"{what} that hold everywhere"
