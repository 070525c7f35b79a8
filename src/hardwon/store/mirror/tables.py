"""What the database knows of the files: which there are, what they said last, which have to be written again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import kinds
from hardwon.memory import GLOBAL, Kind, Memory
from hardwon.paths import Home
from hardwon.store.connection import Store
from hardwon.store.mirror import folder
from hardwon.store.tables import memories

VERSIONS = 200
"""How many versions back an editor's copy is still recognised."""

NAMES = {row.kind: row.file for row in kinds.ROWS if row.file}


@dataclass(frozen=True, slots=True)
class MirrorFile:
    """One file: the lessons or the checkpoints of a skill, or (skill "") those of none."""

    skill: str
    kind: Kind
    name: str
    """Its path below the home."""

    def path(self, home: Home) -> Path:
        return home.root / self.name


@dataclass(frozen=True, slots=True)
class Entry:
    """A bullet that we wrote: whose it is, under which project, and the mark of its words."""

    memory: str
    project: str
    mark: bytes


@dataclass(frozen=True, slots=True)
class Base:
    """What we know of a file since we wrote it last."""

    version: int = 0
    stamp: str = ""
    projects: dict[str, str] = field(default_factory=dict)
    """The project behind each heading, also behind those that have another name now."""


def due(store: Store) -> list[str]:
    """The skills whose memories have changed since their files were written; "" for those of no skill."""
    return [skill for (skill,) in store.rows("select skill from mirror_due order by skill")]


def with_memories(store: Store) -> list[str]:
    """The skills that have something to show; "" for what belongs to none."""
    rows = store.rows(
        "select distinct coalesce(skill, '') from memories where kind in ('lesson', 'checkpoint')"
        " and status = 'active' and (skill is not null or project = '*')"
    )
    return [skill for (skill,) in rows]


def forget_due(store: Store, skill: str) -> None:
    store.db.execute("delete from mirror_due where skill = ?", (skill,))


def files_of(store: Store, skill: str) -> list[MirrorFile]:
    if not skill:
        return _in_folder("", "global")
    places = _places(store)
    if skill in places:
        return _in_folder(skill, f"skills/{places[skill]}")
    taken = {folder.same(place): other for other, place in places.items()}
    return _in_folder(skill, f"skills/{folder.folder(skill, taken)}")


def _in_folder(skill: str, place: str) -> list[MirrorFile]:
    return [MirrorFile(skill, kind, f"{place}/{name}") for kind, name in NAMES.items()]


def _places(store: Store) -> dict[str, str]:
    """The folder of each skill that has one."""
    rows = store.rows("select skill, file from mirror_files where skill <> ''")
    return {skill: file.split("/")[1] for skill, file in rows}


def on_disk(store: Store) -> tuple[list[MirrorFile], list[str]]:
    """The files that are there or once were, and what is wrong with folders that are no skill's."""
    problems = [
        f'{store.home.skills / name} is no skill\'s folder: call it "{folder.folder(name)}"'
        for name, skill in _skills_of_folders(store).items()
        if skill is None
    ]
    found = _in_folder("", "global")
    for skill, place in sorted(places(store).items()):
        found += _in_folder(skill, f"skills/{place}")
    return found, problems


def places(store: Store) -> dict[str, str]:
    """The folder of each skill that is there or once was."""
    found = _places(store)
    for name, skill in _skills_of_folders(store).items():
        if skill is not None:
            found.setdefault(skill, name)
    return found


def _skills_of_folders(store: Store) -> dict[str, str | None]:
    """The skill of each folder on the disk; None for one that is no skill's."""
    taken = {folder.same(place): skill for skill, place in _places(store).items()}
    return {name: taken.get(folder.same(name)) or folder.skill_of(name) for name in _folders(store.home)}


def _folders(home: Home) -> list[str]:
    if not home.skills.is_dir():
        return []
    found = (one for one in home.skills.iterdir() if not one.name.startswith("."))
    return sorted(one.name for one in found if any((one / name).exists() for name in NAMES.values()))


def base(store: Store, file: MirrorFile) -> Base:
    """Nothing, when another home wrote it: a copied or restored database does not know what its files said."""
    row = store.row(
        "select version, stamp, projects from mirror_files where file = ? and device = ?", (file.name, store.device)
    )
    return Base(row[0], row[1], json.loads(row[2])) if row else Base()


def entries(store: Store, file: MirrorFile, base: Base, version: int | None) -> list[Entry]:
    """The bullets of this version of the file, from top to bottom; of the last one when it is not known."""
    if not base.version:
        return []
    at = min(base.version, base.version if version is None else version)
    rows = store.rows(
        "select memory, project, mark from mirror_entries"
        " where file = ? and since <= ? and (until is null or until > ?) order by position, memory",
        (file.name, at, at),
    )
    return [Entry(memory, project, bytes(mark)) for memory, project, mark in rows]


