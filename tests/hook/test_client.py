"""The hook client as it is installed: whatever happens, it exits 0, says nothing on stderr, and is gone in time."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hardwon import __version__
from hardwon.hook import install
from hardwon.hosts.claude_code import HOOKS, Hook
from hardwon.memory import Kind
from tests.daemon.running import Daemon, framed, keep, processes, until
from tests.daemon.session import Session
from tests.support import files_with

MARGIN = 0.6
"""Seconds above the limit on a noisy machine."""
SECRET = "ghp_" + "x7Kq2" * 7 + "a"
LIMITS = [0, 250]
Behaviour = Callable[[socket.socket, threading.Event], None]
"""What somebody does with a connection, until it is over."""


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    """Until it had exited and nobody held its output any more: so long the client waits."""


def run(command: str, payload: bytes = b"{}", **env: str) -> Done:
    began = time.perf_counter()
    done = subprocess.run(
        ["sh", "-c", command], input=payload, capture_output=True, timeout=60, check=False,
        env={"PATH": os.defpath, "HOME": "/nonexistent", **env},
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, time.perf_counter() - began)


def installed(daemon: Daemon, event: str = "UserPromptSubmit", limit: int = 250) -> str:
    """The command that a client is given."""
    install.refresh(daemon.home)
    return install.command(daemon.home, "claude-code", Hook(event, limit))


def loud(command: str) -> str:
    """The same, with what it says on stderr and with its own exit status."""
    return command.removesuffix(" 2>/dev/null || :")


def bare() -> str:
    return f"{shlex.quote(install.base_python())} -I -S -c pass"


def prompt(daemon: Daemon, text: str = "hello", **fields: Any) -> bytes:
    return json.dumps(Session(daemon).message("UserPromptSubmit", prompt=text, **fields)).encode()


def silent(done: Done, limit: int) -> None:
    """What is promised of every run."""
    assert (done.code, done.stderr) == (0, b"")
    assert done.stdout == b""
    assert done.seconds < (limit or 250) / 1_000 + MARGIN + run(bare()).seconds


@contextlib.contextmanager
def peer(daemon: Daemon, behave: Behaviour) -> Iterator[None]:
    """Somebody who listens in the daemon's place."""
    install.refresh(daemon.home)
    over = threading.Event()
    kept: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(daemon.home.socket))
        server.listen()

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                kept.append(connection)
                connection.settimeout(5)
                with contextlib.suppress(OSError):
                    behave(connection, over)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            for connection in kept:
                connection.close()


def everything(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


# What it is


def test_it_imports_next_to_nothing(daemon: Daemon) -> None:
    """Built-in modules only, each of them on the list: `import json` alone would double its time."""
    with peer(daemon, closes_after_reading):
        quiet = loud(installed(daemon))
        traced = run(quiet.replace(" -S ", " -S -X importtime ", 1), prompt(daemon))
    nothing = run(bare().replace(" -S ", " -S -X importtime ", 1))
    assert traced.code == 0
    assert imported(traced.stderr) - imported(nothing.stderr) == {"_socket"}


def imported(trace: bytes) -> set[str]:
    lines = [line.split("|") for line in trace.decode().splitlines() if line.startswith("import time:")]
    return {name.strip() for *_, name in lines}


def test_its_version_is_the_packages(daemon: Daemon) -> None:
    """So that a daemon of an older install makes room."""
    heads: list[bytes] = []

    def listen(connection: socket.socket, over: threading.Event) -> None:
        heads.append(everything(connection).partition(b"\n")[0])
        connection.close()

    with peer(daemon, listen):
        silent(run(installed(daemon, "Stop", 250)), 250)
    assert heads == [f"1 {__version__} claude-code Stop 250".encode()]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: f"{hook.event} {hook.matcher}")
def test_the_installed_command_is_short_and_plain(daemon: Daemon, hook: Hook) -> None:
    """An interpreter, a script, four words; the shell only turns a missing interpreter into success."""
    command = install.command(daemon.home, "claude-code", hook)
    words = shlex.split(command)
    assert words[1:3] == ["-I", "-S"]
    assert words[3:] == [
        str(daemon.home.hook / "client.py"), str(daemon.home.socket), "claude-code", hook.event, str(hook.limit),
        "2>/dev/null", "||", ":",
    ]  # fmt: skip


# What it does


