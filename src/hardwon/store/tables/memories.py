"""Memories as they are now: the fold of the log, in a table that can be searched.

Reading is here, and the one place that writes these tables (`apply`). What changes a memory is in `changes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardwon.memory import GLOBAL, Anchor, Kind, Memory, Scope, Status, Trust
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.index import failure_words, search_index
from hardwon.store.index.search_index import Text
from hardwon.store.log import records
from hardwon.store.log.fold import fold
from hardwon.store.tables.memory_rows import COLUMNS, READ, TEXT, from_row, text, text_hash, values

# The hits are counted in a table of their own (`changes.hit`); a memory that is written anew takes them along.
_INSERT = f"""
insert into memories (row, {COLUMNS}, hits)
values (?{", ?" * 29}, (select coalesce(sum(hits), 0) from counts where memory = ?2))
"""
_UPDATE = f"update memories set ({COLUMNS}) = ({', '.join('?' * 29)}) where row = ?"


class UnknownMemory(LookupError):
    """No memory has this id; says which ones are near."""


def get(store: Store, id: str) -> Memory | None:
    row = store.row(f"select {READ} from memories where id = ?", (id,))
    return from_row(row) if row else None


def by_rows(store: Store, rows: Iterable[int]) -> dict[int, Memory]:
    marks, values = _marks(rows)
    found = store.rows(f"select row, {READ} from memories where row in ({marks})", values)
    return {row[0]: from_row(row[1:]) for row in found}


def _marks(rows: Iterable[int]) -> tuple[str, list[int]]:
    """Places for these numbers in a statement. Of few lengths: SQLite need not translate it anew each time."""
    values = list(rows)
    length = max(4, 1 << (len(values) - 1).bit_length()) if len(values) <= 64 else len(values)
    return ", ".join("?" * length), values + [-1] * (length - len(values))


def texts(
    store: Store, rows: Iterable[int], projects: Sequence[str], worth: Callable[[int, str], bool]
) -> dict[int, Text | None]:
    """The indexed parts alone, of those in these projects: enough to see which fit, and a fraction of the reading.
    `worth` sees the row as it is stored, in small letters; of one that is not worth reading there is None."""
    (marks, values), places = _marks(rows), ", ".join("?" * len(projects))
    sql = f"select row, {TEXT} from memories where row in ({marks}) and project in ({places})"
    found = store.rows(sql, (*values, *projects))
    return {row: text(parts) if worth(row, " ".join(parts).lower()) else None for row, *parts in found}


def by_ids(store: Store, ids: Sequence[str]) -> dict[str, Memory]:
    marks = ", ".join("?" * len(ids))
    found = store.rows(f"select {READ} from memories where id in ({marks})", tuple(ids))
    return {row[0]: from_row(row) for row in found}


def all_memories(store: Store) -> Iterator[Memory]:
    for row in store.rows(f"select {READ} from memories order by id"):
        yield from_row(row)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories to list; None and empty mean any."""

    projects: tuple[str, ...] = ()
    skill: str | None = None
    kinds: tuple[Kind, ...] = ()
    statuses: tuple[Status, ...] = ()
    trusts: tuple[Trust, ...] = ()
    pinned: bool | None = None
    complained: bool = False

    def where(self) -> tuple[str, list[Any]]:
        clauses: list[str] = ["1"]
        values: list[Any] = []
        for column, wanted in (
            ("project", self.projects),
            ("kind", self.kinds),
            ("status", self.statuses),
            ("trust", self.trusts),
        ):
            if wanted:
                clauses.append(f"{column} in ({', '.join('?' * len(wanted))})")
                values.extend(str(value) for value in wanted)
        if self.skill is not None:
            clauses.append("skill = ?")
            values.append(self.skill)
        if self.pinned is not None:
            clauses.append("pinned = ?")
            values.append(int(self.pinned))
        if self.complained:
            clauses.append("complaints <> '[]'")
        return " and ".join(clauses), values


def listed(store: Store, which: Filter, limit: int = -1, offset: int = 0) -> tuple[list[Memory], int]:
    """Pinned first, then newest first; and how many there are in all."""
    where, values = which.where()
    total = int(store.value(f"select count(*) from memories where {where}", values))
    rows = store.rows(
        f"select {READ} from memories where {where} order by pinned desc, updated_at desc, id desc limit ? offset ?",
        [*values, limit, offset],
    )
    return [from_row(row) for row in rows], total


def same_text(store: Store, scope: Scope, body: str, kind: Kind = Kind.LESSON) -> Memory | None:
    """The memory of this scope with the same normalised text. A checkpoint is one only to another checkpoint: a raw
    note and the lesson that it became are two things."""
    # Left to itself SQLite takes the index of the scope, and reads all memories of the project.
    row = store.row(
        f"select {READ} from memories indexed by memories_by_text where text_hash = ? and project = ? and skill is ?"
        " and (kind = 'checkpoint') = ?",
        (text_hash(body), scope.project, scope.skill, kind is Kind.CHECKPOINT),
    )
    return from_row(row) if row else None


