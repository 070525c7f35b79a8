"""A newer version takes over from an older daemon, never the other way round, and nothing is lost."""

from __future__ import annotations

import json
import sys
import time

import pytest

from hardwon import __version__
from tests.daemon.health import status
from tests.daemon.running import PATIENCE, Daemon, framed, until
from tests.daemon.session import Session

OTHER_VERSION = (
    "import sys, hardwon; hardwon.__version__ = sys.argv[2]; "
    "from hardwon.daemon.__main__ import main; main(sys.argv[1], 'run')"
)


def versioned(daemon: Daemon, version: str) -> list[str]:
    return [sys.executable, "-I", "-c", OTHER_VERSION, str(daemon.home.root), version]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        *(("0.0.9", __version__), (__version__, "0.10.0"), ("0.9.0", "0.10.0"), ("0.9.0", "0.10.0rc1")),
        *(("0.10.0rc1", "0.10.0"), ("0.9.0", "0.9.0+corp.1")),
    ],
)
def test_a_newer_version_takes_over(daemon: Daemon, older: str, newer: str) -> None:
    """The older one drains and leaves, nothing is lost, and the newer one answers. 0.10 is newer than 0.9, and a
    pre-release or a build of one's own is a version, too."""
    first = daemon.start(versioned(daemon, older))
    assert status(daemon)["version"] == older
    session = Session(daemon)
    for number in range(20):
        message = session.message("PostToolUse-Bash", tool_use_id=f"c{number}")
        daemon.exchange(framed("PostToolUse", json.dumps(message).encode(), version=older))
    daemon.reaped(daemon.spawn(versioned(daemon, newer)))
    until(lambda: (daemon.status() or {}).get("version") == newer, "the newer one is there")
    assert daemon.pids() == [status(daemon)["pid"]] != [first]
    assert len(daemon.journal()) == 20


def test_an_older_version_does_not_take_over(daemon: Daemon) -> None:
    """Two installs, one home: the newer one stays, or they would drive each other out for ever."""
    pid = daemon.start(versioned(daemon, "0.10.0"))
    older = daemon.spawn(versioned(daemon, "0.9.0"))
    assert older.wait(PATIENCE) == 0
    assert daemon.pids() == [pid]
    assert status(daemon)["version"] == "0.10.0"


@pytest.mark.parametrize(
    ("version", "stays"),
    [
        ("0.10.0", False),
        ("99.0rc1", False),
        (f"{__version__}+corp.1", False),
        (__version__, True),
        ("0.0.1", True),
        ("@VERSION@", True),
        ("x", True),
    ],
)
def test_a_newer_hook_client_makes_it_leave(daemon: Daemon, version: str, stays: bool) -> None:
    """So that the daemon of the new install can come; the message itself is kept. An odd version is no newer one."""
    pid = daemon.start()
    message = json.dumps(Session(daemon).message("UserPromptSubmit", prompt="hello")).encode()
    daemon.exchange(framed("UserPromptSubmit", message, version=version))
    if stays:
        time.sleep(0.3)
        assert daemon.pids() == [pid]
    else:
        until(lambda: not daemon.pids(), "it left")
    daemon.leave()
    assert [event.text for event in daemon.journal()] == ["hello"]