@pytest.mark.parametrize("size", [0, 3, 65_536, 5_000_000])
@pytest.mark.parametrize("limit", [0, 5_000])
def test_what_comes_in_is_forwarded_byte_for_byte(daemon: Daemon, size: int, limit: int) -> None:
    """W47: Of any size, any bytes; and what comes back is printed as it is."""
    payload = os.urandom(size)
    heard: list[bytes] = []

    def listen(connection: socket.socket, over: threading.Event) -> None:
        heard.append(everything(connection))
        connection.sendall(b"\xff\x00 not JSON at all\n" * 100)
        connection.close()

    with peer(daemon, listen):
        done = run(installed(daemon, limit=limit), payload)
        until(lambda: heard, "it was heard")
    assert heard == [framed("UserPromptSubmit", payload, limit)]
    assert done.stdout == (b"\xff\x00 not JSON at all\n" * 100 if limit else b"")
    assert (done.code, done.stderr) == (0, b"")


def test_a_real_daemon_answers(daemon: Daemon) -> None:
    """From the shell to the memory and back."""
    with daemon.store(write=True) as store:
        id = keep(store, "use pnpm, never npm", Kind.RULE, folder=daemon.folder)
    daemon.start()
    done = run(installed(daemon, limit=5_000), prompt(daemon, "should I use pnpm or npm?"))
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "UserPromptSubmit"
    assert id[-6:] in answer["additionalContext"]
    assert done.stderr == b""


def test_hardwons_own_model_calls_are_not_observed(daemon: Daemon) -> None:
    """With HARDWON_GUARD in the environment nothing is sent, nothing started, nothing read."""
    heard: list[bytes] = []

    def listen(connection: socket.socket, over: threading.Event) -> None:
        heard.append(everything(connection))

    with peer(daemon, listen):
        for limit in LIMITS:
            done = run(installed(daemon, limit=limit), prompt(daemon), HARDWON_GUARD="1")
            silent(done, limit)
            assert done.seconds < MARGIN
    time.sleep(0.1)
    assert heard == []
    daemon.home.socket.unlink()
    silent(run(installed(daemon), HARDWON_GUARD="1"), 250)
    time.sleep(0.3)
    assert daemon.pids() == []


# Whatever happens


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


def never_answers(connection: socket.socket, over: threading.Event) -> None:
    everything(connection)
    over.wait(10)


def never_reads(connection: socket.socket, over: threading.Event) -> None:
    over.wait(10)


def one_byte_at_a_time(connection: socket.socket, over: threading.Event) -> None:
    while not over.wait(0.05):
        connection.sendall(b"x")


def closes_at_once(connection: socket.socket, over: threading.Event) -> None:
    connection.close()


def closes_after_reading(connection: socket.socket, over: threading.Event) -> None:
    everything(connection)
    connection.close()


def resets(connection: socket.socket, over: threading.Event) -> None:
    import struct

    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


PEERS = [never_answers, never_reads, one_byte_at_a_time, closes_at_once, closes_after_reading, resets]


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


def no_interpreter(daemon: Daemon, command: str) -> str:
    return command.replace(install.base_python(), "/nonexistent/bin/python3", 1)


def no_script(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "client.py").unlink()
    return command


def broken_script(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "client.py").write_text("this is not Python")
    return command


def nothing_to_start_with(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "starting.py").unlink()
    return command


def broken_starting(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "starting.py").write_text("this is not Python")
    return command


def no_home(daemon: Daemon, command: str) -> str:
    shutil.rmtree(daemon.home.root)
    return command


def no_start_file(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "start").unlink()
    return command


def empty_start_file(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "start").write_bytes(b"")
    return command


def garbage_start_file(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "start").write_bytes(os.urandom(1_000))
    return command


def start_file_of_a_folder(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "start").write_bytes(b"/tmp\n")
    return command


def start_file_of_a_package_that_is_gone(daemon: Daemon, command: str) -> str:
    (daemon.home.hook / "start").write_text(f"{install.base_python()}\n-I\n-m\nno_such_package\n{daemon.home.root}\n")
    return command


def stale_socket(daemon: Daemon, command: str) -> str:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(daemon.home.socket))
    return no_start_file(daemon, command)


def no_socket_but_a_file(daemon: Daemon, command: str) -> str:
    daemon.home.socket.write_text("a file")
    return no_start_file(daemon, command)


def no_socket_but_a_folder(daemon: Daemon, command: str) -> str:
    daemon.home.socket.mkdir()
    return no_start_file(daemon, command)


