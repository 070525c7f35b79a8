"""Ways to damage a home's database, and the words that `doctor` has for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import apsw


def overwrite(file: Path, start: float, size: int) -> None:
    """Random bytes from this share of the file on."""
    with file.open("r+b") as handle:
        handle.seek(int(file.stat().st_size * start))
        handle.write(random.Random(1).randbytes(size))


def cut(file: Path, share: float) -> None:
    with file.open("r+b") as handle:
        handle.truncate(int(file.stat().st_size * share))


def wal(home: Path) -> Path:
    return home / "memory.db-wal"


def without_wal(home: Path) -> None:
    """As after a quiet end: the WAL is in the file, so that damage to the file can't hide behind it."""
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    assert not wal(home).exists()


def first_page(home: Path) -> None:
    without_wal(home)
    overwrite(home / "memory.db", 0, 4096)


def first_page_with_wal(home: Path) -> None:
    overwrite(home / "memory.db", 0, 4096)
    wal(home).unlink()


def zeroed_header(home: Path) -> None:
    without_wal(home)
    with (home / "memory.db").open("r+b") as file:
        file.write(bytes(100))


def middle_pages(home: Path) -> None:
    without_wal(home)
    for share in (0.2, 0.35, 0.5, 0.65, 0.8):
        overwrite(home / "memory.db", share, 3 * 4096)


def first_page_of(name: str, home: Path) -> None:
    """Garbage where this table or index begins; those who don't need it go on as if nothing were wrong."""
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("pragma wal_checkpoint(truncate)")
    page = db.execute("select rootpage from sqlite_schema where name = ?", (name,)).get
    db.close()
    with (home / "memory.db").open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(random.Random(1).randbytes(4096))


def half(home: Path) -> None:
    without_wal(home)
    cut(home / "memory.db", 0.5)


def a_few_bytes(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_bytes((home / "memory.db").read_bytes()[:50])


def zero_bytes(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_bytes(b"")


def deleted(home: Path) -> None:
    for file in home.glob("memory.db*"):
        file.unlink()


def deleted_but_for_the_wal(home: Path) -> None:
    (home / "memory.db").unlink()


def another_file(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_text("This is not a database.\n" * 5_000)


def wal_garbage(home: Path) -> None:
    overwrite(wal(home), 0, wal(home).stat().st_size)
    (home / "memory.db-shm").unlink()


def wal_garbage_in_the_middle(home: Path) -> None:
    overwrite(wal(home), 0.4, 4096)
    (home / "memory.db-shm").unlink()


def wal_deleted(home: Path) -> None:
    wal(home).unlink()
    (home / "memory.db-shm").unlink()


def behind_the_back(sql: str) -> Callable[[Path], None]:
    """Damage that SQLite itself finds nothing wrong with."""

    def change(home: Path) -> None:
        db = apsw.Connection(str(home / "memory.db"))
        db.execute(sql)
        db.close()

    change.__name__ = sql
    return change


DAMAGED = "is damaged|gone or empty"
LOST = "the database has lost [0-9]+ records"
DIFFERS = "differ from the log"
