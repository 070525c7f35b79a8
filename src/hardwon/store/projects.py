"""Projects as rows with aliases: which project a folder is, in this home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwon.memory import GLOBAL, new_id
from hardwon.project import Alias, Known, Match, Place, display_name, locate
from hardwon.store.connection import Store


@dataclass(frozen=True, slots=True)
class Project:
    id: str
    name: str
    root: str
    created_at: int
    merged_into: str | None = None


class UnknownProject(LookupError):
    """No project has this name; says which ones there are."""


_COLUMNS = "id, name, root, created_at, merged_into"


def get(store: Store, id: str) -> Project | None:
    row = store.row(f"select {_COLUMNS} from projects where id = ?", (id,))
    return Project(*row) if row else None


def listed(store: Store) -> list[Project]:
    rows = store.rows(f"select {_COLUMNS} from projects where merged_into is null order by name")
    return [Project(*row) for row in rows]


def named(store: Store, name: str) -> Project:
    row = store.row(f"select {_COLUMNS} from projects where name = ?", (name,))
    if not row:
        raise UnknownProject(_not_there(store, name))
    found = Project(*row)
    return get(store, canonical(store, found.id)) or found


def _not_there(store: Store, name: str) -> str:
    import difflib

    names = [project.name for project in listed(store)]
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
    if near and len(near) < len(names):
        known = f" The nearest: {', '.join(near)}."
    elif names:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        known = f" Known ones: {', '.join(names[:3])}{more}."
    else:
        known = " None is known yet."
    return f'No project is called "{name}".{known} `hardwon project list` shows them all.'


def canonical(store: Store, id: str) -> str:
    """Follow merges to the project that lives."""
    seen = {id}
    while (row := store.row("select merged_into from projects where id = ?", (id,))) and row[0]:
        id = row[0]
        if id in seen:
            break
        seen.add(id)
    return id


def known(store: Store, place: Place) -> list[Known]:
    """The projects that share an alias with this place, or whose folder is above it."""
    wanted = (*place.aliases, *(Alias("path", parent) for parent in place.parents))
    stored = {storable(store, alias): alias for alias in wanted}
    ids = {id for alias in stored for id in owners(store, alias)}
    return [Known(id, frozenset(stored.get(one, one) for one in aliases_of(store, id))) for id in sorted(ids)]


def storable(store: Store, alias: Alias) -> Alias:
    """An alias that looks like a secret (a folder named like a key) is stored and looked up by its hash."""
    if store.redactor.text(alias.value) == alias.value:
        return alias
    import hashlib

    return Alias(alias.kind, "hidden:" + hashlib.blake2b(alias.value.encode(), digest_size=16).hexdigest())


def owners(store: Store, alias: Alias) -> list[str]:
    rows = store.rows("select project from aliases where kind = ? and value = ?", (alias.kind, alias.value))
    return [id for (id,) in rows]


def aliases_of(store: Store, id: str) -> frozenset[Alias]:
    rows = store.rows("select kind, value from aliases where project = ?", (id,))
    return frozenset(Alias(kind, value) for kind, value in rows)


def look_up(store: Store, folder: str | Path) -> tuple[Place, Project | None]:
    """The folder, and its project if that is known; writes nothing."""
    seen = look(store, folder)
    return seen.place, seen.project


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder as it was found, and its project if that is known."""

    place: Place
    match: Match
    project: Project | None


def look(store: Store, folder: str | Path) -> Seen:
    """Writes nothing; what is seen can be claimed then without a second look."""
    place, match = locate(folder, lambda place: known(store, place))
    return Seen(place, match, get(store, match.project) if match.project else None)


def claim(store: Store, folder: str | Path, now: int, seen: Seen | None = None) -> tuple[Place, Project]:
    """The folder and its project, made or given new aliases where needed."""
    if seen is None or (seen.project and seen.project != get(store, seen.project.id)):  # it has changed since
        seen = look(store, folder)
    if seen.project and not (seen.match.add or seen.match.move) and not _has_moved(store, seen.project, seen.place):
        return seen.place, seen.project
    with store.transaction():
        place, match = locate(folder, lambda place: known(store, place))  # another process may have been faster
        return place, _settle(store, place, match, now)


def _settle(store: Store, place: Place, match: Match, now: int) -> Project:
    id = match.project or _make(store, place, now)
    losers = {loser for alias in match.move for loser in owners(store, storable(store, alias))}
    _take(store, id, (*match.add, *match.move))
    if _has_moved(store, _existing(store, id), place):
        store.db.execute("update projects set root = ? where id = ?", (store.redactor.text(place.root), id))
    for project in {id, *losers}:
        remember(store, project)
    return _existing(store, id)


def _has_moved(store: Store, project: Project, place: Place) -> bool:
    """Whether the project is here now, and no longer where it is said to be.

    Of two clones the first keeps its place. A folder below it is not the project, and one that an old session names may
    be gone itself.
    """
    if place.root == project.root or store.redactor.text(place.root) == project.root:
        return False
    here, before = (owners(store, storable(store, Alias("path", root))) for root in (place.root, project.root))
    was_left = bool(before) and project.id not in before
    return project.id in here and (was_left or not _is_there(project.root)) and _is_there(place.root)