RUINS = [
    no_interpreter, no_script, broken_script, nothing_to_start_with, broken_starting, no_home, no_start_file,
    empty_start_file, garbage_start_file,
    start_file_of_a_folder, start_file_of_a_package_that_is_gone, stale_socket, no_socket_but_a_file,
    no_socket_but_a_folder,
]  # fmt: skip


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("ruin", RUINS)
def test_with_parts_of_it_gone_it_is_silent_and_successful(
    daemon: Daemon, ruin: Callable[[Daemon, str], str], limit: int
) -> None:
    """The interpreter, the script, the home, the daemon, the package."""
    command = ruin(daemon, installed(daemon, limit=limit))
    silent(run(command, prompt(daemon)), limit)


# Without a daemon


def test_nobody_waits_for_an_event_that_needs_no_answer(daemon: Daemon) -> None:
    """The parent leaves at once: about as fast as an interpreter that does nothing."""
    command = installed(daemon, "Stop", 0)
    (daemon.home.hook / "start").write_text("/bin/true\n")
    times: dict[str, list[float]] = {command: [], bare(): []}
    for _ in range(9):
        for one, seconds in times.items():
            seconds.append(run(one, prompt(daemon)).seconds)
    ours, nothing = (statistics.median(seconds) for seconds in times.values())
    assert ours < 3 * nothing


@pytest.mark.parametrize("state", ["never ran", "was killed", "left"])
def test_the_event_that_starts_the_daemon_is_kept(daemon: Daemon, state: str) -> None:
    """Delivered by an orphan as soon as it listens; once."""
    if state != "never ran":
        daemon.start()
        daemon.kill() if state == "was killed" else daemon.leave()
    silent(run(installed(daemon, limit=0), prompt(daemon, "the first words")), 0)
    until(lambda: [event.text for event in daemon.journal()] == ["the first words"], "it is kept")
    silent(run(installed(daemon, limit=0), prompt(daemon, "the next words", prompt_id="p2")), 0)
    until(lambda: len(daemon.journal()) == 2, "the next one is kept")
    assert len(daemon.pids()) == 1


def test_an_answer_that_is_due_is_waited_for(daemon: Daemon) -> None:
    """W42: The daemon is started, and its answer comes if it comes within the limit; nothing else is printed."""
    with daemon.store(write=True) as store:
        keep(store, "use pnpm, never npm", Kind.RULE, folder=daemon.folder)
    done = run(installed(daemon, limit=15_000), prompt(daemon, "should I use pnpm or npm?"))
    assert list(json.loads(done.stdout)) == ["hookSpecificOutput"]
    assert b"use pnpm, never npm" in done.stdout
    assert (done.code, done.stderr) == (0, b"")
    assert len(daemon.pids()) == 1


def test_an_answer_that_comes_too_late_is_not_waited_for_and_the_event_is_kept(daemon: Daemon) -> None:
    """A limit shorter than any start."""
    silent(run(installed(daemon, limit=20), prompt(daemon, "hello")), 20)
    until(lambda: [event.text for event in daemon.journal()] == ["hello"], "it is kept")


def test_twelve_events_at_once_start_one_daemon_and_are_all_kept(daemon: Daemon) -> None:
    """As a client with parallel calls begins."""
    command = installed(daemon, limit=0)
    messages = [prompt(daemon, f"number {number}", prompt_id=f"p{number}") for number in range(12)]
    with ThreadPoolExecutor(12) as pool:
        for done in pool.map(lambda message: run(command, message), messages):
            assert (done.code, done.stdout, done.stderr) == (0, b"", b"")
    until(lambda: len(daemon.journal()) == 12, "all are kept")
    assert len({event.text for event in daemon.journal()}) == 12
    until(lambda: len(daemon.pids()) == 1, "one daemon is left", 15)


def test_events_while_one_daemon_follows_another_are_all_kept(daemon: Daemon) -> None:
    """It is asked to leave again and again: whoever comes just then finds it, or the next one."""
    command = installed(daemon, limit=0)
    daemon.start()
    stop = threading.Event()

    def unsettle() -> None:
        from hardwon.daemon import ask

        while not stop.wait(0.2):
            ask.ask_socket(daemon.home.socket, "leave")

    thread = threading.Thread(target=unsettle)
    thread.start()
    try:
        messages = [prompt(daemon, f"number {number}", prompt_id=f"p{number}") for number in range(60)]
        with ThreadPoolExecutor(3) as pool:
            assert {done.code for done in pool.map(lambda message: run(command, message), messages)} == {0}
    finally:
        stop.set()
        thread.join()
    until(lambda: len({event.text for event in daemon.journal()}) == 60, "all are kept", 30)


