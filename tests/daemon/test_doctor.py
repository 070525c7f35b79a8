"""What the doctor says of the daemon."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon import __version__
from tests.commandline import Cli
from tests.daemon.health import status
from tests.daemon.running import Daemon, until
from tests.daemon.test_takeover import versioned


@pytest.fixture
def cli(daemon: Daemon) -> Cli:
    """The command line of this daemon's home, with a client that is connected."""
    (daemon.folder.parent / ".claude").mkdir(mode=0o700)
    one = Cli(daemon.home.root, daemon.folder)
    one.run("setup", "--yes")
    return one


def said_of_daemon(cli: Cli, *options: str, code: int) -> dict[str, Any]:
    findings = cli.json("doctor", *options, code=code)["findings"]
    return next(one for one in findings if one["what"] == "daemon")


@pytest.mark.parametrize("version", ["0.0.9", "0.1.0rc1", "0.1.0rc1+corp.1"])
def test_an_older_daemon_is_named_and_stopped(daemon: Daemon, cli: Cli, version: str) -> None:
    """It would leave at the next event of a client; until then it answers as it did."""
    daemon.start(versioned(daemon, version))
    found = said_of_daemon(cli, code=1)
    assert not found["ok"]
    assert f"is version {version}, this command is {__version__}" in found["says"]
    until(lambda: not daemon.pids() or status(daemon)["version"] == __version__, "the doctor's own hooks replaced it")
    daemon.leave()
    pid = daemon.start(versioned(daemon, version))
    assert said_of_daemon(cli, "--fix", code=0)["ok"]
    assert pid not in daemon.pids()


def test_a_newer_daemon_is_named_and_left_alone(daemon: Daemon, cli: Cli) -> None:
    """Two installs, one home: the older one does not drive the newer one out, and it is said that there are two."""
    pid = daemon.start(versioned(daemon, "99.0rc1"))
    found = said_of_daemon(cli, "--fix", code=1)
    assert not found["ok"]
    assert "is version 99.0rc1" in found["says"]
    assert daemon.pids() == [pid]
