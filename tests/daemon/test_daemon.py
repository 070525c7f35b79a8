"""The daemon as a process: one per home, there when needed, gone when not, and hard to upset."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hardwon import __version__
from hardwon.daemon import ask
from hardwon.event import Event, EventType, Tier
from hardwon.memory import Kind
from hardwon.paths import Home
from hardwon.store import journal
from tests.daemon.running import (
    PATIENCE,
    Daemon,
    children,
    framed,
    handles,
    keep,
    keep_fixed,
    place,
    project_of,
    resident,
    until,
)
from tests.daemon.session import Session
from tests.support import files_with, now

MEGABYTE = 1_000_000
MOST_MEMORY = 60 * MEGABYTE
SECRET = "ghp_" + "x7Kq2" * 7 + "a"


def status(daemon: Daemon) -> dict[str, Any]:
    found = daemon.status()
    assert found is not None, "it does not answer"
    return found


# One per home


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
    """A socket's path has 103 bytes on a Mac; the folder that holds it is its user's alone."""
    runtime = daemon.folder.parent / "run"
    runtime.mkdir(mode=0o700)
    daemon.home = Home(daemon.home.root.parent / ("long" * 30) / "h", runtime)
    daemon.environment["XDG_RUNTIME_DIR"] = str(runtime)
    daemon.start()
    assert daemon.home.socket.is_relative_to(runtime)
    assert daemon.home.socket.parent.stat().st_mode & 0o777 == 0o700
    assert daemon.home.socket.stat().st_mode & 0o777 == 0o600
    assert Session(daemon).prompt("hello") == ""
    daemon.leave()
    assert not daemon.home.socket.exists()


# Coming and going


def test_an_idle_daemon_leaves_nothing_behind(daemon: Daemon) -> None:
    """W51: No process, no socket; and everything that it heard is kept."""
    daemon.start(HARDWON_DAEMON_IDLE_SECONDS="1")
    Session(daemon).prompt("the last words")
    until(lambda: not daemon.pids(), "it left")
    assert not daemon.home.socket.exists()
    assert [event.text for event in daemon.journal()] == ["the last words"]
    daemon.start()


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


OTHER_VERSION = (
    "import sys, hardwon; hardwon.__version__ = sys.argv[2]; "
    "from hardwon.daemon.__main__ import main; main(sys.argv[1], 'run')"
)


def versioned(daemon: Daemon, version: str) -> list[str]:
    return [sys.executable, "-I", "-c", OTHER_VERSION, str(daemon.home.root), version]


@pytest.mark.parametrize(("older", "newer"), [("0.0.9", __version__), (__version__, "0.10.0"), ("0.9.0", "0.10.0")])
def test_a_newer_version_takes_over(daemon: Daemon, older: str, newer: str) -> None:
    """The older one drains and leaves, nothing is lost, and the newer one answers. 0.10 is newer than 0.9."""
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
    [("0.10.0", False), ("99.0", False), (__version__, True), ("0.0.1", True), ("@VERSION@", True), ("x", True)],
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


# Hard to upset

GARBAGE = [
    b"",
    b"\n",
    b"hello",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"1 0.1.0 claude-code Stop\n{}",
    b"1 0.1.0 claude-code Stop -5\n{}",
    b"2 0.1.0 claude-code Stop 250\n{}",
    b"1 0.1.0 claude-code Stop 250\nnot json",
    b"1 0.1.0 claude-code Stop 250\n{}",
    b"1 0.1.0 claude-code Stop 250\n[1, 2]",
    b'1 0.1.0 claude-code Stop 250\n{"session_id": 5}',
    b"1 0.1.0 claude-code Stop " + b"9" * 10_000 + b"\n{}",
    b"\xff\xfe" * 1_000,
    b"1 " * 100_000,
    random.Random(1).randbytes(100_000),
]


def works(daemon: Daemon) -> None:
    """It answers, and what it is told is kept."""
    mark = f"still here at {time.monotonic_ns()}"
    Session(daemon, "works").prompt(mark)
    until(lambda: mark in [event.text for event in daemon.journal("works")], "it is kept")


@pytest.mark.parametrize("raw", GARBAGE, ids=lambda raw: ascii(raw[:30]))
def test_garbage_is_counted_and_forgotten(daemon: Daemon, raw: bytes) -> None:
    """No answer, one line in the log that `doctor` shows, and everything goes on."""
    pid = daemon.start()
    assert daemon.exchange(raw) == b""
    works(daemon)
    assert status(daemon)["malformed"] == 1
    assert status(daemon)["pid"] == pid
    assert len(daemon.log.splitlines()) == 1


def test_a_malformed_message_is_logged_without_its_secrets(daemon: Daemon) -> None:
    """One short line that names the event; none of the payload's own words."""
    daemon.start()
    for payload in (f'{{"session_id": "s", "prompt": "{SECRET}"', f'{{"session_id": "s", "{SECRET}": 1}}', SECRET):
        daemon.exchange(framed("UserPromptSubmit", payload.encode()))
    daemon.exchange(f"1 0.1.0 claude-code {SECRET} 250\n{{}}".encode())
    daemon.exchange(f"{SECRET}\n".encode())
    works(daemon)
    assert daemon.log.count("UserPromptSubmit") == 3
    assert all(len(line) < 600 for line in daemon.log.splitlines())
    assert files_with(daemon.home.root, SECRET) == {}


