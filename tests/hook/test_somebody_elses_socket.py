"""A home with a long path has its socket elsewhere, where another user may listen first: nobody speaks to them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.daemon import ask
from hardwon.paths import Home
from tests.daemon.running import Daemon, processes, until
from tests.daemon.session import Session
from tests.hook.peers import everything, peer
from tests.hook.runs import installed, prompt, run
from tests.tools.server import Server


@pytest.fixture
def far(daemon: Daemon) -> Iterator[Daemon]:
    """The daemon of a home with a long path: its socket is in a folder that others could make first."""
    daemon.home = Home(daemon.folder.parent / ("h" * 100))
    folder = daemon.home.socket.parent
    assert not folder.is_relative_to(daemon.folder.parent)
    yield daemon
    daemon.kill()
    if folder.is_symlink():
        shutil.rmtree(folder.readlink())
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def open_to_others(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)


def open_to_all(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def a_link(folder: Path) -> None:
    target = folder.with_name(f"{folder.name}-elsewhere")
    target.mkdir(mode=0o700)
    folder.symlink_to(target)


def of_another_user(folder: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can make a folder of another user")
    folder.mkdir(mode=0o700)
    os.chown(folder, 65_534, 65_534)


FOLDERS = [open_to_others, open_to_all, a_link, of_another_user]


@pytest.mark.parametrize("make", FOLDERS)
def test_nothing_is_said_to_somebody_who_may_be_another_user(far: Daemon, make: Callable[[Path], None]) -> None:
    """Not by the hook, nor by what it leaves behind to deliver the event, nor by the server, nor by the commands."""
    make(far.home.socket.parent)
    heard: list[bytes] = []

    def listen(connection: socket.socket, over: threading.Event) -> None:
        heard.append(b"")
        heard.append(everything(connection))
        connection.sendall(b'{"hookSpecificOutput":{"additionalContext":"planted"}}')
        connection.close()

    with peer(far, listen), Server(far) as server:
        command = installed(far)
        (far.home.hook / "start").write_text("/bin/true\n")  # else a daemon would come and shut the folder
        assert run(command, prompt(far, "a raw prompt")).stdout == b""
        assert server.call("hook", **Session(far).message("UserPromptSubmit", prompt="another")) == ("", False)
        assert ask.ask_socket(far.home.socket, "status") is None
        until(lambda: not any(str(far.home.hook / "client.py") in words for _, words in processes()), "it left")
    assert heard == []


def test_an_event_reaches_a_daemon_elsewhere(far: Daemon) -> None:
    """It makes a folder for its user alone; the first hook starts it, the next ones find it."""
    command = installed(far, limit=0)
    for number in range(2):
        runtime = str(far.folder.parent / f"run{number}")  # as after a login, and then from cron
        run(command, prompt(far, f"words {number}", prompt_id=f"p{number}"), XDG_RUNTIME_DIR=runtime)
        until(lambda: len(far.journal()) == number + 1, "it is kept")  # noqa: B023
    assert far.home.socket.parent.stat().st_mode & 0o777 == 0o700
    assert len(far.pids()) == 1


@pytest.mark.parametrize("make", FOLDERS)
def test_a_daemon_listens_where_only_its_user_can(far: Daemon, make: Callable[[Path], None]) -> None:
    """It shuts a folder of its own to others, and says in a sentence why it does not use another."""
    make(far.home.socket.parent)
    if make in (open_to_others, open_to_all):
        far.start()
        assert far.home.socket.parent.stat().st_mode & 0o777 == 0o700
        return
    done = subprocess.run(far.command(), env=far.environ(), capture_output=True, check=False, timeout=20)
    assert done.returncode != 0
    assert b"is not yours alone" in done.stderr
    assert b"remove it, or set HARDWON_HOME to a shorter path" in done.stderr
