"""A home that is removed, moved or replaced under a running daemon: it leaves, and writes nothing in that place."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.paths import Home
from tests.daemon.running import Daemon, framed, until
from tests.daemon.session import Session
from tests.support import note, opened

SOON = "8"
"""Seconds until an idle one leaves; a quarter of them is how often it looks whether its home is still there."""


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def removed(home: Path) -> None:
    shutil.rmtree(home)


def moved_away(home: Path) -> None:
    home.rename(home.with_name("elsewhere"))


def replaced(home: Path) -> None:
    home.rename(home.with_name("elsewhere"))
    home.mkdir(mode=0o700)


def removed_and_made_again(home: Path) -> None:
    """The file system may give the new folder the number of the old one."""
    shutil.rmtree(home)
    home.mkdir(mode=0o700)


def restored(home: Path) -> None:
    """A backup without what was heard last; another process is to open it first."""
    shutil.copytree(home, home.with_name("backup"), ignore=shutil.ignore_patterns("daemon.sock"))
    shutil.rmtree(home)
    home.with_name("backup").rename(home)


WAYS = [removed, moved_away, replaced, removed_and_made_again]


def heard_much(daemon: Daemon) -> None:
    """Prompts that are kept, and a call that is not yet believed to have been refused."""
    session = Session(daemon)
    session.start()
    session.prompt("the tests need Redis")
    session.batch(("c1", "Bash", {"command": "rm -rf build"}, "denied"))
    daemon.settle()


@pytest.mark.parametrize("way", WAYS)
def test_a_daemon_whose_home_is_gone_ends_and_writes_nothing(daemon: Daemon, way: Callable[[Path], None]) -> None:
    """Else an empty memory would stand where somebody is about to put a backup."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS=SOON)
    heard_much(daemon)
    way(daemon.home.root)
    until(lambda: not daemon.pids(), "it left")
    assert not daemon.home.root.exists() or everything(daemon.home.root) == []


@pytest.mark.parametrize("way", WAYS)
def test_the_job_that_makes_vectors_writes_nothing_either(daemon: Daemon, way: Callable[[Path], None]) -> None:
    """It looks a second after each message, whatever became of the home meanwhile."""
    pytest.importorskip("onnxruntime")
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS=SOON, HARDWON_VECTORS_MODEL="packaged")
    with daemon.store(write=True) as store:
        for number in range(300):
            note(store, f"lesson {number} of many, so that it is not done at once")
    Session(daemon).prompt("the tests need Redis")
    daemon.settle()
    way(daemon.home.root)
    until(lambda: not daemon.pids(), "it left")
    assert not daemon.home.root.exists() or everything(daemon.home.root) == []


def test_a_backup_that_is_put_back_is_not_written_to(daemon: Daemon) -> None:
    """What the old daemon still held is of the home that is gone."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS=SOON)
    heard_much(daemon)
    restored(daemon.home.root)
    database = daemon.home.database
    before = (everything(daemon.home.root), database.read_bytes(), database.with_name("memory.db-wal").read_bytes())
    until(lambda: not daemon.pids(), "it left")
    after = (everything(daemon.home.root), database.read_bytes(), database.with_name("memory.db-wal").read_bytes())
    assert after == before
    with opened(daemon.home.root, write=False) as store:
        assert store.value("select count(*) from journal") >= 2


@pytest.mark.parametrize(
    "message",
    [
        b"garbage",
        b'1 0.1.0 mcp note 5000\n{"arguments": {"text": "the tests need Redis"}}',
        b'1 0.1.0 claude-code UserPromptSubmit 5000\n{"session_id": "s1", "prompt": "anybody there?"}',
        b'1 0.1.0 claude-code SessionEnd 0\n{"session_id": "s1"}',
    ],
    ids=["garbage", "a tool", "a prompt", "the end of a session"],
)
def test_a_message_to_a_daemon_whose_home_is_gone_makes_no_home(daemon: Daemon, message: bytes) -> None:
    """One with a long path has its socket elsewhere, and can still be reached."""
    daemon.home = Home(daemon.home.root.parent / ("h" * 100))
    daemon.start()
    heard_much(daemon)
    shutil.rmtree(daemon.home.root)
    assert daemon.exchange(message) == b""
    until(lambda: not daemon.pids(), "it left")
    assert not daemon.home.root.exists()
    assert not daemon.home.socket.parent.exists()


def test_an_event_that_nobody_took_makes_no_home(daemon: Daemon) -> None:
    """The home was removed while a hook's helper waited for a daemon: nothing is written down."""
    message = framed("UserPromptSubmit", b'{"session_id": "s1", "prompt": "anybody there?"}')
    subprocess.run(daemon.command("spool"), input=message, env=daemon.environ(), capture_output=True, check=False)
    assert not daemon.home.root.exists()
