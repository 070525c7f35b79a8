"""Stopping: the daemon is ended and nobody else, and it is said when it is not."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from hardwon import __version__
from hardwon.daemon import lifecycle, lock
from tests.commandline import HARDWON, Cli
from tests.daemon.running import Daemon, until


@pytest.fixture
def innocent() -> Iterator[subprocess.Popen[bytes]]:
    """A process of this user that has nothing to do with any memory."""
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process
        process.kill()


@pytest.fixture
def hanging(daemon: Daemon, innocent: subprocess.Popen[bytes]) -> int:
    """A daemon that does not answer, with a lock file as it is when it runs in a container: its number there is that
    of another process here."""
    pid = daemon.start()
    (daemon.home.root / "daemon.lock").write_text(f"{innocent.pid} {__version__}\n")
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_a_process_that_only_has_its_number_is_not_ended(
    daemon: Daemon, hanging: int, innocent: subprocess.Popen[bytes]
) -> None:
    """A home may be shared with a container, and numbers of processes are not."""
    done = Cli(daemon.home.root, daemon.folder).run("daemon", "stop", code=1)
    assert innocent.poll() is None
    assert daemon.pids() == [hanging]
    assert done.stdout == ""
    assert f"The daemon of {daemon.home.root} still runs: process {innocent.pid} of a container" in done.stderr
    assert "End it where it was started" in done.stderr


@pytest.mark.parametrize("arguments", [("doctor", "--fix"), ("uninstall", "--yes")], ids=["doctor", "uninstall"])
def test_nor_by_what_stops_it_on_the_way(
    daemon: Daemon, innocent: subprocess.Popen[bytes], arguments: tuple[str, ...]
) -> None:
    """Both say that it still runs."""
    (daemon.folder.parent / ".claude").mkdir(mode=0o700)
    cli = Cli(daemon.home.root, daemon.folder)
    cli.run("setup", "--yes")
    pid = daemon.start()
    (daemon.home.root / "daemon.lock").write_text(f"{innocent.pid} {__version__}\n")
    os.kill(pid, signal.SIGSTOP)
    done = cli.run(*arguments, code=1)
    assert "still runs" in done.stdout + done.stderr
    assert innocent.poll() is None
    assert daemon.pids() == [pid]


def test_one_that_answers_is_stopped_whatever_its_number(daemon: Daemon, innocent: subprocess.Popen[bytes]) -> None:
    """A socket is shared with a container as the folder is."""
    daemon.start()
    (daemon.home.root / "daemon.lock").write_text(f"{innocent.pid} {__version__}\n")
    assert lifecycle.stop(daemon.home)
    until(lambda: not daemon.pids(), "it is gone")
    assert innocent.poll() is None


def test_one_that_hangs_in_a_pid_namespace_of_its_own_is_not_mistaken(daemon: Daemon) -> None:
    """There it is process 1 or so; here that is the machine's own first process."""
    apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no PID namespaces here")
    daemon.start([*apart, *daemon.command()])
    there, _ = lock.holder(str(daemon.home.root))
    assert there is not None
    assert there < 10
    assert not lock.is_open_in(there, str(daemon.home.root))
    assert lifecycle.stop(daemon.home)
    until(lambda: not daemon.pids(), "it is gone")


def test_the_lock_is_known_to_be_open_in_the_daemon_alone(daemon: Daemon) -> None:
    """Also in one that was started by hand; not in another process, and not in one that is gone."""
    root = str(daemon.home.root)
    pid = daemon.start([HARDWON, "daemon", "run"], HARDWON_HOME=root)
    try:
        assert lock.holder(root)[0] == pid
        assert lock.is_open_in(pid, root)
        assert not lock.is_open_in(os.getpid(), root)
        assert not lock.is_open_in(4_000_000, root)
    finally:
        lifecycle.stop(daemon.home)
    assert not lock.is_open_in(pid, root)
