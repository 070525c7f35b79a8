"""A disk that is full: a sentence, and nothing acknowledged is lost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commandline import Cli
from tests.store.faults.box import Box, boxed
from tests.store.faults.said import is_a_sentence


@pytest.fixture
def small_disk(cli: Cli, tmp_path: Path) -> Iterator[Box]:
    """The home on a disk of two megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with boxed(Cli(disk / "home", cli.folder), f"mount -t tmpfs -o size=2m tmpfs {disk}") as box:
        yield box


def fill(box: Box, leave: int) -> None:
    """Fill the disk up to this many bytes."""
    disk = box.cli.home.parent
    free = f"$(( ($(stat -f -c '%a * %S' {disk})) - {leave} ))"
    done = box.run("sh", "-c", f"rm -f {disk}/filler; size={free}; head -c $size /dev/zero > {disk}/filler")
    assert done.returncode == 0, done


def empty(box: Box) -> None:
    box.run("rm", str(box.cli.home.parent / "filler"))


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_acknowledged(small_disk: Box) -> None:
    """With any amount of space left: kept and there, or a sentence and not there; also after the file is damaged."""
    acknowledged = ["before the disk was full"]
    assert small_disk.hardwon("note", acknowledged[0], "-g").returncode == 0
    refused = 0
    for kilobytes in (200, 120, 88, 72, 64, 56, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 0):
        fill(small_disk, kilobytes * 1024)
        text = f"noted with {kilobytes} kilobytes left, {'and a few words more ' * 10}"
        said = small_disk.hardwon("note", text, "-g")
        if said.returncode == 0:
            acknowledged.append(text.strip()[:159] + "…")
            continue
        refused += 1
        assert is_a_sentence(said), said
        assert "is full" in said.stderr, said
        assert "kept" not in said.stdout
    assert 2 < refused < 16
    looked = small_disk.hardwon("list", "-g")
    assert looked.returncode == 0 or is_a_sentence(looked), looked

    empty(small_disk)
    assert small_disk.bodies() == sorted(acknowledged)
    assert small_disk.hardwon("doctor").stdout.count("!!") == 1, "the disk is small, and nothing else is wrong"
    assert small_disk.hardwon("note", "after the disk was full", "-g").returncode == 0
    acknowledged.append("after the disk was full")
    assert small_disk.bodies() == sorted(acknowledged)

    small_disk.run("sh", "-c", f"echo rubbish > {small_disk.cli.home}/memory.db")
    small_disk.hardwon("doctor", "--fix")
    assert small_disk.bodies() == sorted(acknowledged)


def test_upkeep_on_a_full_disk_does_not_deny_what_was_kept(small_disk: Box) -> None:
    """The note is kept; that no copy could be taken is a remark, not a failure of the note."""
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    script = "import apsw, sys; apsw.Connection(sys.argv[1]).execute(sys.argv[2])"
    never = "update meta set value = '0' where key = 'upkeep_at'"
    small_disk.run(sys.executable, "-c", script, str(small_disk.cli.home / "memory.db"), never)
    small_disk.run("sh", "-c", f"rm {small_disk.cli.home}/copies/*.db")
    fill(small_disk, 150 * 1024)
    said = small_disk.hardwon("note", "the second", "-g")
    assert said.returncode == 0, said
    assert said.stdout.startswith("kept")
    assert "full" in said.stderr
    assert "Traceback" not in said.stderr
    assert "nothing was written" not in said.stderr
    assert small_disk.run("find", str(small_disk.cli.home), "-name", "*.draft").stdout == ""
    empty(small_disk)
    assert small_disk.bodies() == ["the first", "the second"]


def test_a_new_home_on_a_full_disk_is_refused_in_a_sentence(small_disk: Box) -> None:
    """Nothing half-made is left that would stand in the way when there is space again."""
    fill(small_disk, 4 * 1024)
    assert is_a_sentence(small_disk.hardwon("note", "the first", "-g"))
    empty(small_disk)
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    assert small_disk.bodies() == ["the first"]


def test_a_full_disk_can_be_read(small_disk: Box) -> None:
    """Everything that only looks works without a byte to spare; what would write says that the disk is full."""
    for number in range(3):
        assert small_disk.hardwon("note", f"lesson {number}", "-g").returncode == 0
    for left in (0, 24 * 1024):
        fill(small_disk, left)
        assert small_disk.bodies() == [f"lesson {number}" for number in range(3)]
        for command in (("search", "lesson", "-g"), ("recall", "lesson", "-g"), ("status",), ("export",)):
            said = small_disk.hardwon(*command)
            assert said.returncode == 0, said
        for command in (("note", "one more", "-g"), ("undo",), ("pause",)):
            said = small_disk.hardwon(*command)
            assert is_a_sentence(said), said
            assert "is full; nothing was written. Free some space, try again." in said.stderr
    empty(small_disk)
    assert small_disk.hardwon("note", "lesson 3", "-g").returncode == 0
    assert small_disk.bodies() == [f"lesson {number}" for number in range(4)]


READER = """
import sys
from pathlib import Path
from hardwon.store.tables import memories
from tests.support import note, opened

home = Path(sys.argv[1])
reader = opened(home, write=False)
assert not reader.writable and not reader.is_gone
bodies = lambda store: [memory.body for memory in memories.all_memories(store)]
assert bodies(reader) == ["the first"] and not reader.is_gone
(home.parent / "filler").unlink()
with opened(home) as writer:
    note(writer, "the second")
    assert reader.is_gone
assert reader.is_gone
reader.close()
with opened(home, write=False) as again:
    assert sorted(bodies(again)) == ["the first", "the second"] and not again.is_gone
"""

KILLED_WRITER = """
import os, sys
from pathlib import Path
from tests.support import note, opened

store = opened(Path(sys.argv[1]))
note(store, "the second")
os._exit(0)
"""


def python(box: Box, script: str) -> None:
    source = f"PYTHONPATH={Path(__file__).parents[3]}"
    done = box.run("env", source, sys.executable, "-c", script, str(box.cli.home))
    assert done.returncode == 0, done


def test_who_reads_on_a_full_disk_notices_when_there_is_room_again(small_disk: Box) -> None:
    """As the daemon does: a file that was read as unchanging has to be opened anew once somebody could write."""
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    fill(small_disk, 0)
    python(small_disk, READER)


def test_memories_that_are_in_the_wal_alone_are_not_passed_over(small_disk: Box) -> None:
    """A writer was killed and its WAL can't be read on a full disk: that is said, instead of less than there is."""
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    python(small_disk, KILLED_WRITER)
    small_disk.run("rm", f"{small_disk.cli.home}/memory.db-shm")
    fill(small_disk, 0)
    said = small_disk.hardwon("list", "-g")
    assert is_a_sentence(said), said
    assert "is full" in said.stderr
    empty(small_disk)
    assert small_disk.bodies() == ["the first", "the second"]
