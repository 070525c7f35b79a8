"""Everyday verbs through the runner: the same answers as without it, by the same caller, done once."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commandline import PERSON, Cli
from tests.daemon.running import Daemon, processes, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who has connected")

NOT_RUN = 99
"""Exit status of a command that the runner did not take."""
QUICK = (
    "import os, sys; from hardwon.cli.runner import client; client.READY = 30; code = client.run(sys.argv[1:]); "
    f"os._exit({NOT_RUN} if code is None else code)"
)
SLOW = "import sys; from hardwon.cli.app import run; run(sys.argv[1:])"
ERROR = "Traceback (most recent call last):\n  File app.py\nConnectionRefusedError: [Errno 111] Connection refused"


@pytest.fixture
def cli(daemon: Daemon) -> Iterator[Cli]:
    """A home with a few memories, a daemon and a runner."""
    one = Cli(daemon.home.root, daemon.folder)
    one.run("note", "The tests need Redis: make redis", "--anchor", "command=make test", "--because", "of sessions")
    one.run("note", "Tokens are kept in Redis, not in files", "--kind", "decision", "--rejected", "files: too slow")
    one.run("note", "Build the image before the deploy", "--skill", "deploy")
    daemon.start()
    wake(daemon, one)
    yield one
    daemon.leave()


def wake(daemon: Daemon, cli: Cli) -> None:
    """The first everyday verb that finds no runner makes the daemon start one."""
    cli.run("list")
    until(lambda: (daemon.home.root / "cli.sock").exists(), "the runner listens")


def done(
    cli: Cli, way: str, *words: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
) -> tuple[str, str, int]:
    ended = subprocess.run(
        [sys.executable, "-c", way, *words], input=stdin, capture_output=True, cwd=cwd or cli.folder,
        env=cli.environment(env), timeout=120, start_new_session=True, check=False,
    )  # fmt: skip
    return ended.stdout.decode(), ended.stderr.decode(), ended.returncode


def memory(cli: Cli) -> str:
    return str(json.loads(cli.run("list", "--json").stdout)["items"][0]["id"])


READING = [
    ["list"],
    ["list", "--kind", "decision", "--all"],
    ["list", "--kind", "nothing"],
    ["list", "--nope"],
    ["recall", "why does make test fail without redis?"],
    ["recall", "redis", "--explain"],
    ["recall", "--skill", "deploy"],
    ["recall", ""],
    ["recall", "zebra crossing"],
    ["check", "make", "test"],
    ["check", "--error", ERROR],
    ["check"],
    ["search", "redis"],
    ["search", "redis", "--sessions"],
    ["search", "ünwahrscheinlich 数据库"],
    ["status"],
    ["status", "--skills"],
    ["status", "--today"],
    ["show", "ID"],
    ["show", "--skill", "deploy"],
    ["show", "ffffff"],
    ["why", "ID"],
    ["why"],
]


def test_the_runner_gives_the_same_answer(cli: Cli) -> None:
    """Output, errors and exit status of each everyday verb, plain and as JSON, are those of a process of its own."""
    id = memory(cli)
    for words in [*READING, *([*one, "--json"] for one in READING)]:
        command = [id if word == "ID" else word for word in words]
        assert done(cli, QUICK, *command) == done(cli, SLOW, *command), command


def test_the_runner_keeps_the_same(cli: Cli) -> None:
    """`note`, also of standard input and of what is known or can't be kept, answers as without the runner; what it kept
    is the same but for its id."""
    cases: list[tuple[list[str], bytes]] = [
        (["note", "Use tabs in the {} makefile"], b""),
        (["note", "-", "--json"], b"The {} port is 5433"),
        (["note", "key of {}: AKIAIOSFODNN7EXAMPLQ", "--type", "gotcha"], b""),
        (["note", "x", "--kind", "task", "--type", "fix"], b""),
        (["note", "-"], b"a\0b"),
        (["note", "for {} everywhere", "--global", "--title", "A headline"], b""),
        (["note", "The tests need Redis: make redis"], b""),
    ]
    for words, stdin in cases:
        told = [
            done(cli, way, *(word.replace("{}", name) for word in words), stdin=stdin.replace(b"{}", name.encode()))
            for way, name in ((QUICK, "quick"), (SLOW, "quick") if "Redis" in words[1] else (SLOW, "other"))
        ]
        plain = [_without_ids(one) for one in told]
        assert plain[0] == plain[1] or "learned again" in plain[0][0], (words, plain)
        assert told[0][2] != NOT_RUN


def _without_ids(told: tuple[str, str, int]) -> tuple[str, str, int]:
    out, err, code = told
    id = r"[0-9a-f-]{36}|\b[0-9a-f]{6}\b"
    return re.sub(id, "ID", out), re.sub(id, "ID", err), code


def test_it_works_in_the_callers_folder_and_environment(cli: Cli, tmp_path: Path) -> None:
    """A project is that of the caller's folder; a setting in the caller's environment counts; a folder that has gone is
    told as before."""
    other = tmp_path / "other"
    other.mkdir()
    assert "other)" in done(cli, QUICK, "note", "it is about this one", cwd=other)[0]
    for env in ({"HARDWON_CONTROL_ENABLED": "off"}, {"HARDWON_CONTROL_ENABLED": "perhaps"}, {"TZ": "Asia/Tokyo"}):
        assert done(cli, QUICK, "recall", "redis", env=env) == done(cli, SLOW, "recall", "redis", env=env)
    gone = f"import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); {QUICK}"
    assert done(cli, gone, "list") == done(cli, gone.replace(QUICK, SLOW), "list")


@pytest.mark.parametrize(("env", "trust"), [({}, "user"), ({"CLAUDECODE": "1"}, "agent"), ({"AI_AGENT": "x"}, "agent")])
def test_it_sees_for_itself_who_calls(cli: Cli, env: dict[str, str], trust: str) -> None:
    """A person at a terminal is one, through the runner too; a client's mark or no terminal make an agent of it."""
    command = [sys.executable, PERSON, sys.executable, "-c", QUICK, "note", "Call it a fork"]
    told = subprocess.run(command, capture_output=True, cwd=cli.folder, env=cli.environment(env), check=True)
    assert json.loads(told.stdout)["code"] == 0
    kept = next(one for one in cli.json("list")["items"] if one["body"] == "Call it a fork")
    assert kept["trust"] == trust
    done(cli, QUICK, "note", "Call it a knife")
    assert next(one for one in cli.json("list")["items"] if one["body"] == "Call it a knife")["trust"] == "agent"