def orphans(daemon: Daemon) -> list[int]:
    return [pid for pid, words in processes() if any(str(daemon.home.hook) in word for word in words)]


SPOOL_ONLY = """#!/bin/sh
for what; do :; done
[ "$what" = spool ] && exec {command} spool
exit 1
"""


def test_an_event_that_nobody_takes_is_spooled_without_its_secrets(daemon: Daemon) -> None:
    """The daemon can't be started: after some seconds the orphan hands the event on to be redacted and written down.

    Until then it is in memory only; the next daemon takes it in, once.
    """
    command = installed(daemon, limit=0)
    start = daemon.home.hook / "start"
    real = start.read_bytes()
    script = daemon.folder / "start.sh"
    script.write_text(SPOOL_ONLY.format(command=shlex.join(real.decode().split())))
    script.chmod(0o700)
    start.write_text(f"{script}\n")
    silent(run(command, prompt(daemon, f"my token is {SECRET}")), 0)

    def written() -> bool:
        assert files_with(daemon.home.root.parent, SECRET) == {}
        return bool(list(daemon.home.spool.glob("*.json")))

    until(written, "it is in the spool")
    until(lambda: not orphans(daemon), "the orphan left")
    assert files_with(daemon.home.root.parent, SECRET) == {}
    (spooled,) = daemon.home.spool.iterdir()
    assert "my token is [redacted" in spooled.read_text()

    daemon.start()
    Session(daemon).stop()
    daemon.leave()
    assert daemon.journal()[0].text.startswith("my token is [redacted")
    assert [event.type for event in daemon.journal()] == ["prompt_submitted", "turn_ended"]
    assert files_with(daemon.home.root.parent, SECRET) == {}


@pytest.mark.parametrize("limit", LIMITS)
def test_secrets_never_reach_the_disk_on_the_way(daemon: Daemon, limit: int) -> None:
    """From the shell through the orphan, a daemon that is just starting, to the database."""
    payload = prompt(daemon, f"use {SECRET}", cwd=f"{daemon.folder}/{SECRET}")
    silent(run(installed(daemon, limit=limit), payload), limit)
    while not daemon.journal():
        assert files_with(daemon.home.root.parent, SECRET) == {}
    daemon.leave()
    assert files_with(daemon.home.root.parent, SECRET) == {}


def test_no_process_is_left(daemon: Daemon) -> None:
    """Not of the client, and none that holds on to what the client gave us."""
    silent(run(installed(daemon, limit=0), prompt(daemon)), 0)
    until(lambda: bool(daemon.journal()), "it is kept")
    until(lambda: not orphans(daemon), "the orphan left")
    (pid,) = daemon.pids()
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    assert stat[3] == str(pid), "a session of its own: the client's terminal has no hold on it"
    kept = {Path(f"/proc/{pid}/fd/{number}").readlink() for number in (0, 1, 2)}
    assert kept == {Path("/dev/null")}


def test_the_environment_of_the_client_does_not_matter(daemon: Daemon) -> None:
    """-I: no PYTHON* variable, no module in the folder that the client works in, can change what runs."""
    (daemon.folder / "posix.py").write_text("raise SystemExit(3)")
    (daemon.folder / "time.py").write_text("raise SystemExit(3)")
    (daemon.folder / "hardwon").mkdir()
    (daemon.folder / "hardwon" / "__init__.py").write_text("raise SystemExit(3)")
    command = f"cd {shlex.quote(str(daemon.folder))} && {installed(daemon, limit=0)}"
    hostile = {"PYTHONPATH": str(daemon.folder), "PYTHONHOME": "/nonexistent", "PYTHONSTARTUP": "/nonexistent"}
    silent(run(command, prompt(daemon), **hostile), 0)
    until(lambda: bool(daemon.journal()), "it is kept")


def test_it_runs_with_every_interpreter_that_is_supported(daemon: Daemon) -> None:
    """Those of this machine."""
    daemon.start()
    command = installed(daemon, limit=5_000)
    named = [shutil.which(f"python3.{minor}") for minor in range(11, 16)]
    found = {path for path in named if path and run(f"{path} -I -S -c pass").code == 0} | {sys.executable}
    for number, python in enumerate(sorted(found)):
        done = run(command.replace(install.base_python(), python, 1), prompt(daemon, "hello", prompt_id=f"p{number}"))
        assert (done.code, done.stderr) == (0, b"")
    daemon.leave()
    assert len(daemon.journal()) == len(found)