def save(store: Store, file: MirrorFile, now: Base, written: Sequence[Entry]) -> None:
    """The file has this version now, with these bullets."""
    if not base(store, file).version:
        store.db.execute("delete from mirror_entries where file = ?", (file.name,))
    names = json.dumps(now.projects, ensure_ascii=False)
    store.db.execute(
        "insert or replace into mirror_files (file, skill, kind, device, version, stamp, projects)"
        " values (?, ?, ?, ?, ?, ?, ?)",
        (file.name, file.skill, file.kind, store.device, now.version, now.stamp, names),
    )
    before = {one.memory: one for one in entries(store, file, now, None)}
    same = {one.memory for one in written if before.get(one.memory) == one}
    store.db.executemany(
        "update mirror_entries set until = ? where file = ? and memory = ? and until is null",
        [(now.version, file.name, memory) for memory in before if memory not in same],
    )
    store.db.executemany(
        "insert or replace into mirror_entries (file, memory, project, position, mark, since)"
        " values (?, ?, ?, ?, ?, ?)",
        [
            (file.name, one.memory, one.project, at, one.mark, now.version)
            for at, one in enumerate(written)
            if one.memory not in same
        ],
    )
    store.db.executemany(
        "update mirror_entries set position = ? where file = ? and memory = ? and until is null and position <> ?",
        [(at, file.name, one.memory, at) for at, one in enumerate(written) if one.memory in same],
    )
    store.db.execute("delete from mirror_entries where file = ? and until < ?", (file.name, now.version - VERSIONS))


def left(store: Store, file: MirrorFile, stamp: str) -> None:
    """The file was changed by us without a new version."""
    store.db.execute("update mirror_files set stamp = ? where file = ?", (stamp, file.name))


def shown(store: Store, file: MirrorFile, most: int) -> tuple[list[tuple[Memory, int]], int]:
    """What the file shall show, each with its hits, and how many more there are: the most useful first, checkpoints
    by age."""
    if file.kind is Kind.CHECKPOINT:
        where, order = _CHECKPOINTS.format("= ?" if file.skill else "is null and project = '*'"), "created_at"
        places: Sequence[tuple[str, ...]] = [(file.skill,) if file.skill else ()]
    elif file.skill:
        where, order = _LESSONS, "hits desc, updated_at desc"
        places = [(file.skill, project) for project in _projects(store, file.skill)]
    else:
        where, order, places = _PRINCIPLES, "hits desc, updated_at desc", [()]
    rows = [
        (row, hits, at)
        for values in places
        for row, hits, at in store.rows(
            f"select row, hits, updated_at from {where} order by {order} limit ?", (*values, most)
        )
    ]
    if len(places) > 1:
        rows.sort(key=lambda one: (-one[1], -one[2], one[0]))
    rows = rows[:most]
    found = memories.by_rows(store, [row for row, _, _ in rows]) if rows else {}
    chosen = [(found[row], hits) for row, hits, _ in rows]
    chosen.sort(key=lambda one: one[0].scope.project != GLOBAL)
    return chosen, _count(store, where, places) - most if len(rows) == most else 0


def _count(store: Store, where: str, places: Sequence[tuple[str, ...]]) -> int:
    """From the index alone; the few of a skill that are no lessons are counted too."""
    bare = where.replace("and kind = 'lesson'", "") if "kind <>" in where else where
    return sum(store.value(f"select count(*) from {bare}", values) for values in places)


# The conditions are those of the indexes, word for word, or SQLite would not use them.
_LESSONS = """memories indexed by memories_by_use
where skill = ? and project = ? and skill is not null and status = 'active' and kind <> 'checkpoint'
and kind = 'lesson'"""
_PRINCIPLES = """memories indexed by memories_by_principle
where project = '*' and skill is null and kind = 'lesson' and status = 'active'"""
_CHECKPOINTS = """memories indexed by memories_by_checkpoint
where skill {} and kind = 'checkpoint' and status = 'active'"""


def _projects(store: Store, skill: str) -> Iterable[str]:
    """One look-up each, not a walk over all lessons of the skill."""
    return list(_next_projects(store, skill))


def _next_projects(store: Store, skill: str) -> Iterator[str]:
    last = ""
    while True:
        last = store.value(
            "select min(project) from memories indexed by memories_by_skill where skill = ? and project > ?",
            (skill, last),
        )
        if last is None:
            return
        yield last
