"""Numbered migrations, each in one transaction with its own record.

A migration is never edited once released: what it made is on people's disks. The file states the oldest reader that
may open it (`meta.oldest_reader`), so that a change which only adds does not lock an older install out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw

from hardwon.store.errors import StoreTooNew


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str
    oldest_reader: int
    """The migration number that a reader must know to understand the file after this one."""


_OLDEST_READER = {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 2, 13: 13}


def migrations() -> list[Migration]:
    found = []
    for file in Path(__file__).with_name("migrations").iterdir():
        if match := re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name):
            number = int(match[1])
            sql = file.read_text(encoding="utf-8")
            found.append(Migration(number, match[2], sql, _OLDEST_READER[number]))
    return sorted(found, key=lambda migration: migration.number)


# The newest migration this code knows. A constant, so that opening an up-to-date home reads no files.
NEWEST = 13


def applied(db: apsw.Connection) -> int:
    """The newest migration that the file has, 0 for an empty file."""
    if not db.execute("select 1 from sqlite_schema where name = 'migrations'").fetchone():
        return 0
    return int(db.execute("select max(number) from migrations").get or 0)


def check_readable(db: apsw.Connection, database: str) -> None:
    """Refuse a file that only a newer hardwon understands."""
    row = db.execute("select value from meta where key = 'oldest_reader'").fetchone()
    if row and int(row[0]) > NEWEST:
        raise StoreTooNew(
            f"{database} was written by a newer hardwon (format {row[0]}, this one knows {NEWEST}). "
            f"Upgrade hardwon, or point HARDWON_HOME at another folder; nothing was changed."
        )


def lacking(db: apsw.Connection) -> list[str]:
    """Tables, indexes and triggers that the migrations of this file made and that it no longer has."""
    have = applied(db)
    if not have:
        return ["table migrations"]
    fresh = apsw.Connection(":memory:")
    for migration in migrations():
        if migration.number <= have:
            _apply(fresh, migration)
    names = "select type || ' ' || name from sqlite_schema"
    there = set(db.execute(names))
    return [name for (name,) in fresh.execute(names) if (name,) not in there]


def migrate(db: apsw.Connection, before_each: Callable[[Migration], object]) -> list[Migration]:
    """Bring the file up to date. The caller holds the home's lock. `before_each` keeps a copy."""
    done = []
    have = applied(db)
    for migration in migrations():
        if migration.number <= have:
            continue
        if have:
            before_each(migration)
        _apply(db, migration)
        done.append(migration)
    return done


def _apply(db: apsw.Connection, migration: Migration) -> None:
    with db:
        db.execute("create table if not exists migrations (number integer primary key, name text, at integer) strict")
        db.execute(migration.sql)
        db.execute(
            "insert into migrations (number, name, at) values (?, ?, ?)",
            (migration.number, migration.name, int(time.time() * 1000)),
        )
        db.execute(
            "insert or replace into meta (key, value) values ('oldest_reader', ?)", (str(migration.oldest_reader),)
        )
