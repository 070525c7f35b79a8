"""A home that can't be written: it can be read, and changes are refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.commandline import Cli
from tests.store.faults.box import Box, boxed
from tests.store.faults.homes import killed_writer
from tests.store.faults.said import is_a_sentence
from tests.support import bodies


@pytest.fixture
def read_only(cli: Cli) -> Iterator[Box]:
    """A home with three memories, one of them not yet in the database file, on a disk that can't be written."""
    for number in range(2):
        cli.run("note", f"lesson {number}", "-g")
    killed_writer(cli.home, "lesson in the log", 1)
    with boxed(cli, f"mount --bind {cli.home} {cli.home} && mount -o remount,ro,bind {cli.home}") as box:
        yield box


def test_a_read_only_home_can_be_read(read_only: Box) -> None:
    """Everything that only looks works, and sees all that was acknowledged."""
    expected = bodies(read_only.cli.home)
    assert len(expected) > 2
    assert read_only.bodies() == expected
    for command in (("search", "lesson", "-g"), ("recall", "lesson in the log", "-g"), ("status",), ("export",)):
        said = read_only.hardwon(*command)
        assert said.returncode == 0, said


def test_a_read_only_home_refuses_changes_in_a_sentence(read_only: Box) -> None:
    """Whatever would write says that it can't, and `doctor` names it."""
    before = bodies(read_only.cli.home)
    for command in (("note", "one more", "-g"), ("undo",), ("pause",), ("import", "/dev/null")):
        said = read_only.hardwon(*command)
        assert is_a_sentence(said), said
        assert "writ" in said.stderr
    doctor = read_only.hardwon("doctor")
    assert doctor.returncode == 1
    assert "can't be written" in doctor.stdout
    assert bodies(read_only.cli.home) == before
