"""`hardwon daemon status`: what a person reads there."""

from __future__ import annotations

import re

from tests.commandline import Cli
from tests.daemon.running import Daemon
from tests.daemon.session import Session


def counted(cli: Cli) -> int:
    return int(cli.json("daemon", "status")["sessions"])


def test_a_session_counts_until_it_ends(daemon: Daemon) -> None:
    """One that goes on after its end counts again."""
    daemon.start()
    cli = Cli(daemon.home.root, daemon.folder)
    cli.run("note", "The tests need Redis")
    one, other = Session(daemon, "s1"), Session(daemon, "s2")
    one.start()
    other.start()
    assert counted(cli) == 2
    one.end()
    assert counted(cli) == 1
    other.end()
    assert counted(cli) == 0
    one.prompt("and now the tests")
    assert counted(cli) == 1


def test_a_time_is_a_date(daemon: Daemon) -> None:
    """Milliseconds are for programs, and what there is none of yet has no line or says so."""
    daemon.start()
    cli = Cli(daemon.home.root, daemon.folder)
    before = cli.run("daemon", "status").stdout
    assert re.search(r"^last kept +nothing yet$", before, re.MULTILINE)
    assert "None" not in before
    one = Session(daemon)
    one.start()
    one.prompt("run the tests")
    daemon.settle()
    assert re.search(r"^last kept +20\d\d-\d\d-\d\d \d\d:\d\d UTC$", cli.run("daemon", "status").stdout, re.MULTILINE)
    assert cli.json("daemon", "status")["last_kept"] > 1_700_000_000_000


def test_what_starts_it_next(daemon: Daemon) -> None:
    """A hook, where there is one; else who wants one is told how."""
    cli = Cli(daemon.home.root, daemon.folder)
    alone = "not running, and no client is set up: `hardwon setup` connects one\n"
    assert cli.run("daemon", "status").stdout == alone
    (daemon.folder.parent / ".claude").mkdir()
    cli.run("setup", "--yes")
    cli.run("daemon", "stop")
    assert cli.run("daemon", "status").stdout == "not running: the next hook starts it\n"
    cli.run("uninstall", "--yes")
    assert cli.run("daemon", "status").stdout == alone
    assert cli.json("daemon", "status") == {"running": False}