def test_a_client_above_makes_an_agent(cli: Cli, tmp_path: Path) -> None:
    """What a client's process has started is an agent's, at a terminal and without any variable."""
    client = tmp_path / "codex"
    client.symlink_to("/bin/sh")
    script = f'{sys.executable} -c "$0" note "Call it a spoon"; exit $?'
    command = [sys.executable, PERSON, str(client), "-c", script, QUICK]
    told = subprocess.run(command, capture_output=True, cwd=cli.folder, env=cli.environment(), check=True)
    assert json.loads(told.stdout)["code"] == 0
    assert cli.json("list")["items"][0]["trust"] == "agent"


NO_NEW_RIGHTS = f"import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); {QUICK}"
OTHER_VERSION = QUICK.replace("; code", "; client.__version__ = '9'; code")


@pytest.mark.parametrize("way", [NO_NEW_RIGHTS, OTHER_VERSION], ids=["other rights", "another version"])
def test_a_stranger_runs_its_command_itself(cli: Cli, way: str) -> None:
    """A process with other rights, as in a client's sandbox, and another version get nothing from the runner."""
    assert done(cli, way, "list")[2] == NOT_RUN


def test_what_the_runner_can_not_do_is_done_without_it(cli: Cli) -> None:
    """Another home, other streams, another verb."""
    assert done(cli, QUICK, "list", env={"PYTHONIOENCODING": "latin-1"})[2] == NOT_RUN
    assert done(cli, QUICK, "list", env={"HARDWON_HOME": f"{cli.home}-other"})[2] == NOT_RUN
    assert done(cli, QUICK, "forget", "ffffff")[2] == NOT_RUN
    assert done(cli, QUICK, "list", env={"HARDWON_CLIENTS": "somebodys.clients"})[2] == NOT_RUN


def test_a_runner_that_hangs_is_not_waited_for(daemon: Daemon, cli: Cli) -> None:
    """The command is done without it, at once and one time, also when the runner comes to it later."""
    pids = runners(daemon)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    cli.run("note", "Said while it slept")
    taken = time.monotonic() - began
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    assert done(cli, QUICK, "list")[2] == 0  # it has come to what was asked before
    (kept,) = [one for one in cli.json("list")["items"] if one["body"] == "Said while it slept"]
    assert kept["hits"] == 0
    assert taken < 30  # the limit is a quarter of a second; a busy machine takes its time for the rest


def test_one_that_listens_and_says_nothing(cli: Cli, tmp_path: Path) -> None:
    """A socket that takes everything and answers nothing costs a moment."""
    home = tmp_path / "h"
    home.mkdir(0o700)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(home / "cli.sock"))
        listening.listen(8)
        assert "kept" in cli.elsewhere(home).run("note", "use tabs").stdout


def test_an_interrupt_ends_it(daemon: Daemon, cli: Cli) -> None:
    """Ctrl-C ends the command and what the runner does for it: nothing is kept."""
    reading, writing = os.pipe()
    command = [sys.executable, "-c", QUICK, "note", "-"]
    process = subprocess.Popen(command, stdin=reading, cwd=cli.folder, env=cli.environment(), start_new_session=True)
    os.close(reading)
    until(lambda: len(runners(daemon)) == 3, "the command is under way")
    os.write(writing, b"half a sentence")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    until(lambda: len(runners(daemon)) == 2, "its process has ended")
    os.close(writing)
    assert cli.json("list")["total"] == 3


@pytest.mark.parametrize("end", ["leave", "kill"])
def test_it_ends_with_the_daemon(daemon: Daemon, cli: Cli, end: str) -> None:
    """However that ends; then a command is run without it, and the next daemon has another one."""
    daemon.leave() if end == "leave" else daemon.kill()
    until(lambda: not runners(daemon), "the runner has left")
    assert done(cli, QUICK, "list")[2] == NOT_RUN
    cli.run("list")
    daemon.start()
    wake(daemon, cli)
    assert done(cli, QUICK, "list")[2] == 0


def runners(daemon: Daemon) -> list[int]:
    """The runner, the child that waits, and each that works."""
    root = str(daemon.home.root)
    return [pid for pid, words in processes() if "hardwon.cli.runner" in words and root in words]
