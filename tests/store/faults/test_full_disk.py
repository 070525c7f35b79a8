"""A disk that is full: a sentence, and nothing acknowledged is lost."""

from __future__ import annotations

import re
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
        assert re.search("is full|failed", said.stderr), said
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
