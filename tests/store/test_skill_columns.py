"""The second migration: what a home of the first format had is there, and the hits with it."""

from __future__ import annotations

from pathlib import Path

import apsw

from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.store import changes, migrate
from hardwon.store.connection import Store
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.support import note, now, opened

NEW = ("skill_mark", "origin_project", "hits")


def first_format(home: Path) -> None:
    """A home as the first release left it: two lessons of a skill, one of them learned three times."""
    with opened(home) as store:
        for body in ("seldom met", "often met", "often met", "often met"):
            note(store, body, skill="deploy")
    db = apsw.Connection(str(home / "memory.db"))
    with db:
        for kind, name in db.execute(_NAMES).fetchall():
            if name not in FIRST:
                db.execute(f"drop {kind} if exists {name}")
        for table, columns in FIRST.items():
            added = set(_columns(db, table)) - set(columns)
            if added & _key(db, table):  # made anew since: it was another table then, and empty here
                db.execute(f"drop table {table}")
                db.execute(MADE[table])
                continue
            for column in added:
                db.execute(f"alter table {table} drop column {column}")
        db.execute("delete from migrations where number > 1")
        db.execute("update meta set value = '1' where key = 'oldest_reader'")
    db.close()


_NAMES = "select type, name from sqlite_schema where name not like 'sqlite_%' order by type desc"
"""Triggers, tables, indexes: what is gone with its table need not be dropped."""


def _columns(db: apsw.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in db.execute(f"pragma table_info({table})")]


def _key(db: apsw.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in db.execute(f"pragma table_info({table})") if row[5]}


def _first() -> tuple[dict[str, list[str]], dict[str, str]]:
    """What the first migration makes, the columns of it, and how each table is made."""
    db = apsw.Connection("")
    db.execute(migrate.migrations()[0].sql)
    names = [str(name) for _, name in db.execute(_NAMES).fetchall()]
    found = {name: _columns(db, name) for name in names} | {"migrations": ["number", "name", "at"]}
    tables = db.execute("select name, sql from sqlite_schema where type = 'table'").fetchall()
    made = {str(name): str(sql) for name, sql in tables}
    db.close()
    return found, made


FIRST, MADE = _first()


def test_a_home_of_the_first_format_is_brought_up_to_date(tmp_path: Path) -> None:
    """W66: everything is there, the hits are in the rows, and doctor finds no difference."""
    first_format(tmp_path)
    with opened(tmp_path) as store:
        assert migrate.applied(store.db) == migrate.NEWEST
        assert dict(store.rows("select body, hits from memories")) == {"seldom met": 0, "often met": 2}
        assert {memory.skill_mark for memory in memories.all_memories(store)} == {""}
        assert repair.differences(store) == []
        note(store, "often met", skill="deploy")
        assert dict(store.rows("select body, hits from memories")) == {"seldom met": 0, "often met": 3}


def test_a_new_home_and_an_upgraded_one_are_alike(tmp_path: Path) -> None:
    """The same tables, columns, indexes and triggers."""
    first_format(tmp_path / "old")

    def schema(store: Store) -> dict[str, list[str]]:
        tables = [name for (name,) in store.rows("select name from sqlite_schema where type <> 'index'")]
        columns = {name: [row[1] for row in store.rows(f"pragma table_info({name})")] for name in tables}
        return columns | {
            "indexes": sorted(n for (n,) in store.rows("select name from sqlite_schema where type = 'index'"))
        }

    with opened(tmp_path / "old") as old, opened(tmp_path / "new") as new:
        assert schema(old) == schema(new)


def test_a_rebuild_keeps_mark_origin_and_hits(tmp_path: Path) -> None:
    """All of the row comes from the log and the counts."""
    with opened(tmp_path) as store:
        draft = Draft(
            Kind.LESSON, "wait for the lock", Scope("*", "deploy"), Trust.AGENT, "agent", skill_mark="00ff" * 4,
            origin_project="p1",
        )  # fmt: skip
        for _ in range(3):
            changes.note(store, draft, now())
        before = store.rows(f"select id, {', '.join(NEW)} from memories")
        assert before[0][1:] == ("00ff" * 4, "p1", 2)
        repair.rebuild(store)
        assert store.rows(f"select id, {', '.join(NEW)} from memories") == before
        assert repair.differences(store) == []
