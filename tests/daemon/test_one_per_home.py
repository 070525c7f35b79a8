"""The daemon as a process: one per home, and nobody else can reach it."""

from __future__ import annotations

import os
import signal

from hardwon.daemon import lifecycle
from hardwon.paths import Home
from tests.daemon.health import status
from tests.daemon.running import PATIENCE, Daemon, place, until
from tests.daemon.session import Session


def test_twenty_starters_make_one_daemon(daemon: Daemon) -> None:
    """W51: At the same moment, in a home that does not exist yet; the others leave at once and without a word."""
    starters = [daemon.spawn() for _ in range(20)]
    for starter in starters:
        daemon.reaped(starter)
    until(daemon.status, "one came up")
    until(lambda: len(daemon.pids()) == 1, "the others left", 15)
    assert daemon.pids() == [status(daemon)["pid"]]
    assert sorted({starter.poll() for starter in starters}, key=str) == [0, None]
    assert daemon.log == ""
    assert Session(daemon).start() == ""


def test_a_second_starter_leaves_at_once(daemon: Daemon) -> None:
    """The daemon that runs is not disturbed."""
    pid = daemon.start()
    second = daemon.spawn()
    assert second.wait(PATIENCE) == 0
    assert daemon.pids() == [pid]


def test_two_homes_have_two_daemons(daemon: Daemon) -> None:
    """They know nothing of each other."""
    with place() as other:
        assert daemon.start() != other.start()
        Session(daemon).prompt("here")
        Session(other).prompt("there")
        daemon.leave()
        other.leave()
        assert [event.text for event in daemon.journal()] == ["here"]
        assert [event.text for event in other.journal()] == ["there"]


def test_nobody_else_can_reach_it(daemon: Daemon) -> None:
    """The home 0700, the socket 0600, every file 0600; also with a careless umask."""
    old = os.umask(0)
    try:
        daemon.start()
    finally:
        os.umask(old)
    Session(daemon).prompt("something")
    daemon.exchange(b"garbage")
    daemon.settle()
    assert daemon.home.root.stat().st_mode & 0o777 == 0o700
    assert daemon.home.socket.stat().st_mode & 0o777 == 0o600
    loose = [path.name for path in daemon.home.root.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    assert loose == []


def test_a_home_with_a_long_path_has_its_socket_elsewhere(daemon: Daemon) -> None:
    """A socket's path has 103 bytes on a Mac; the folder that holds it is its user's alone, and goes with it."""
    daemon.home = Home(daemon.home.root.parent / ("long" * 30) / "h")
    daemon.start()
    assert not daemon.home.socket.is_relative_to(daemon.home.root)
    assert daemon.home.socket.parent.stat().st_mode & 0o777 == 0o700
    assert daemon.home.socket.stat().st_mode & 0o777 == 0o600
    assert Session(daemon).prompt("hello") == ""
    daemon.leave()
    assert not daemon.home.socket.parent.exists()


def test_of_one_that_was_killed_the_folder_of_the_socket_goes_with_stop(daemon: Daemon) -> None:
    """Whether it is ended by that, or was gone before; not while one runs."""
    daemon.home = Home(daemon.home.root.parent / ("long" * 30) / "h")
    os.kill(daemon.start(), signal.SIGSTOP)
    assert lifecycle.stop(daemon.home)
    assert not daemon.home.socket.parent.exists()
    daemon.start()
    daemon.kill()
    assert daemon.home.socket.exists()
    lifecycle.stop(daemon.home)
    assert not daemon.home.socket.parent.exists()
