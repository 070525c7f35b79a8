"""One session's variables are its own: they switch it off alone, and a daemon that it starts takes none of them."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hardwon.paths import make
from hardwon.settings import KEYS
from hardwon.settings.load import without_variables
from tests.daemon.running import Daemon, framed, until
from tests.daemon.session import Session
from tests.hook.peers import everything, peer
from tests.hook.runs import LIMITS, MARGIN, installed, prompt, run, silent
from tests.tools.server import Server

ENABLED, OLDER = "HARDWON_CONTROL_ENABLED", "CODEMEMORY_ENABLED"
OFF = [
    {ENABLED: "false"}, {ENABLED: "0"}, {ENABLED: "No"}, {ENABLED: " off "}, {ENABLED: "flase"}, {OLDER: "false"},
    {ENABLED: "off", OLDER: "on"},
]  # fmt: skip
ON = [{ENABLED: "true"}, {ENABLED: "1"}, {ENABLED: "YES"}, {ENABLED: ""}, {ENABLED: " "}, {OLDER: "on"},
      {ENABLED: "on", OLDER: "off"}]  # fmt: skip
OF_ANOTHER = {
    ENABLED: "true", "HARDWON_CONTROL_EXCLUDE_PROJECTS": "app", "HARDWON_RECALL_LIMIT": "many", "SKILL_MAX": "none",
    "HARDWON_DAEMON_IDLE_SECONDS": "1",
}  # fmt: skip


@contextmanager
def listening(daemon: Daemon) -> Iterator[list[bytes]]:
    heard: list[bytes] = []

    def listen(connection: socket.socket, over: threading.Event) -> None:
        heard.append(everything(connection))
        connection.close()

    with peer(daemon, listen):
        yield heard


@pytest.mark.parametrize("variables", OFF, ids=str)
def test_a_session_that_is_switched_off_is_not_observed(daemon: Daemon, variables: dict[str, str]) -> None:
    """Nothing is sent, nothing started, nothing read. A word that is neither yes nor no counts as no."""
    with listening(daemon) as heard:
        for limit in LIMITS:
            done = run(installed(daemon, limit=limit), prompt(daemon), **variables)
            silent(done, limit)
            assert done.seconds < MARGIN
        time.sleep(0.1)
    assert heard == []
    daemon.home.socket.unlink()
    silent(run(installed(daemon), prompt(daemon), **variables), 250)
    time.sleep(0.3)
    assert daemon.pids() == []


@pytest.mark.parametrize("variables", ON, ids=str)
def test_a_session_that_is_switched_on_is_observed(daemon: Daemon, variables: dict[str, str]) -> None:
    with listening(daemon) as heard:
        run(installed(daemon, limit=0), prompt(daemon), **variables)
        until(lambda: heard, "it was heard")


def test_the_session_beside_it_goes_on(daemon: Daemon) -> None:
    """Whichever of the two came first."""
    for number in range(2):
        off = prompt(daemon, "not to be kept", session_id="off", prompt_id=f"off{number}")
        run(installed(daemon, limit=0), off, **{ENABLED: "false"})
        run(installed(daemon, limit=0), prompt(daemon, f"words {number}", prompt_id=f"on{number}"))
        until(lambda count=number + 1: len(daemon.journal()) == count, "it is kept")  # type: ignore[misc]
    daemon.leave()
    assert daemon.journal("off") == []


def test_the_daemon_does_not_take_over_a_sessions_variables(daemon: Daemon) -> None:
    """It answers all sessions: what the one that started it excludes, or has mistyped, is nothing to the others."""
    run(installed(daemon, limit=0), prompt(daemon, "the first words"), **OF_ANOTHER)
    until(lambda: [event.text for event in daemon.journal()] == ["the first words"], "it is kept")
    time.sleep(2.5)
    assert daemon.pids(), "it did not leave after a second"
    daemon.home.settings.write_text("[recall]\nlimit = 6\n")  # nor does it when it reads its settings again
    Session(daemon, "s2").prompt("the next words")
    daemon.leave()
    assert [event.text for event in daemon.journal("s2")] == ["the next words"]
    assert daemon.log == ""


def test_nor_one_that_the_server_starts(daemon: Daemon) -> None:
    with Server(daemon, **OF_ANOTHER) as server:
        assert server.call("note", text="The tests need Redis")[0].startswith("Kept as ")
    daemon.leave()
    assert daemon.log == ""


def test_nor_what_writes_an_event_down_for_later(daemon: Daemon) -> None:
    message = framed("UserPromptSubmit", prompt(daemon, "hello"), 0)
    environ = daemon.environ(OF_ANOTHER)
    make(daemon.home)  # the hook that runs this lies in it
    subprocess.run(daemon.command("spool"), input=message, env=environ, check=True, timeout=60)
    assert len(list(daemon.home.spool.glob("*.json"))) == 1
    assert daemon.log == ""


def test_a_daemon_that_is_started_by_hand_takes_them(daemon: Daemon) -> None:
    """Whoever starts it says for all sessions how it shall be."""
    daemon.start(HARDWON_CONTROL_EXCLUDE_PROJECTS="app")
    Session(daemon).prompt("hello")
    daemon.leave()
    assert daemon.journal() == []


@pytest.mark.parametrize("variables", OFF, ids=str)
def test_an_agent_of_a_session_that_is_switched_off_is_told_so(daemon: Daemon, variables: dict[str, str]) -> None:
    """Nothing is kept or looked up, and no daemon is started for it."""
    fields = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(daemon.folder)}
    with Server(daemon, **variables) as server:
        for tool, asked in (("note", {"text": "x"}), ("recall", {"query": "x"})):
            said, wrong = server.call(tool, **asked)
            assert wrong
            assert said.startswith("Nothing was done: hardwon is switched off in this session (")
        assert server.call("hook", **fields) == ("", False)
    assert daemon.pids() == []


def test_every_variable_of_a_setting_is_left_out() -> None:
    """Those of earlier tools, too; everything else stays."""
    of_settings = {name: "1" for key in KEYS.values() for name in (key.variable, key.alias) if name}
    others = {"HOME": "/home/ana", "HARDWON_HOME": "/h", "OPENAI_API_KEY": "k", "PATH": "/bin"}
    assert without_variables(of_settings | others) == others
