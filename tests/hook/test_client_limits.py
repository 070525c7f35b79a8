"""Whatever it is given and whoever listens, the hook client exits 0, says nothing on stderr, and is gone in time."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time

import pytest

from hardwon.hook import install
from tests.daemon.running import Daemon, until
from tests.hook.peers import PEERS, Behaviour, closes_after_reading, never_reads, peer
from tests.hook.runs import LIMITS, MARGIN, bare, installed, loud, prompt, run, silent


@pytest.mark.parametrize("loudly", [False, True], ids=["as installed", "without the shell's help"])
@pytest.mark.parametrize(
    "arguments",
    ["", "x", "a b c", "{s} claude-code Stop", "{s} claude-code Stop 250 more", "{s} claude-code Stop abc",
     "{s} claude-code Stop -5", "{s} claude-code Stop 1e3", "{s} claude-code Stop ''", "'' '' '' ''",
     "{s} claude-code Stop 99999999999999999999999", "/nonexistent/x/s claude-code Stop 250",
     "{long} claude-code Stop 250", "/etc/passwd claude-code Stop 250", "/ claude-code Stop 0"],
)  # fmt: skip
def test_wrong_arguments_are_silence(daemon: Daemon, arguments: str, loudly: bool) -> None:
    """Whatever the client was told to run."""
    install.refresh(daemon.home)
    (daemon.home.hook / "start").unlink()
    words = arguments.format(s=daemon.home.socket, long="/tmp/" + "x" * 300)
    command = f"{install.base_python()} -I -S {daemon.home.hook}/client.py {words}"
    silent(run(command if loudly else f"{command} 2>/dev/null || :"), 250)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("behave", PEERS)
def test_a_peer_that_misbehaves_is_left_in_time(daemon: Daemon, behave: Behaviour, limit: int) -> None:
    """Never a part of an answer, never a word, never longer than the limit."""
    with peer(daemon, behave):
        silent(run(loud(installed(daemon, limit=limit)), prompt(daemon, "x" * 1_000_000)), limit)


def test_a_stopped_daemon_is_left_in_time(daemon: Daemon) -> None:
    """Suspended with the machine, swapped out, in a debugger; when it goes on, the event is not lost."""
    import signal

    pid = daemon.start()
    os.kill(pid, signal.SIGSTOP)
    try:
        for limit in LIMITS:
            silent(run(installed(daemon, limit=limit), prompt(daemon, "hello", prompt_id=f"p{limit}")), limit)
    finally:
        os.kill(pid, signal.SIGCONT)
    until(lambda: len(daemon.journal()) == 2, "both are kept")


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("daemon_is", ["there", "deaf", "not there"])
def test_standard_input_that_stays_open_is_left_in_time(daemon: Daemon, daemon_is: str, limit: int) -> None:
    """A client that forgets to close it must not be held up by us."""
    with contextlib.ExitStack() as stack:
        if daemon_is == "there":
            daemon.start()
        elif daemon_is == "deaf":
            stack.enter_context(peer(daemon, never_reads))
        command = installed(daemon, limit=limit)
        if daemon_is == "not there":
            (daemon.home.hook / "start").unlink()
        reading, writing = os.pipe()
        began = time.perf_counter()
        process = subprocess.Popen(["sh", "-c", command], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(reading)
        os.write(writing, b'{"half": ')
        out, err = process.communicate(timeout=30)
        seconds = time.perf_counter() - began
        os.close(writing)
    assert (process.returncode, out, err) == (0, b"", b"")
    assert seconds < (limit or 250) / 1_000 + MARGIN + run(bare()).seconds


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", "</dev/null", ">/dev/full"])
@pytest.mark.parametrize("daemon_is", ["there", "not there"])
def test_closed_handles_do_no_harm(daemon: Daemon, closed: str, daemon_is: str, limit: int) -> None:
    """No standard input, output or error at all: a socket may then be given one of their numbers."""
    with contextlib.ExitStack() as stack:
        if daemon_is == "there":
            stack.enter_context(peer(daemon, closes_after_reading))
        command = loud(installed(daemon, limit=limit))
        if daemon_is == "not there":
            (daemon.home.hook / "start").unlink()
        silent(run(f"{command} {closed}", prompt(daemon)), limit)
