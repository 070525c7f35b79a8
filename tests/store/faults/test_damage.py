"""A damaged or missing database is named, and everything acknowledged is restored."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.memory import Memory
from hardwon.store import projects
from hardwon.store.maintenance import repair
from tests.commandline import HARDWON, Cli
from tests.store.faults.damages import (
    DAMAGED,
    DIFFERS,
    LOST,
    a_few_bytes,
    another_file,
    behind_the_back,
    deleted,
    deleted_but_for_the_wal,
    first_page,
    first_page_with_wal,
    half,
    middle_pages,
    wal_deleted,
    wal_garbage,
    wal_garbage_in_the_middle,
    zero_bytes,
    zeroed_header,
)
from tests.store.faults.homes import build
from tests.store.faults.said import Said, is_a_sentence
from tests.support import bodies, contents, opened


def attempt(cli: Cli, *arguments: str) -> Said:
    """Run it, whatever comes of it."""
    return subprocess.run(
        [HARDWON, *arguments], capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, tuple[Memory, int]]]:
    folder = tmp_path_factory.mktemp("built")
    return folder / "home", build(folder / "home")


@pytest.mark.parametrize(
    ("damage", "noticed", "named"),
    [
        (first_page, True, DAMAGED),
        (first_page_with_wal, True, DAMAGED),
        (zeroed_header, True, DAMAGED),
        (half, True, DAMAGED),
        (a_few_bytes, True, DAMAGED),
        (zero_bytes, True, DAMAGED),
        (deleted, True, DAMAGED),
        (deleted_but_for_the_wal, True, DAMAGED),
        (another_file, True, DAMAGED),
        # A command may happen not to touch what is broken; it must not fall over, and `doctor` finds it.
        (middle_pages, False, DAMAGED),
        (wal_garbage, False, LOST),
        (wal_garbage_in_the_middle, False, LOST),
        (wal_deleted, False, LOST),
        (behind_the_back("update memories set body = 'tampered with' where row % 7 = 0"), False, DIFFERS),
        (behind_the_back("delete from memories where row % 5 = 0"), False, DIFFERS),
        (behind_the_back("delete from memory_search_docsize where id % 3 = 0"), False, f"{DAMAGED}|{DIFFERS}"),
        (behind_the_back("update memory_search_data set block = x'00' where id > 100"), False, DAMAGED),
        (behind_the_back("drop table records"), False, DAMAGED),
        (behind_the_back("drop table memories"), False, DAMAGED),
        (behind_the_back("drop table memory_search"), False, DAMAGED),
        (behind_the_back("drop table meta"), False, DAMAGED),
        (behind_the_back("drop table journal"), False, DAMAGED),
        (behind_the_back("drop table tombstones"), False, DAMAGED),
        (behind_the_back("drop table migrations"), False, DAMAGED),
        (behind_the_back("drop trigger counts_added"), False, DAMAGED),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_damage_is_named_and_everything_acknowledged_restored(
    cli: Cli,
    built: tuple[Path, dict[str, tuple[Memory, int]]],
    damage: Callable[[Path], None],
    noticed: bool,
    named: str,
) -> None:
    """A sentence instead of a traceback; `doctor` names it and leaves with 1; `doctor --fix` restores the exact set
    of memories with all that is in them; then all is well, and the damaged file is still there to be looked at."""
    original, acknowledged = built
    shutil.copytree(original, cli.home)
    damage(cli.home)
    found = {file.name: file.read_bytes() for file in cli.home.glob("memory.db*") if file.suffix != ".db-shm"}

    for command in (("list", "--all"), ("doctor",), ("note", "noted in spite of the damage", "-g")):
        said = attempt(cli, *command)
        assert "Traceback" not in said.stderr + said.stdout, said
        if command[0] == "doctor":
            assert said.returncode == 1
            assert re.search(named, said.stdout), said
        elif noticed or said.returncode:
            assert is_a_sentence(said), said
            assert re.search(DAMAGED, said.stderr), said
        kept = said.returncode == 0

    cli.run("doctor", "--fix")
    with opened(cli.home) as store:
        restored = contents(store)
        extra = {id: memory.body for id, (memory, _) in restored.items() if id not in acknowledged}
        assert list(extra.values()) == (["noted in spite of the damage"] if kept else [])
        assert {id: restored.get(id) for id in acknowledged} == acknowledged
        assert repair.differences(store) == []
        assert {project.name for project in projects.listed(store)} == {"two", "another name"}
    assert "!!" not in cli.run("doctor").stdout
    if noticed and found:
        (aside,) = (cli.home / "copies").glob("damaged-*")
        kept_aside = {file.name: file.read_bytes() for file in aside.iterdir() if file.suffix != ".db-shm"}
        if not kept_aside.get("memory.db-wal"):  # an empty one is as good as none
            kept_aside.pop("memory.db-wal", None)
        assert kept_aside == found
    assert cli.json("note", "noted after the repair", "-g")["status"] == "created"


def test_a_damaged_home_can_go_on_as_before(cli: Cli, built: tuple[Path, dict[str, tuple[Memory, int]]]) -> None:
    """A restored store has a device of its own and can still undo what was done before the damage."""
    shutil.copytree(built[0], cli.home)
    deleted(cli.home)
    cli.run("doctor", "--fix")
    before = len(bodies(cli.home))
    assert "undone" in cli.run("undo").stdout
    assert len(bodies(cli.home)) == before - 1


def test_a_missing_file_is_not_replaced_by_an_empty_one(cli: Cli) -> None:
    """A home with copies and no database has lost it; a new home has neither and begins."""
    cli.run("note", "the first", "-g")
    (cli.home / "memory.db").unlink()
    for command in (("note", "the second", "-g"), ("list", "-g"), ("import", "/dev/null")):
        said = cli.run(*command, code=1)
        assert is_a_sentence(said), said
        assert "doctor --fix" in said.stderr
    assert not (cli.home / "memory.db").exists()
    shutil.rmtree(cli.home / "copies")
    shutil.rmtree(cli.home / "global")  # what its KNOWLEDGE.md says would be taken in
    cli.run("note", "begun anew", "-g")
    assert bodies(cli.home) == ["begun anew"]