def with_text(store: Store, body: str) -> list[str]:
    """The ids of all memories with this normalised text, in any scope."""
    return [id for (id,) in store.rows("select id from memories where text_hash = ?", (text_hash(body),))]


def by_origin(store: Store, origin_key: str) -> str | None:
    """The memory that this event became."""
    found: str | None = store.value("select memory from origins where key = ?", (origin_key,))
    return found


def remember_origin(store: Store, origin_key: str | None, id: str) -> None:
    if origin_key:
        store.db.execute("insert or ignore into origins (key, memory) values (?, ?)", (origin_key, id))


def anchored(store: Store, anchors: Iterable[Anchor], scopes: Sequence[str], limit: int) -> list[tuple[int, Anchor]]:
    """Rows that carry one of these anchors in one of these projects, newest first per anchor."""
    marks = ", ".join("?" * len(scopes))
    sql = f"""
        select a.memory_row from anchors a join memories m on m.row = a.memory_row
        where a.kind = ? and a.value = ? and m.project in ({marks})
        order by a.memory_row desc limit ?
    """
    return [
        (row, anchor) for anchor in anchors for (row,) in store.rows(sql, (anchor.kind, anchor.value, *scopes, limit))
    ]


def saying(store: Store, text: str, kinds: Sequence[Kind], scopes: Sequence[str], limit: int) -> list[int]:
    """Rows of these kinds whose words have a text in them, the newest first. It reads them all: for a question only."""
    sql = f"""
        select row from memories where kind in ({", ".join("?" * len(kinds))})
          and project in ({", ".join("?" * len(scopes))}) and instr(body, ?) order by row desc limit ?
    """
    return [row for (row,) in store.rows(sql, (*kinds, *scopes, text, limit))]


def same_failure(store: Store, project: str, command: str, signature: str) -> Memory | None:
    """The failure of this command with this error in a project, whatever its words."""
    sql = """
        select m.id from anchors e join anchors c on c.memory_row = e.memory_row join memories m on m.row = e.memory_row
        where e.kind = 'error' and e.value = ? and c.kind = 'command' and c.value = ?
          and m.project = ? and m.kind = 'failure' order by m.row desc limit 1
    """
    id = store.value(sql, (signature, command, project))
    return get(store, id) if id else None


def failure_of(store: Store, project: str, signature: str) -> Memory | None:
    """The failure with this error in a project, whatever command met it; the one that was met most often."""
    sql = """
        select m.id from anchors e join memories m on m.row = e.memory_row
        where e.kind = 'error' and e.value = ? and m.project = ? and m.kind = 'failure' and m.status <> 'superseded'
        order by m.hits desc, m.row desc limit 1
    """
    id = store.value(sql, (signature, project))
    return get(store, id) if id else None


def failing(store: Store, project: str, command: str, status: Status = Status.ACTIVE) -> list[Memory]:
    """The failures of this command in a project, those that are not resolved or those that are."""
    sql = """
        select m.id from anchors c join memories m on m.row = c.memory_row
        where c.kind = 'command' and c.value = ? and m.project = ? and m.kind = 'failure' and m.status = ?
    """
    return list(by_ids(store, [id for (id,) in store.rows(sql, (command, project, status))]).values())


def find(store: Store, reference: str) -> str:
    """The id that ends in `reference` (or is it). UnknownMemory says what is near or what it could be."""
    wanted = reference.strip().lower()
    if len(wanted) < 4 or not set(wanted) <= set("0123456789abcdef-"):
        raise UnknownMemory(f'"{reference}" is not an id: give the last characters of one, at least four.')
    tail = wanted[::-1]
    # ':' and later sort after every character of an id: the end of the range of tails that begin like this one.
    rows = store.rows("select id from memories where tail >= ? and tail < ?", (tail, tail + "\x7f"))
    if len(rows) == 1:
        return str(rows[0][0])
    if rows:
        longer = ", ".join(id[-len(wanted) - 4 :] for (id,) in rows[:5])
        raise UnknownMemory(f'"{reference}" fits {len(rows)} memories ({longer}): give more of its characters.')
    raise UnknownMemory(_not_there(store, wanted))


def _not_there(store: Store, wanted: str) -> str:
    forgotten = store.row("select 1 from records where operation = 'forget' and memory like ?", (f"%{wanted}",))
    if forgotten:
        return f'"{wanted}" was forgotten: only its id is left.'
    near = _near(store, wanted)
    hint = f" Did you mean {' or '.join(near)}?" if near else " `hardwon list` shows the ids."
    return f'No memory has the id "{wanted}".{hint}'


def _near(store: Store, wanted: str) -> list[str]:
    import difflib

    tails = {id[-len(wanted) :]: None for (id,) in store.rows("select id from memories order by row desc limit 20000")}
    return difflib.get_close_matches(wanted, tails, n=2, cutoff=0.6)


class Lesson(NamedTuple):
    """What a lesson is ranked by, without its text."""

    row: int
    hits: int
    updated_at: int
    pinned: int
    trust: str
    project: str
    doubted: int