def test_the_log_stays_small(daemon: Daemon) -> None:
    """However much goes wrong: it is turned over, and one old one is kept."""
    daemon.home.log.parent.mkdir(parents=True)
    daemon.home.log.write_text("x" * 600_000)
    daemon.start()
    daemon.exchange(b"garbage")
    works(daemon)
    assert len(daemon.log) < 1_000
    assert {path.name for path in daemon.home.log.parent.iterdir()} == {"hardwon.log", "hardwon.old.log"}


def test_events_and_clients_that_it_does_not_know_are_counted(daemon: Daemon) -> None:
    """A newer client may send what it likes; that is no error."""
    daemon.start()
    for name in ("PostThought", "Notification", "InstructionsLoaded"):
        assert daemon.exchange(framed(name, b"not even JSON")) == b""
    assert daemon.exchange(framed("Stop", b"{}", host="emacs")) == b""
    assert (status(daemon)["unknown"], status(daemon)["malformed"]) == (4, 0)
    assert daemon.log == ""


def half_closed(daemon: Daemon) -> socket.socket:
    """Wrote half of a message and went silent."""
    connection = daemon.connect()
    connection.sendall(b"1 0.1.0 claude-code Stop 250\n{")
    return connection


def deaf(daemon: Daemon) -> socket.socket:
    """Asks and will never read the answer."""
    connection = daemon.connect()
    message = json.dumps(Session(daemon).message("SessionStart-startup")).encode()
    connection.sendall(framed("SessionStart", message))
    connection.shutdown(socket.SHUT_WR)
    connection.shutdown(socket.SHUT_RD)
    return connection


def gone(daemon: Daemon) -> socket.socket:
    """Wrote half of a message and closed."""
    connection = half_closed(daemon)
    connection.close()
    return connection


@pytest.mark.parametrize("how", [half_closed, deaf, gone, lambda daemon: daemon.connect()])
def test_two_hundred_odd_connections_are_in_nobodys_way(daemon: Daemon, how: Callable[[Daemon], socket.socket]) -> None:
    """Hanging, deaf, half-closed, gone: an answer takes as long as without them, and is given."""
    with daemon.store(write=True) as store:
        keep(store, "use pnpm", Kind.RULE, folder=daemon.folder)
    pid = daemon.start()
    alone = timed(daemon, "a")
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(how(daemon))
        crowded = timed(daemon, "b")
        assert crowded < max(10 * alone, 0.25)
        assert Session(daemon, "c").start() != ""
    works(daemon)
    assert status(daemon)["pid"] == pid


def timed(daemon: Daemon, name: str, rounds: int = 15) -> float:
    """The median time of an answer, in seconds."""
    times = []
    for number in range(rounds):
        session = Session(daemon, f"{name}{number}")
        began = time.perf_counter()
        session.start()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


