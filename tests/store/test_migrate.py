"""Upgrading: a copy first, all or nothing, and no reader locked out without need.

The next version is a copy of this one's source with one migration more, run as the user would run it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

import hardwon
from hardwon.store import migrate
from hardwon.store.errors import StoreTooNew
from hardwon.store.log import copy_file
from tests.commandline import Cli
from tests.support import bodies, now, opened

NOW = migrate.NEWEST
NEXT = NOW + 1
KNOWN = [one.name for one in migrate.migrations()]
ADDS = """
-- What only adds is no reason to lock anybody out.
alter table memories add column mood text not null default 'calm';
create table moods (name text primary key) strict, without rowid;
insert into moods values ('calm');
"""
FAILS = """
create table moods (name text primary key) strict, without rowid;
update memories set body = 'half done';
insert into moods values ('calm'), ('calm');
"""


@dataclass(frozen=True, slots=True)
class NextVersion:
    source: Path
    cli: Cli

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from hardwon.cli import main; main()", *arguments],
            capture_output=True,
            text=True,
            cwd=self.cli.folder,
            env=self.cli.environment({"PYTHONPATH": str(self.source)}),
            check=False,
        )


def next_version(cli: Cli, folder: Path, sql: str, *, oldest_reader: int) -> NextVersion:
    """hardwon with a second migration."""
    package = folder / "next" / "hardwon"
    shutil.copytree(Path(hardwon.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "store" / "migrations" / f"{NEXT:04}_moods.sql").write_text(sql)
    code = (package / "store" / "migrate.py").read_text()
    known = migrate._OLDEST_READER
    changed = code.replace(f"_OLDEST_READER = {known}", f"_OLDEST_READER = {known | {NEXT: oldest_reader}}")
    changed = changed.replace(f"\nNEWEST = {NOW}\n", f"\nNEWEST = {NEXT}\n")
    assert changed.count(str(NEXT)) > code.count(str(NEXT)) + 1
    (package / "store" / "migrate.py").write_text(changed)
    return NextVersion(folder / "next", cli)


def applied(home: Path) -> list[str]:
    db = apsw.Connection(str(home / "memory.db"))
    names = [name for (name,) in db.execute("select name from migrations order by number")]
    db.close()
    return names


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_an_upgrade_keeps_everything_and_a_copy_of_what_was(cli: Cli, tmp_path: Path) -> None:
    """The first command of the new version upgrades the file; the copy from before can still be opened by the old."""
    cli.run("note", "from the old version", "-g")
    done = next_version(cli, tmp_path, ADDS, oldest_reader=NOW).run("note", "from the new version", "-g")
    assert done.returncode == 0, done
    assert applied(cli.home) == [*KNOWN, "moods"]
    (copy,) = (cli.home / "copies").glob(f"*-before-{NEXT:04}.db")
    copy_file.check(copy)
    restored = tmp_path / "restored"
    restored.mkdir(mode=0o700)
    shutil.copyfile(copy, restored / "memory.db")
    assert bodies(restored) == ["from the old version"]
    assert applied(restored) == KNOWN


def test_an_addition_does_not_lock_the_old_version_out(cli: Cli, tmp_path: Path) -> None:
    """After an upgrade that only added, both versions read and write, in turns."""
    new = next_version(cli, tmp_path, ADDS, oldest_reader=NOW)
    cli.run("note", "one", "-g")
    assert new.run("note", "two", "-g").returncode == 0
    cli.run("note", "three", "-g")
    assert new.run("note", "four", "-g").returncode == 0
    assert bodies(cli.home) == ["four", "one", "three", "two"]
    assert applied(cli.home) == [*KNOWN, "moods"], "upgraded once"


@pytest.mark.parametrize(
    "command", [("note", "two", "-g"), ("list", "-g"), ("doctor", "--fix"), ("undo",)], ids=" ".join
)
def test_a_file_that_only_a_newer_version_understands_is_refused(
    cli: Cli, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """One sentence that says what to do, and not a byte of it is changed."""
    cli.run("note", "one", "-g")
    assert next_version(cli, tmp_path, ADDS, oldest_reader=NEXT).run("note", "two", "-g").returncode == 0
    before = digest(cli.home / "memory.db")
    done = cli.run(*command, code=1)
    said = done.stdout if command[0] == "doctor" else done.stderr
    assert "was written by a newer hardwon" in said
    assert "Upgrade hardwon" in said
    assert digest(cli.home / "memory.db") == before
    assert not list((cli.home / "copies").glob("damaged-*"))


def test_a_failing_migration_leaves_the_file_as_it_was(cli: Cli, tmp_path: Path) -> None:
    """Halfway through something fails: a sentence, and the old version goes on with what it had."""
    cli.run("note", "one", "-g")
    new = next_version(cli, tmp_path, FAILS, oldest_reader=NEXT)
    for _ in range(2):
        done = new.run("note", "two", "-g")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
    assert applied(cli.home) == KNOWN
    assert bodies(cli.home) == ["one"]
    cli.run("note", "three", "-g")
    assert "!!" not in cli.run("doctor").stdout


def test_processes_of_the_new_version_upgrade_together(cli: Cli, tmp_path: Path) -> None:
    """Six commands at once after an upgrade: it is done once, and each of them is served."""
    cli.run("note", "from the old version", "-g")
    new = next_version(cli, tmp_path, ADDS, oldest_reader=NOW)
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda number: new.run("note", f"number {number}", "-g"), range(6)))
    assert [one.stderr for one in done if one.returncode] == []
    assert applied(cli.home) == [*KNOWN, "moods"]
    assert len(bodies(cli.home)) == 7


def test_a_new_home_needs_no_copy(cli: Cli, tmp_path: Path) -> None:
    """Every migration runs on an empty file, and there is nothing to keep a copy of."""
    done = next_version(cli, tmp_path, ADDS, oldest_reader=NOW).run("note", "the first", "-g")
    assert done.returncode == 0, done
    assert applied(cli.home) == [*KNOWN, "moods"]


def test_the_newest_migration_is_the_one_that_the_code_knows() -> None:
    """The constant that saves reading the folder is what the folder says; numbers have no gaps."""
    numbers = [one.number for one in migrate.migrations()]
    assert numbers == list(range(1, NOW + 1))
    assert all(one.oldest_reader <= one.number for one in migrate.migrations())


def test_the_oldest_reader_decides_who_may_open(tmp_path: Path) -> None:
    """The file says which version it needs; a number up to ours opens, a higher one does not."""
    home = tmp_path / "home"
    with opened(home) as store, store.transaction():
        store.db.execute("insert into migrations values (99, 'far_future', ?)", (now(),))
    with opened(home):
        pass
    with opened(home) as store, store.transaction():
        store.set_meta("oldest_reader", "99")
    for write in (True, False):
        with pytest.raises(StoreTooNew, match=f"format 99, this one knows {NOW}"):
            opened(home, write=write)
