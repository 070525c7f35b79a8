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
from hardwon.store import migrate, projects
from hardwon.store.connection import Store, locked, open_store
from hardwon.store.erasure import forget
from hardwon.store.errors import explain
from hardwon.store.index import search_index
from hardwon.store.log import copies, copy_file, exchange, records, redo
from hardwon.store.log.fold import fold
from hardwon.store.tables import memories, passages, vectors

PASSAGES = 5_000
"""Prompts and answers that are made searchable at once; the daemon does the rest."""

Progress = Callable[[str], None]


def damage(store: Store) -> list[str]:
    """What SQLite finds wrong with the file, and what is missing in it."""
    try:
        if lacking := migrate.lacking(store.db):
            return [f"the {name} is missing" for name in lacking]
        found = [str(row[0]) for row in store.db.execute("pragma integrity_check(20)")]
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
        for table in ("memories", "anchors", "links", "failure_words"):
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
    next attempt finds everything that this one found. Others go on writing into the damaged file as far as that still
    works. They wait only while the journal is read and the files change places; after that they are refused, and what
    was acknowledged before is in the redo log.
    """
    with locked(home), _draft(home) as draft, _damaged_file(home, settings) as damaged:
        copy = _last_good(home)
        if copy:
            progress(f"starting from the copy {copy.name}")
            shutil.copyfile(copy, draft.database)
            draft.database.chmod(0o600)
        with open_store(draft, settings) as store:
            redone = exchange.merge(store, redo.read(home), now, Trust.USER, own=True)
            progress(f"{redone.lines:,} lines of the redo log read")
            salvaged = exchange.merge(store, _salvage_lines(damaged), now, Trust.USER, own=True)
            rebuild(store, progress)
            _hold_off_writers(home, damaged)
            entries = _salvage_journal(store, damaged)
        aside = _put_in_place(home, draft.database)
    with open_store(home, settings) as store:
        exchange.merge(store, redo.read(home), now, Trust.USER, own=True)  # what was written meanwhile
        passages.index_new(store, PASSAGES)
        count = int(store.value("select count(*) from memories"))
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


@contextlib.contextmanager
def _damaged_file(home: Home, settings: Settings) -> Iterator[apsw.Connection | None]:
    """The damaged file to read from, where there is one. It is kept as it was found: its WAL stays what it is."""
    try:
        db = apsw.Connection(str(home.database), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error:
        yield None
        return
    try:
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.set_busy_timeout(int(settings.store.busy_seconds * 1000))
        yield db
    finally:
        db.close()


def _hold_off_writers(home: Home, damaged: apsw.Connection | None) -> None:
    """Until the file is closed. One that is too broken for that is too broken for a new writer as well."""
    try:
        if damaged:
            damaged.execute("begin immediate")
    except apsw.BusyError as error:
        raise explain(error, str(home.database)) from error
    except apsw.Error:
        return


def _put_in_place(home: Home, restored: Path) -> Path:
    """Where the damaged file is now. Until the restored one is in its place, it is the newest of the copies."""
    ready = restored.rename(home.copies / copies.RESTORED)
    aside = _set_aside(home)
    ready.rename(home.database)
    return aside


def _set_aside(home: Home) -> Path:
    """The database file first: without it, nobody opens one with what belongs to another."""
    aside = home.copies / time.strftime("damaged-%Y%m%dT%H%M%S", time.gmtime())
    for file in _files(home):
        aside.mkdir(mode=0o700, exist_ok=True)
        file.rename(aside / file.name)
    return aside


def _last_good(home: Home) -> Path | None:
    for copy in copy_file.found(home):
        try:
            copy_file.check(copy)
        except apsw.Error:
            continue
        return copy
    return None


def _salvage_lines(damaged: apsw.Connection | None) -> Iterator[exchange.Line]:
    """What can still be read from the damaged file, as it would be exported."""
    for (value,) in _readable(damaged, "select value from meta where key in ('device', 'former_devices')"):
        yield from ({"type": "device", "device": device} for device in str(value).split())
    aliases = list(_readable(damaged, "select project, kind, value from aliases"))
    for id, name, root, at, into in _readable(damaged, "select id, name, root, created_at, merged_into from projects"):
        own = [[kind, value] for project, kind, value in aliases if project == id]
        yield {"type": "project", "id": id, "name": name, "root": root, "created_at": at, "merged_into": into,
               "aliases": own}  # fmt: skip
    for id, key in _readable(damaged, "select id, key from tombstone_keys"):
        if isinstance(key, bytes):
            yield {"type": "key", "id": id, "key": key.hex()}
    for memory, device, hits in _readable(damaged, "select memory, device, hits from counts"):
        yield {"type": "hits", "memory": memory, "device": device, "hits": hits}
    columns = "device, sequence, clock, memory, operation, action, payload"
    for row in _readable(damaged, f"select {columns} from records"):
        try:
            yield {"type": "record", **records.as_json(records.from_row(row))}
        except (ValueError, TypeError):  # the row was read, but what is in it is garbage
            continue


def _salvage_journal(store: Store, damaged: apsw.Connection | None) -> int:
    """Sessions, journal entries and showings that can still be read."""
    entries = 0
    with store.transaction():
        for table in ("sessions", "journal", "showings", "skill_loads", "recurrences", "removals"):
            # By name: the file may be one of before a migration.
            columns = [name for (name,) in _readable(damaged, f"select name from pragma_table_info('{table}')")]
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            for row in _readable(damaged, f"select {names or 1} from {table}"):
                with contextlib.suppress(apsw.ConstraintError):  # garbage again
                    store.db.execute(f"insert or ignore into {table} ({names}) values ({marks})", row)
                    entries += store.db.changes() if table == "journal" else 0
    return entries


def _readable(damaged: apsw.Connection | None, sql: str) -> Iterator[tuple[Any, ...]]:
    """Rows until the first that can't be read."""
    if damaged is None:
        return
    with contextlib.suppress(apsw.Error):
        yield from damaged.execute(sql)