def _is_there(root: str) -> bool:
    try:
        return Path(root).exists()
    except OSError:  # closed to us, which is not gone
        return True


def _existing(store: Store, id: str) -> Project:
    project = get(store, id)
    assert project is not None, id
    return project


def _make(store: Store, place: Place, now: int) -> str:
    id = new_id(now)
    root = store.redactor.text(place.root)
    name = display_name(store.redactor.text(place.name), root, lambda wanted: _is_taken(store, wanted))
    store.db.execute("insert into projects (id, name, root, created_at) values (?, ?, ?, ?)", (id, name, root, now))
    return id


def _is_taken(store: Store, name: str, id: str = "") -> bool:
    return name == GLOBAL or bool(store.row("select 1 from projects where name = ? and id <> ?", (name, id)))


def free_name(store: Store, name: str, root: str, id: str) -> str:
    """This name for this project, or one like it where another project has it."""
    return display_name(name, root, lambda wanted: _is_taken(store, wanted, id)) if _is_taken(store, name, id) else name


def _take(store: Store, id: str, aliases: Sequence[Alias]) -> None:
    for alias in aliases:
        value = storable(store, alias).value
        if alias.kind != "root_commit":
            store.db.execute("delete from aliases where kind = ? and value = ?", (alias.kind, value))
        store.db.execute(
            "insert or ignore into aliases (kind, value, project) values (?, ?, ?)", (alias.kind, value, id)
        )


def rename(store: Store, old: str, new: str) -> Project:
    name = store.redactor.text(" ".join(new.split()))
    with store.transaction():
        project = named(store, old)
        if not name or name == GLOBAL:
            raise ValueError(f'A project can\'t be called "{new}": give it a name with letters.')
        if name != project.name and _is_taken(store, name):
            raise ValueError(f'"{name}" is another project: choose another name, or `hardwon project merge`.')
        store.db.execute("update projects set name = ? where id = ?", (name, project.id))
        remember(store, project.id)
    return named(store, name)


def to_merge(store: Store, source: str, target: str) -> tuple[Project, Project]:
    """Two projects that a merge would make one."""
    one, other = named(store, source), named(store, target)
    if one.id == other.id:
        raise ValueError(f'"{source}" and "{target}" are one project already.')
    return one, other


def merge(store: Store, source: str, target: str) -> tuple[Project, Project]:
    """Everything of `source` belongs to `target` from now on. The caller applies the source's memories again."""
    one, other = to_merge(store, source, target)
    with store.transaction():
        store.db.execute("update projects set merged_into = ? where id = ?", (other.id, one.id))
        store.db.execute("update or replace aliases set project = ? where project = ?", (other.id, one.id))
        store.db.execute("update sessions set project = ? where project = ?", (other.id, one.id))
        store.db.execute("update memories set project = ? where project = ?", (other.id, one.id))
        remember(store, one.id)
        remember(store, other.id)
    return one, other


def take_in(
    store: Store, id: str, name: str, root: str, created_at: int, merged_into: str | None, aliases: Sequence[Alias]
) -> None:
    """A project from an export; one that is known already only gains aliases."""
    if not get(store, id):
        root = store.redactor.text(root)
        free = display_name(store.redactor.text(name), root, lambda wanted: _is_taken(store, wanted))
        store.db.execute(
            "insert into projects (id, name, root, created_at, merged_into) values (?, ?, ?, ?, ?)",
            (id, free, root, created_at, merged_into),
        )
    target = canonical(store, id)
    _take(store, target, [alias for alias in aliases if alias.kind == "root_commit" or not owners(store, alias)])
    remember(store, id)


def put_back(
    store: Store, id: str, name: str, root: str, created_at: int, merged_into: str | None, aliases: Sequence[Alias]
) -> None:
    """A project as this home once wrote it down: the latest line about it counts."""
    free = free_name(store, name, root, id)
    store.db.execute(
        "insert into projects (id, name, root, created_at, merged_into) values (?, ?, ?, ?, ?)"
        " on conflict (id) do update"
        " set name = excluded.name, root = excluded.root, merged_into = excluded.merged_into",
        (id, free, root, created_at, merged_into),
    )
    store.db.execute("delete from aliases where project = ?", (id,))
    _take(store, id, aliases)
    remember(store, id)


def remember(store: Store, id: str) -> None:
    store.remember_line(as_line(store, id))


def as_line(store: Store, id: str) -> dict[str, object]:
    """A project as a line of an export or of the redo log."""
    project = _existing(store, id)
    return {
        "type": "project",
        "id": id,
        "name": project.name,
        "root": project.root,
        "created_at": project.created_at,
        "merged_into": project.merged_into,
        "aliases": sorted([alias.kind, alias.value] for alias in aliases_of(store, id)),
    }
