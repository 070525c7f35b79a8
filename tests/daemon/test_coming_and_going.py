"""The daemon comes when it is needed and goes when it is not, and what it heard is kept."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from hardwon.daemon import ask, lifecycle
from tests.daemon.running import Daemon, until
from tests.daemon.session import Session


def test_an_idle_daemon_leaves_nothing_behind(daemon: Daemon) -> None:
    """W51: No process, no socket; and everything that it heard is kept."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS="1")
    Session(daemon).prompt("the last words")
    until(lambda: not daemon.pids(), "it left")
    assert not daemon.home.socket.exists()
    assert [event.text for event in daemon.journal()] == ["the last words"]
    daemon.start()


def test_it_does_not_stay_in_the_folder_that_it_was_started_from(daemon: Daemon) -> None:
    """The disk that the project is on can be unmounted; what is heard is kept all the same."""
    there = Path.cwd()
    os.chdir(daemon.folder)
    try:
        pid = daemon.start()
    finally:
        os.chdir(there)
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    Session(daemon).prompt("hello")
    daemon.leave()
    assert [event.text for event in daemon.journal()] == ["hello"]


def test_a_connection_keeps_it_from_leaving(daemon: Daemon) -> None:
    """Somebody is in the middle of a message."""
    pid = daemon.start(HARDWON_DAEMON_IDLE_SECONDS="1")
    with daemon.connect() as connection:
        connection.sendall(b"1 0.1.0 ")
        time.sleep(2.5)
        assert daemon.pids() == [pid]
    until(lambda: not daemon.pids(), "it left")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_makes_it_write_everything_down_first(daemon: Daemon, number: signal.Signals) -> None:
    """A hundred messages, then the signal: a hundred lines in the journal."""
    pid = daemon.start()
    session = Session(daemon)
    for number_ in range(100):
        session.passed(f"make {number_}")
    os.kill(pid, number)
    until(lambda: not daemon.pids(), "it left")
    assert len(daemon.journal()) == 100
    assert not daemon.home.socket.exists()


def test_after_a_kill_the_next_one_goes_on(daemon: Daemon) -> None:
    """Its socket file and its lock file are still there, and in nobody's way."""
    daemon.start()
    session = Session(daemon)
    session.prompt("before")
    daemon.settle()
    daemon.kill()
    assert daemon.home.socket.exists()
    daemon.start()
    session.prompt("after")
    daemon.leave()
    assert [event.text for event in daemon.journal()] == ["before", "after"]


def test_it_leaves_when_its_socket_is_gone(daemon: Daemon) -> None:
    """Nobody could reach it any more; what it holds is written down."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS="4")
    Session(daemon).prompt("heard")
    daemon.home.socket.unlink()
    until(lambda: not daemon.pids(), "it left")
    assert [event.text for event in daemon.journal()] == ["heard"]


def test_it_does_not_take_away_the_socket_of_another(daemon: Daemon) -> None:
    """Somebody put a file of the same name there: it is not ours."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS="4")
    daemon.home.socket.unlink()
    daemon.home.socket.write_text("not ours")
    until(lambda: not daemon.pids(), "it left")
    assert daemon.home.socket.read_text() == "not ours"
    daemon.home.socket.unlink()


def test_a_starter_waits_for_one_that_is_leaving(daemon: Daemon) -> None:
    """While the old one drains it still holds the lock; an event that comes just then must find a daemon."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="3")
    session = Session(daemon)
    session.prompt("first")
    daemon.settle()
    with daemon.store(write=True) as store, store.transaction():  # so that it can't leave at once
        session.prompt("second")
        ask.ask_socket(daemon.home.socket, "leave")
        until(lambda: not daemon.home.socket.exists(), "it is leaving")
        assert daemon.pids()
        daemon.reaped(daemon.spawn())
        time.sleep(0.5)
    until(daemon.status, "the next one is there")
    daemon.leave()
    assert [event.text for event in daemon.journal()] == ["first", "second"]


def test_one_that_does_not_answer_is_ended_soon(daemon: Daemon) -> None:
    """It has not even begun to leave: nothing is gained by waiting until it would have written everything down."""
    os.kill(daemon.start(), signal.SIGSTOP)
    began = time.monotonic()
    assert lifecycle.stop(daemon.home)
    assert time.monotonic() - began < 8
    until(lambda: not daemon.pids(), "it is gone")


def test_one_that_is_leaving_has_time_to_write_everything_down(daemon: Daemon) -> None:
    """Whoever asks it to stop waits for it, also one who asks a second time."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="10")
    session = Session(daemon)
    session.prompt("first")
    daemon.settle()
    stopping = [threading.Thread(target=lifecycle.stop, args=(daemon.home,)) for _ in range(2)]
    with daemon.store(write=True) as store, store.transaction():
        session.prompt("second")
        for one in stopping:
            one.start()
            time.sleep(2.5)
        assert daemon.pids()
        assert all(one.is_alive() for one in stopping)
    for one in stopping:
        one.join(20)
    until(lambda: not daemon.pids(), "it left")
    assert [event.text for event in daemon.journal()] == ["first", "second"]
