"""Calls that can't be done, or are not answered: a sentence at once, done once or not at all, and it says which."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from typing import Any

import pytest

from hardwon.daemon import ask
from hardwon.store.tables import memories
from tests.daemon.running import Daemon, framed, until
from tests.hook.peers import everything, peer
from tests.tools.server import Server

SOON = 5.0
"""Seconds: well below the 20 that a call may take."""
HALF = "\ud83d"
"""Half an emoji: JSON can say it, UTF-8 can't."""


def bodies(daemon: Daemon) -> list[str]:
    with daemon.store() as store:
        return [memory.body for memory in memories.listed(store, memories.Filter(), 100)[0]]


def test_whatever_goes_wrong_is_answered_with_a_sentence(daemon: Daemon) -> None:
    """The daemon lives on, and what it did not foresee is in its log once."""
    daemon.start()
    for tool in ("note", "recall", "check", "mark", "erase"):
        for payload in (b"not JSON", b"[]", b"{}", b'{"arguments": [1]}', b"[" * 100_000):
            before = daemon.log.count("\n")
            told = json.loads(daemon.exchange(framed(tool, payload, host="mcp")))
            assert told["wrong"]
            assert told["text"].endswith(".")
            assert daemon.log.count("\n") - before <= 1
    assert daemon.status()


def test_a_call_that_fails_is_made_once(daemon: Daemon) -> None:
    """A folder that can't be one: the agent is told at once, and it is not tried again and again."""
    daemon.start()
    meta: dict[str, Any] = {"workspaces": {f"/a{HALF}b": {}}}
    with Server(daemon) as server:
        began = time.monotonic()
        answer = server.ask("tools/call", name="note", arguments={"text": "x"}, _meta=meta)["result"]
        assert time.monotonic() - began < SOON
    assert answer["isError"]
    assert "`hardwon daemon log`" in answer["content"][0]["text"]
    assert (daemon.status() or {})["tools"] == 1
    assert daemon.log.count("note: ") == 1
    daemon.leave()


def test_half_an_emoji_is_no_reason_to_fail(daemon: Daemon) -> None:
    """In any text of any tool; what can't be written stands there as a question mark."""
    given = {"text": f"The build {HALF} needs node 20", "skill": f"x{HALF}", "intent": HALF, "because": HALF}
    with Server(daemon, CLAUDE_CODE_SESSION_ID="s1") as server:
        said = [
            server.call("note", **given),
            server.call("mark", kind="decision", text=f"pnpm {HALF}", rejected=[f"npm{HALF}: {HALF}"], subject=HALF),
            server.call("recall", query=f"build {HALF} node", skill=f"x{HALF}"),
            server.call("recall", query=f"build {HALF} node 20", conversations=True),
            server.call("check", file=HALF, command=HALF, symbol=HALF, error=HALF),
            server.call("note", text="x", **{HALF: HALF}),
        ]
    assert not [text for text, wrong in said if wrong]
    assert sorted(bodies(daemon)) == ["The build ? needs node 20", "pnpm ?", "x"]
    assert daemon.log == ""
    daemon.leave()


def test_a_folder_whose_name_is_no_utf8_is_a_folder(daemon: Daemon) -> None:
    """What stands for its odd byte is not taken for half an emoji: what was kept there is found there alone."""
    folder = os.fsdecode(os.fsencode(daemon.folder) + b"/\xff")
    os.mkdir(folder)  # noqa: PTH102
    with Server(daemon, CLAUDE_PROJECT_DIR=folder) as server:
        assert server.call("note", text="The build needs node 20")[0].startswith("Kept as ")
        assert "node 20" in server.call("recall", query="build needs node")[0]
    with Server(daemon) as server:
        assert server.call("recall", query="build needs node") == ("Nothing is remembered that fits.", False)
    daemon.leave()


def test_what_comes_too_late_is_not_done(daemon: Daemon) -> None:
    """The daemon hung for longer than the call may take: the agent has gone on, and never heard of an id."""
    pid = daemon.start()
    with Server(daemon, seconds="1.0") as server:
        os.kill(pid, signal.SIGSTOP)
        try:
            said, wrong = server.call("note", text="from long ago")
        finally:
            os.kill(pid, signal.SIGCONT)
        assert wrong
        assert "it is not known whether it was kept" in said
        until(lambda: "note: " in daemon.log, "it was refused")
        assert bodies(daemon) == []
        assert server.call("note", text="from now")[0].startswith("Kept as ")
    assert bodies(daemon) == ["from now"]
    daemon.leave()


@pytest.mark.parametrize(
    ("tool", "says"),
    [("note", "it is not known whether it was kept"), ("recall", "hardwon did not answer")],
)
def test_a_call_that_was_heard_is_not_made_again(daemon: Daemon, tool: str, says: str) -> None:
    """Whoever took it and left may have done it: that is said at once, not found out by doing it twice."""
    heard: list[bytes] = []

    def takes_it(connection: socket.socket, over: threading.Event) -> None:
        heard.append(everything(connection))
        connection.close()

    with peer(daemon, takes_it), Server(daemon) as server:
        began = time.monotonic()
        said, wrong = server.call(tool, text="x", query="x")
        assert time.monotonic() - began < SOON
    assert wrong
    assert says in said
    assert ("kept" in said) == (tool == "note")
    assert len(heard) == 1


def test_a_call_that_nobody_heard_is_made_again_but_not_in_a_hurry(daemon: Daemon) -> None:
    """It was cut off before it was whole, so nothing was done; a second try may help, a hundredth would not."""
    tries: list[float] = []

    def cuts_off(connection: socket.socket, over: threading.Event) -> None:
        tries.append(time.monotonic())
        connection.close()

    with peer(daemon, cuts_off), Server(daemon, seconds="2.0") as server:
        said, wrong = server.call("note", text="x" * 3_000, because="y" * 2_000_000)
    assert wrong
    assert "nothing was kept" in said
    assert 3 < len(tries) < 20


def test_a_daemon_that_leaves_meanwhile_is_not_noticed(daemon: Daemon) -> None:
    """Calls while one daemon follows another: each is done by one of them, once."""
    daemon.start()
    stop = threading.Event()

    def unsettle() -> None:
        while not stop.wait(0.3):
            ask.ask_socket(daemon.home.socket, "leave")

    thread = threading.Thread(target=unsettle)
    thread.start()
    try:
        with Server(daemon) as server:
            said = [server.call("note", text=f"fact number {number}")[0] for number in range(30)]
    finally:
        stop.set()
        thread.join()
    assert not [text for text in said if not text.startswith("Kept as ")]
    until(lambda: len(bodies(daemon)) == 30, "all are kept")