LARGE: dict[str, Callable[[int], str]] = {
    "lines": lambda size: "\n".join(f"{n}: error: cannot find /usr/lib/x{n}.so TOKEN={n}" for n in range(size // 50)),
    "one word": lambda size: "x" * size,
    "words": lambda size: "word error exited with 12 " * (size // 26),
    "tags": lambda size: "<hardwon>" * (size // 9),
    "paths": lambda size: "a/b/c_d.py:12 " * (size // 14),
    "escapes": lambda size: "\x1b[31m" * (size // 5),
    "漢字": lambda size: "漢字" * (size // 6),
}


@pytest.mark.parametrize("what", LARGE)
def test_large_messages_do_not_hold_up_the_others(daemon: Daemon, what: str) -> None:
    """While 5 MB of an error and 5 MB of a prompt are redacted and kept, others are answered as fast as ever."""
    with daemon.store(write=True) as store:
        keep(store, "use pnpm", Kind.RULE, folder=daemon.folder)
        keep_fixed(store, daemon.folder, "make test", times=1)
    pid = daemon.start()
    alone = timed(daemon, "a", 31)
    text = LARGE[what](5 * MEGABYTE)
    big = Session(daemon, "big")
    failure = big.message("PostToolUseFailure-Bash", error=f"Exit code 1\n{text}", tool_use_id="c1")
    prompt = big.message("UserPromptSubmit", prompt=text, prompt_id="p1")
    messages = [("PostToolUseFailure", json.dumps(failure)), ("UserPromptSubmit", json.dumps(prompt))]
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(daemon.exchange, framed(name, raw.encode(), 250)) for name, raw in messages]
        meanwhile = timed(daemon, "b", 31)
        for one in sent:
            one.result(PATIENCE)
    daemon.settle()
    assert meanwhile < max(6 * alone, 0.1)
    assert sorted(event.type for event in daemon.journal("big")) == ["prompt_submitted", "tool_failed"]
    assert status(daemon)["pid"] == pid


def test_a_message_without_end_is_cut_off(daemon: Daemon) -> None:
    """Above 32 MB it is malformed, whatever follows."""
    pid = daemon.start()
    with daemon.connect() as connection, contextlib.suppress(OSError):
        connection.sendall(b"1 0.1.0 claude-code Stop 250\n")
        for _ in range(40):
            connection.sendall(b"x" * MEGABYTE)
    works(daemon)
    assert status(daemon)["malformed"] == 1
    assert resident(pid) < 3 * MOST_MEMORY


def test_it_leaves_though_connections_hang(daemon: Daemon) -> None:
    """Asked to leave, it waits for those that are in the middle of a message, but not for ever."""
    pid = daemon.start()
    with contextlib.ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(half_closed(daemon))
        Session(daemon).prompt("heard")
        os.kill(pid, signal.SIGTERM)
        until(lambda: not daemon.pids(), "it left", 8)
    assert [event.text for event in daemon.journal()] == ["heard"]


def test_it_has_no_children(daemon: Daemon) -> None:
    """No git, no shell, no helper: whatever it is told, it does itself."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    pid = daemon.start()
    session = Session(daemon)
    seen: set[int] = set()
    for number in range(10):
        session.start()
        session.prompt(f"fix src/a{number}.py")
        session.failed("make", "Exit code 2\nboom")
        session.stop()
        seen.update(children(pid))
    assert seen == set()


# How much it takes


def test_memory_stays_under_sixty_megabytes(daemon: Daemon) -> None:
    """After two hundred events of every kind, some of them large."""
    with daemon.store(write=True) as store:
        project = project_of(store, daemon.folder)
        for number in range(200):
            keep(store, f"widget {number} needs care", project=project, skill="deploy" if number % 2 else "")
    pid = daemon.start()
    for number in range(20):
        session = Session(daemon, f"s{number}")
        session.start()
        session.prompt(f"change widget {number}")
        session.skill("deploy", "widgets")
        session.before("make test")
        session.failed("make test", "Exit code 2\n" + "x" * 200_000)
        session.edited(f"{daemon.folder}/a.py")
        session.passed("make test", "y" * 200_000)
        session.start("compact")
        session.stop()
        session.end()
    daemon.settle()
    assert status(daemon)["messages"] == 200
    assert resident(pid) <= MOST_MEMORY


@pytest.mark.slow
def test_twenty_thousand_events_leave_no_trace_in_memory(daemon: Daemon) -> None:
    """200 sessions that come and go: between event 4,000 and 20,000 memory grows by less than a tenth, handles not.

    The database is large enough from the beginning that SQLite's own cache, which has a bound, is soon full.
    """
    with daemon.store(write=True) as store, store.transaction():
        for number in range(10_000):
            event = Event(EventType.TOOL_FINISHED, "claude-code", f"s{number % 200}", now(), call=f"before{number}")
            journal.append(store, dataclasses.replace(event, tool="Bash", text="x" * 100), Tier.OUTLINE)
        before = store.value("select count(*) from journal")
    pid = daemon.start()
    raws = [soaked(daemon, number) for number in range(200)]
    measured: dict[int, tuple[int, int]] = {}
    for done in range(0, 20_000, 1_000):
        if done == 4_000:
            measured[done] = (resident(pid), handles(pid))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number, done=done: tell(daemon, raws[number % 200], done + number), range(1_000)))
        daemon.settle()
    memory, open_files = measured[4_000]
    assert resident(pid) < 1.1 * memory
    assert handles(pid) <= open_files
    found = status(daemon)
    assert (found["lost"], found["malformed"], found["spooled"]) == (0, 0, 0)
    assert found["messages"] == 20_000
    with daemon.store() as store:
        kept = store.value("select count(*) from journal")
    assert kept - before == found["kept"] > 15_000


def soaked(daemon: Daemon, number: int) -> tuple[str, str]:
    """A message of one of 200 sessions, with a mark where each call's own number goes."""
    session = Session(daemon, f"s{number}")
    given = {"command": f"make target{number}"}
    if number % 10 == 0:
        return "UserPromptSubmit", json.dumps(session.message("UserPromptSubmit", prompt="fix it", prompt_id="@"))
    if number % 10 == 1:
        failure = session.message("PostToolUseFailure-Bash", tool_input=given, tool_use_id="@")
        return "PostToolUseFailure", json.dumps(failure)
    if number % 10 == 2:
        return "PreToolUse", json.dumps(session.message("PreToolUse-Bash", tool_input=given, tool_use_id="@"))
    return "PostToolUse", json.dumps(session.message("PostToolUse-Bash", tool_input=given, tool_use_id="@"))


def tell(daemon: Daemon, message: tuple[str, str], number: int) -> None:
    name, raw = message
    limit = 0 if name == "PostToolUse" else 5_000
    daemon.exchange(framed(name, re.sub('"@"', f'"c{number}"', raw).encode(), limit))
