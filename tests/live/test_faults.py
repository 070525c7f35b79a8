"""Whatever breaks, the session completes, nobody sees a hook error, and what was missed is made up for.

docs/faults.md has the same table, with what each fault costs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.daemon import lifecycle, lock
from hardwon.memory import Kind
from tests.daemon.running import processes, until
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import Request, Step, bash, say, use
from tests.live.test_live import live as live  # the fixture
from tests.live.test_live import unharmed

HOLD = """
import sys, time, apsw
db = apsw.Connection(sys.argv[1])
db.set_busy_timeout(20_000)
db.execute("begin exclusive")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


@contextlib.contextmanager
def daemon_killed(live: Live) -> Iterator[None]:
    lifecycle.start(live.home)
    pid, _ = lock.holder(str(live.home.root))
    assert pid
    os.kill(pid, signal.SIGKILL)
    yield


@contextlib.contextmanager
def daemon_hung(live: Live) -> Iterator[None]:
    lifecycle.start(live.home)
    pid, _ = lock.holder(str(live.home.root))
    assert pid
    os.kill(pid, signal.SIGSTOP)
    yield
    os.kill(pid, signal.SIGCONT)


def stop(live: Live) -> None:
    """The daemon and what it started, which may be closing the database still."""
    lifecycle.stop(live.home)
    root = str(live.home.root)
    until(lambda: not [1 for _, words in processes() if root in words and "-P" in words], "they have ended")


@contextlib.contextmanager
def home_read_only(live: Live) -> Iterator[None]:
    lifecycle.stop(live.home)
    with _mounted(["--bind", str(live.home.root)], live.home.root):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(live.home.root)], check=True)
        yield


@contextlib.contextmanager
def disk_full(live: Live) -> Iterator[None]:
    """The home on a disk that has room for what is there, and for nothing more."""
    stop(live)
    spare = live.home.root.with_name("spare")
    subprocess.run(["cp", "-a", str(live.home.root), str(spare)], check=True)
    with _mounted(["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs"], live.home.root):
        subprocess.run(["cp", "-a", f"{spare}/.", str(live.home.root)], check=True)
        with contextlib.suppress(OSError):
            (live.home.root / "filler").write_bytes(b"x" * 2_000_000)
        yield
        lifecycle.stop(live.home)


@contextlib.contextmanager
def _mounted(how: list[str], at: Path) -> Iterator[None]:
    if subprocess.run(["mount", *how, str(at)], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


@contextlib.contextmanager
def database_locked(live: Live) -> Iterator[None]:
    stop(live)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(live.home.database), "10"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    yield
    holder.wait()
    holder.stdout.close()


@contextlib.contextmanager
def database_corrupt(live: Live) -> Iterator[None]:
    lifecycle.stop(live.home)
    with live.home.database.open("r+b") as file:
        file.write(b"\xa5" * 8192)
    yield
    lifecycle.stop(live.home)
    live.hardwon("doctor", "--fix")


@contextlib.contextmanager
def interpreter_gone(live: Live) -> Iterator[None]:
    from hardwon.hook import install

    files = [next((live.home.root / "clients").rglob("hooks.json")), install.mcp_server(live.home)]
    right = {file: file.read_text() for file in files}
    for file, text in right.items():
        file.write_text(text.replace(install.base_python(), "/nonexistent/python3"))
    yield
    for file, text in right.items():
        file.write_text(text)


@contextlib.contextmanager
def package_gone(live: Live) -> Iterator[None]:
    lifecycle.stop(live.home)
    start = live.home.hook / "start"
    right = start.read_text()
    start.write_text(f"/usr/bin/python3\n-I\n-m\nhardwon_is_gone\n{live.home.root}\n")
    yield
    start.write_text(right)


@contextlib.contextmanager
def clock_jumped_back(live: Live) -> Iterator[None]:
    """What is in the log was written by a clock that is three hours ahead of this one."""
    with live.store() as store, store.transaction():
        store.db.execute("update records set clock = clock + ?", ((3 * 3_600_000) << 16,))
    yield


Fault = Callable[[Live], contextlib.AbstractContextManager[None]]

# The fault, and how many of the session's three events (a prompt, a failing and a passing command) are kept when the
# next session without the fault has begun.
FAULTS: list[tuple[Fault, int]] = [
    (daemon_killed, 3),
    (daemon_hung, 3),
    (home_read_only, 3),
    (disk_full, 3),
    (database_locked, 3),
    (database_corrupt, 3),
    (interpreter_gone, 3),
    (package_gone, 3),
    (clock_jumped_back, 3),
]


@pytest.mark.parametrize(("fault", "kept"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_the_session_completes(claude: ClaudeCode, model: ModelServer, live: Live, fault: Fault, kept: int) -> None:
    """With each fault: no hook error, no delay worth the name, and the events are there in the end, once each."""
    live.keep("The staging deploy needs the VPN", Kind.CONSTRAINT)
    model.script(use(bash("exit 3")), use(bash("echo fine")), say("done"))
    with fault(live):
        run = claude.run("deploy to staging")
    unharmed(run)
    assert run.result == "done"
    assert run.seconds < 20
    model.script(say("ok"))
    unharmed(claude.run("hello"))
    assert _kept(live, run.session_id) == kept


def test_the_daemon_dies_in_the_middle(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Killed between two calls: the next hook starts another one, and nothing is missing in the end."""

    def kill(_: Request) -> Step:
        pid, _version = lock.holder(str(live.home.root))
        assert pid
        os.kill(pid, signal.SIGKILL)
        return use(bash("exit 4"))

    model.script(use(bash("exit 3")), kill, use(bash("echo fine")), say("done"))
    run = claude.run("go")
    unharmed(run)
    model.script(say("ok"))
    claude.run("hello")
    assert _kept(live, run.session_id) == 4


def test_the_server_dies_in_the_middle(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The process that takes hooks and tools is killed between two calls: the client starts another one."""

    def kill(_: Request) -> Step:
        (pid,) = [pid for pid, words in processes() if str(live.home.hook / "mcp.py") in words]
        os.kill(pid, signal.SIGKILL)
        return use(bash("exit 4"))

    model.script(use(bash("exit 3")), kill, use(bash("exit 5")), say("done"))
    run = claude.run("go")
    assert run.result == "done"
    assert run.stderr == ""
    model.script(say("ok"))
    unharmed(claude.run("hello"))
    assert _kept(live, run.session_id) == 4


def _kept(live: Live, session: str) -> int:
    rows = live.journal(session, "prompt_submitted", "tool_failed", "tool_finished")
    assert len(rows) == len(set(rows)), "something was kept twice"
    return len(rows)
