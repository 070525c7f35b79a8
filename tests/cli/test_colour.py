"""Escape codes: at a terminal that shows them, and only there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.commandline import Cli

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CALLS = [["doctor"], ["status"], ["recall", "redis"], ["uninstall", "--dry-run"]]


@pytest.fixture
def filled(cli: Cli) -> Iterator[Cli]:
    """A memory, and a client whose settings `setup` and `uninstall` change line by line."""
    settings = cli.home.parent / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    cli.run("note", "The tests need Redis")
    cli.run("setup", "--user-hooks", "--yes")
    yield cli
    cli.run("daemon", "stop")  # which the doctor's call of a hook has started


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_terminal_gets_colours(filled: Cli, call: list[str]) -> None:
    """Where nobody says otherwise; a pipe gets none."""
    assert COLOUR.search(filled.person(*call))
    assert not COLOUR.search(filled.run(*call).stdout)
    assert COLOUR.search(filled.person(*call, env={"NO_COLOR": ""}))


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("unwanted", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_colours_can_be_unwanted(filled: Cli, call: list[str], unwanted: dict[str, str]) -> None:
    """By the variable NO_COLOR, as everywhere, and at a terminal that has none."""
    assert not COLOUR.search(filled.person(*call, env=unwanted))


def test_setup_without_colours(cli: Cli) -> None:
    """The lines that it changes in a client's file, plain."""
    (cli.home.parent / ".claude").mkdir()
    call = ("setup", "--user-hooks", "--dry-run")
    assert "\x1b[32m+" in cli.person(*call)
    assert not COLOUR.search(cli.person(*call, env={"NO_COLOR": "1"}))
