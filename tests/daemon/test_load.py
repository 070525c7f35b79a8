"""Odd connections and large messages are in nobody's way: the others are answered as fast as ever."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardwon.memory import Kind
from tests.daemon.health import MEGABYTE, MOST_MEMORY, status, works
from tests.daemon.running import PATIENCE, Daemon, framed, keep, keep_fixed, resident, until
from tests.daemon.session import Session


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
