"""Finding out what is wrong with a store, and putting it right.

The log is the truth: tables that differ from it are rebuilt. When the file itself is damaged, the last good copy, the
redo log and whatever can still be read from the damaged file are united; since a log merges by set union, it does not
matter that the three overlap. The damaged file is kept beside the copies.
"""

from __future__ import annotations

import contextlib
import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from hardwon.memory import GLOBAL, Memory, Scope, Trust
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import (
    copies,
    exchange,
    forget,
    memories,
    passages,
    projects,
    records,
    redo,
    search_index,
    vectors,
)
from hardwon.store.connection import Store, locked, open_store
from hardwon.store.fold import fold

PASSAGES = 5_000
"""Prompts and answers that are made searchable at once; the daemon does the rest."""

Progress = Callable[[str], None]


def damage(store: Store) -> list[str]:
    """What SQLite finds wrong with the file."""
    try:
        found = [str(row[0]) for row in store.rows("pragma integrity_check(20)")]
        store.db.execute("insert into memory_search (memory_search) values ('integrity-check')")
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return [str(error)]
    except apsw.ReadOnlyError:  # the index can only be checked where it could be written
        pass
    return [line for line in found if line != "ok"]


def differences(store: Store) -> list[str]:
    """Ids whose table row is not what the log says; "index" when the words indexed are not those of the rows."""
    live = {memory.id: memory for memory in memories.all_memories(store)}
    folded = dict(_folded(store))
    wrong = [id for id in sorted(live.keys() | folded.keys()) if live.get(id) != folded.get(id)]
    indexed = int(store.value("select count(*) from memory_search_docsize"))
    if indexed != len(live) or store.meta("index_version") not in (None, str(search_index.VERSION)):
        wrong.append("index")
    return wrong


def _folded(store: Store) -> Iterator[tuple[str, Memory]]:
    for id, log in itertools.groupby(records.all_records(store), key=lambda record: record.memory):
        memory = fold(log)
        if memory is not None:
            yield id, _placed(store, memory)


def _placed(store: Store, memory: Memory) -> Memory:
    """With its project as merges have left it."""
    import dataclasses

    if memory.scope.project == GLOBAL:
        return memory
    scope = Scope(projects.canonical(store, memory.scope.project), memory.scope.skill)
    return dataclasses.replace(memory, scope=scope)


def missing(store: Store) -> int:
    """How many records of the redo log the database does not have: its last writes were lost with its WAL."""
    if not store.on_disk:
        return 0
    written = (line for line in redo.lines(store.home) if line["type"] == "record")
    return sum(not records.has(store, line["device"], line["sequence"]) for line in written)


def take_in_missing(store: Store, now: int) -> int:
    lost = missing(store)
    if lost:
        exchange.merge(store, redo.read(store.home), now, Trust.USER, own=True)
    return lost


def rebuild(store: Store, progress: Progress = lambda _: None) -> int:
    """Make every derived table anew from the log; how many memories there are then."""
    with store.transaction():
        rows = dict(store.db.execute("select id, row from memories"))
        texts = vectors.marks(store)
        for table in ("memories", "anchors", "links"):
            store.db.execute(f"delete from {table}")
        search_index.clear(store)
        count = 0
        free = itertools.count(max(rows.values(), default=0) + 1)
        for id, memory in _folded(store):
            memories.put(store, memory, rows.get(id) or next(free))
            count += 1
            if count % 1000 == 0:
                progress(f"{count:,} memories rebuilt")
        vectors.drop_stale(store, texts)
        passages.rebuild(store)
        store.set_meta("index_version", str(search_index.VERSION))
    passages.index_new(store, PASSAGES)
    return count


@dataclass(frozen=True, slots=True)
class Restored:
    memories: int
    from_copy: str
    redone: int
    salvaged: int
    journal_entries: int
    kept_aside: str