def lessons(store: Store, skill: str, projects: Sequence[str], limit: int) -> list[Lesson]:
    """Those of a skill that may be worth saying: the most used and the newest of each project, by index alone.

    Each list ends after `limit`, so that a skill with a hundred thousand lessons costs no more than one with a
    hundred; a pinned one counts as new.
    """
    found = {
        row[0]: Lesson(*row)
        for project in dict.fromkeys(projects)
        for order in _LESSON_ORDERS
        for row in store.rows(_LESSONS.format(**order), (skill, project, limit))
    }
    return list(found.values())


# The conditions are those of the indexes, word for word, or SQLite would not use them.
_RANKED_BY = "row, hits, updated_at, pinned, trust, project, complaints <> '[]'"
_LESSONS = f"""
select {_RANKED_BY} from memories indexed by {{index}}
where skill = ? and project = ? and skill is not null and status = 'active' and kind <> 'checkpoint'
order by {{order}} limit ?
"""
_LESSON_ORDERS = (
    {"index": "memories_by_use", "order": "hits desc, updated_at desc"},
    {"index": "memories_by_news", "order": "pinned desc, updated_at desc"},
)


def has_more_lessons(store: Store, skill: str, projects: Sequence[str], most: int) -> bool:
    """Whether a skill has more lessons than this, counted no further."""
    sql = f"select count(*) from ({_LESSONS.format(**_LESSON_ORDERS[1])})"
    left = most + 1
    for project in dict.fromkeys(projects):
        left -= int(store.value(sql, (skill, project, left)))
    return left <= 0


def principles(store: Store, limit: int) -> list[Lesson]:
    """Lessons that hold everywhere and belong to no skill, most used first."""
    sql = f"""
        select {_RANKED_BY} from memories indexed by memories_by_principle
        where project = '*' and skill is null and kind = 'lesson' and status = 'active'
        order by hits desc, updated_at desc limit ?
    """
    return [Lesson(*row) for row in store.rows(sql, (limit,))]


def hits(store: Store, ids: Sequence[str]) -> dict[str, int]:
    """How often each was learned again, on all devices."""
    marks = ", ".join("?" * len(ids))
    sql = f"select memory, sum(hits) from counts where memory in ({marks}) group by memory"
    return {id: int(count) for id, count in store.rows(sql, tuple(ids))}


def apply(store: Store, id: str) -> Memory | None:
    """Bring the tables in line with the log for one memory."""
    row, before = _found(store, id)
    after = fold(records.of_memory(store, id))
    if row is None or before is None:
        return put(store, after) if after else None
    if after and _reads_the_same(store, before, after):
        _update(store, row, before, after)
        return after
    if not after or search_index.index_text(before) != search_index.index_text(after):
        store.db.execute("delete from vectors where memory_row = ?", (row,))
    _take_out(store, row, before)
    return put(store, after, row) if after else None


def _reads_the_same(store: Store, before: Memory, after: Memory) -> bool:
    """Whether only its standing has changed: status, trust, links. Then its words need not be indexed again, which
    takes longer than all the rest."""
    scope = Scope(_project(store, after), after.scope.skill)
    was = (before.kind, before.scope, before.anchors, before.origin_key, before.said)
    same = was == (after.kind, scope, after.anchors, after.origin_key, after.said)
    return same and search_index.index_text(before) == search_index.index_text(after)


def _update(store: Store, row: int, before: Memory, after: Memory) -> None:
    store.db.execute(_UPDATE, (*values(after, _project(store, after)), row))
    if before.links != after.links:
        store.db.execute("delete from links where source = ?", (after.id,))
        _write_links(store, after)


def put(store: Store, memory: Memory, row: int | None = None) -> Memory:
    """Write a folded memory that is in no table; a memory that changed keeps its row."""
    store.db.execute(_INSERT, (row, *values(memory, _project(store, memory))))
    row = store.db.last_insert_rowid()
    store.db.executemany(
        "insert or ignore into anchors (kind, value, memory_row) values (?, ?, ?)",
        [(anchor.kind, anchor.value, row) for anchor in memory.anchors],
    )
    _write_links(store, memory)
    remember_origin(store, memory.origin_key, memory.id)
    search_index.add(store, row, memory)
    failure_words.add(store, row, memory)
    return memory


def _write_links(store: Store, memory: Memory) -> None:
    store.db.executemany(
        "insert or ignore into links (source, kind, target) values (?, ?, ?)",
        [(memory.id, link.kind, link.target) for link in memory.links],
    )


def _project(store: Store, memory: Memory) -> str:
    project = memory.scope.project
    return project if project == GLOBAL else projects.canonical(store, project)


def _found(store: Store, id: str) -> tuple[int | None, Memory | None]:
    found = store.row(f"select row, {READ} from memories where id = ?", (id,))
    return (found[0], from_row(found[1:])) if found else (None, None)


def _take_out(store: Store, row: int, memory: Memory) -> None:
    search_index.remove(store, row, memory)
    failure_words.remove(store, row)
    store.db.execute("delete from anchors where memory_row = ?", (row,))
    store.db.execute("delete from links where source = ?", (memory.id,))
    store.db.execute("delete from memories where row = ?", (row,))
