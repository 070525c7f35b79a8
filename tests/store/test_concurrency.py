"""Many processes at one home: nothing lost, nothing twice, nobody turned away."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import open_store
from hardwon.store.log import copy_file
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.support import contents, go, meanwhile, opened, output, ready, start

WRITERS = 20
NOTES = 50


def race(home: Path, prefixes: list[str]) -> list[str]:
    """One writer for each prefix, all let loose on the home at once; the ids that they were given."""
    writers = [start("note", home, prefix, NOTES) for prefix in prefixes]
    ready(*writers)
    go(*writers)
    return [id for writer in writers for id in output(writer)]


@pytest.mark.slow
def test_twenty_writers_begin_a_home_together_and_lose_nothing(tmp_path: Path) -> None:
    """W52: A home that does not exist yet takes 20 x 50 notes at once, while a reader always gets an answer."""
    home = tmp_path / "home"
    with meanwhile("read", home) as reader:
        ids = race(home, [f"writer {number}" for number in range(WRITERS)])
    assert reader.returncode == 0, reader.communicate()

    assert len(set(ids)) == WRITERS * NOTES
    with opened(home) as store:
        assert {memory.id for memory in memories.all_memories(store)} == set(ids)
        assert store.value("select count(*) from records") == WRITERS * NOTES
        assert store.value("select count(distinct device) from records") == 1
        assert repair.damage(store) == []
        assert repair.differences(store) == []
        before = contents(store)
        repair.rebuild(store)
        assert contents(store) == before


@pytest.mark.slow
def test_twenty_writers_of_the_same_texts_make_each_once_and_count_the_others(tmp_path: Path) -> None:
    """50 texts noted by 20 processes are 50 memories, and each was learned 19 times again."""
    ids = race(tmp_path / "home", ["the same"] * WRITERS)
    assert len(ids) == WRITERS * NOTES
    with opened(tmp_path / "home") as store:
        assert {id: hits for id, (_, hits) in contents(store).items()} == dict.fromkeys(ids, WRITERS - 1)
        assert len(contents(store)) == NOTES
        assert repair.differences(store) == []


def test_commands_at_the_same_moment_all_succeed(cli: Cli) -> None:
    """Six commands at a time on a new home: every one answers, every acknowledged id is there, none says an error."""
    texts = [f"lesson {number} of the command line" for number in range(24)]
    with ThreadPoolExecutor(6) as pool:
        noting = pool.map(lambda text: cli.json("note", text), texts)
        listing = pool.map(lambda _: cli.json("list", "--all"), range(6))
        noted = list(noting)
        assert [one["total"] for one in listing if one["total"] > len(texts)] == []
    assert [one["status"] for one in noted] == ["created"] * len(texts)
    found = cli.json("list", "--limit", "100")
    assert {one["id"] for one in found["items"]} == {one["id"] for one in noted}
    assert json.loads(cli.run("project", "list", "--json").stdout)["total"] == 1, "one folder is one project"


def test_readers_of_a_home_that_does_not_exist_make_nothing(tmp_path: Path) -> None:
    """Looking is not a reason to make a folder."""
    with opened(tmp_path / "home", write=False) as store:
        assert contents(store) == {}
    assert not (tmp_path / "home").exists()


def test_copies_taken_at_the_same_moment_lose_nothing(tmp_path: Path) -> None:
    """Two processes that take a copy while others write: each line is in the copy or still in the redo log."""
    home = Home(tmp_path / "home")
    with opened(home.root):
        pass
    writers = [start("note", home.root, f"writer {number}", NOTES) for number in range(2)]
    copiers = [start("copy", home.root, 10) for _ in range(3)]
    ready(*writers, *copiers)
    go(*copiers, *writers)
    ids = set(itertools.chain.from_iterable(output(writer) for writer in writers))
    for copier in copiers:
        output(copier)
    assert [path.name for path in home.copies.iterdir() if path.suffix not in (".db", ".log")] == []
    assert len(copy_file.found(home)) <= Settings().store.copies

    home.database.unlink()
    for rest in home.root.glob("memory.db-*"):
        rest.unlink()
    repair.restore(home, Settings(), 0)
    with open_store(home, Settings()) as store:
        assert contents(store).keys() == ids