def restore(home: Home, settings: Settings, now: int, progress: Progress = lambda _: None) -> Restored:
    """A good store from the last good copy, the redo log and what the damaged file still gives.

    It is made in a folder of its own and takes the place of the damaged file as a whole: whatever interrupts it, the
    next attempt finds everything that this one found.
    """
    copy = _last_good(home)
    with locked(home), _draft(home) as draft:
        damaged = _files_copied(home, draft.root / "damaged")
        if copy:
            progress(f"starting from the copy {copy.name}")
            shutil.copyfile(copy, draft.database)
            draft.database.chmod(0o600)
        with open_store(draft, settings) as store:
            redone = exchange.merge(store, redo.read(home), now, Trust.USER, own=True)
            progress(f"{redone.lines:,} lines of the redo log read")
            salvaged = exchange.merge(store, _salvage_lines(damaged), now, Trust.USER, own=True)
            entries = _salvage_journal(store, damaged)
            count = rebuild(store, progress)
        aside = _set_aside(home)
        draft.database.rename(home.database)
    with open_store(home, settings) as store:
        if store.meta("purge_due"):
            forget.purge(store)
        else:
            copies.refresh(store)
    return Restored(
        memories=count,
        from_copy=copy.name if copy else "",
        redone=len(redone.memories),
        salvaged=len(salvaged.memories),
        journal_entries=entries,
        kept_aside=str(aside) if aside.exists() else "",
    )


@contextlib.contextmanager
def _draft(home: Home) -> Iterator[Home]:
    """A home to build the restored database in."""
    draft = Home(home.copies / "restoring")
    shutil.rmtree(draft.root, ignore_errors=True)
    draft.root.mkdir(mode=0o700, parents=True)
    try:
        yield draft
    finally:
        shutil.rmtree(draft.root, ignore_errors=True)


def _files(home: Home) -> list[Path]:
    """The database file and those that SQLite keeps beside it, where they exist."""
    names = [home.database.name + suffix for suffix in ("", "-wal", "-shm")]
    return [file for name in names if (file := home.database.with_name(name)).exists()]


def _files_copied(home: Home, folder: Path) -> Path:
    """Reading a database can change it: the damaged file itself is kept as it was found."""
    folder.mkdir(mode=0o700)
    for file in _files(home):
        shutil.copyfile(file, folder / file.name)
    return folder


def _set_aside(home: Home) -> Path:
    aside = home.copies / time.strftime("damaged-%Y%m%dT%H%M%S", time.gmtime())
    for file in _files(home):
        aside.mkdir(mode=0o700, exist_ok=True)
        file.rename(aside / file.name)
    return aside


def _last_good(home: Home) -> Path | None:
    for copy in copies.found(home):
        try:
            copies.check(copy)
        except apsw.Error:
            continue
        return copy
    return None


def _salvage_lines(aside: Path) -> Iterator[exchange.Line]:
    """What can still be read from the damaged file, as it would be exported."""
    for (value,) in _readable(aside, "select value from meta where key in ('device', 'former_devices')"):
        yield from ({"type": "device", "device": device} for device in str(value).split())
    aliases = list(_readable(aside, "select project, kind, value from aliases"))
    for id, name, root, at, into in _readable(aside, "select id, name, root, created_at, merged_into from projects"):
        own = [[kind, value] for project, kind, value in aliases if project == id]
        yield {"type": "project", "id": id, "name": name, "root": root, "created_at": at, "merged_into": into,
               "aliases": own}  # fmt: skip
    for id, key in _readable(aside, "select id, key from tombstone_keys"):
        if isinstance(key, bytes):
            yield {"type": "key", "id": id, "key": key.hex()}
    for memory, device, hits in _readable(aside, "select memory, device, hits from counts"):
        yield {"type": "hits", "memory": memory, "device": device, "hits": hits}
    columns = "device, sequence, clock, memory, operation, action, payload"
    for row in _readable(aside, f"select {columns} from records"):
        try:
            yield {"type": "record", **records.as_json(records.from_row(row))}
        except (ValueError, TypeError):  # the row was read, but what is in it is garbage
            continue


def _salvage_journal(store: Store, aside: Path) -> int:
    """Sessions, journal entries and showings that can still be read."""
    entries = 0
    with store.transaction():
        for table in ("sessions", "journal", "showings", "skill_loads", "recurrences", "removals"):
            # By name: the file may be one of before a migration.
            columns = [name for (name,) in _readable(aside, f"select name from pragma_table_info('{table}')")]
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            for row in _readable(aside, f"select {names or 1} from {table}"):
                with contextlib.suppress(apsw.ConstraintError):  # garbage again
                    store.db.execute(f"insert or ignore into {table} ({names}) values ({marks})", row)
                    entries += store.db.changes() if table == "journal" else 0
    return entries


def _readable(aside: Path, sql: str) -> Iterator[tuple[Any, ...]]:
    """Rows until the first that can't be read."""
    file = aside / "memory.db"
    if not file.exists():
        return
    try:
        db = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error:
        return
    try:
        yield from db.execute(sql)
    except apsw.Error:
        return
    finally:
        db.close()
