"""What the hook client is and does: it imports next to nothing, forwards what comes in, and prints the answer."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import sys
import threading
import time

import pytest

from hardwon import __version__
from hardwon.clients.claude_code.messages import HOOKS
from hardwon.clients.client import Hook
from hardwon.hook import install
from hardwon.memory import Kind
from tests.daemon.running import Daemon, framed, keep, until
from tests.hook.peers import closes_after_reading, everything, peer
from tests.hook.runs import LIMITS, MARGIN, bare, installed, loud, prompt, run, silent

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


# Where it runs


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
