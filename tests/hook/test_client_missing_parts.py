"""With parts of it missing or broken, the hook client is silent and successful."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable

import pytest

from hardwon.hook import install
from tests.daemon.running import Daemon
from tests.hook.runs import LIMITS, installed, prompt, run, silent


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
