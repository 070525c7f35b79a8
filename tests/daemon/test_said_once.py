"""Each thing is said once in a window: also to calls at the same moment, and after a restart of the daemon."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, framed, keep_fixed
from tests.daemon.session import Session


def test_each_thing_is_said_once_in_a_window(daemon: Daemon, parser: dict[str, str]) -> None:
    """Again after compaction, and to a sub-agent, which sees another window."""
    daemon.start()
    session = Session(daemon)
    asked = "rewrite the tokenizer with regex"
    assert ids_in(session.prompt(asked))
    assert session.prompt(asked) == ""
    sub = Session(daemon, agent="a1")
    assert ids_in(sub.prompt(asked)) == short(parser["decision"])
    assert sub.prompt(asked) == ""
    session.start("compact")
    session.prompt("go on")
    said = session.prompt(asked)
    assert ids_in(said) in ([], short(parser["decision"])), "a brief after compaction may have said it already"
    assert Session(daemon, "s2").prompt(asked)


def test_a_brief_is_not_repeated_by_a_prompt(daemon: Daemon, brief: dict[str, str]) -> None:
    """Whatever the moment: each thing once."""
    daemon.start()
    session = Session(daemon)
    assert brief["rule"][-6:] in ids_in(session.start())
    assert brief["rule"][-6:] not in ids_in(session.prompt("should I use pnpm or npm?"))


@pytest.mark.parametrize("round", range(5))
def test_of_ten_calls_at_once_one_is_told(daemon: Daemon, round: int) -> None:
    """Decided before the reply, also when the session is new to the daemon: parallel calls don't repeat it. Each
    session has a command of its own, for what two sessions were told and did not need is not said to a third."""
    with daemon.store(write=True) as store:
        for number in range(6):
            keep_fixed(store, daemon.folder, f"make test-{number}", times=1)
    daemon.start()
    for number in range(6):
        session = Session(daemon, f"r{number}")
        barrier = threading.Barrier(10)

        command = f"make test-{number}"

        def call(
            session: Session = session, command: str = command, barrier: threading.Barrier = barrier
        ) -> dict[str, Any]:
            message = session.message("PreToolUse-Bash", tool_input={"command": command})
            with daemon.connect() as connection:
                barrier.wait()
                connection.sendall(framed("PreToolUse", json.dumps(message).encode()))
                connection.shutdown(1)
                reply = b"".join(iter(lambda: connection.recv(65536), b""))
            return dict(json.loads(reply)) if reply else {}

        with ThreadPoolExecutor(10) as pool:
            answers = [future.result() for future in [pool.submit(call) for _ in range(10)]]
        assert sum(bool(answer) for answer in answers) == 1


def test_of_ten_stops_at_once_one_is_given(daemon: Daemon) -> None:
    """The other nine of the same command pass."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
    daemon.start()
    session = Session(daemon)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: session.before("make test"), range(10)))
    assert sum(answer.get("permissionDecision") == "deny" for answer in answers) == 1


def test_a_restart_in_mid_session_repeats_nothing(daemon: Daemon, parser: dict[str, str]) -> None:
    """What was shown is in the store: after a killed daemon, too, and for a stop."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
    session = Session(daemon)
    asked = "rewrite the tokenizer with regex"
    daemon.start()
    assert session.prompt(asked)
    assert session.before("make test")["permissionDecision"] == "deny"
    for end in (daemon.leave, daemon.kill):
        daemon.settle()
        end()
        daemon.start()
        assert session.prompt(asked) == ""
        assert session.before("make test") == {}


def test_a_restart_after_a_compaction_does_not_forget_it(daemon: Daemon) -> None:
    """A new window has begun, though nothing was said in it yet."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    session = Session(daemon)
    daemon.start()
    assert session.before("make test")
    assert session.start("compact") == ""
    daemon.leave()
    daemon.start()
    assert session.before("make test")
    assert session.before("make test") == {}


def test_a_restart_right_after_the_first_call_repeats_nothing(daemon: Daemon) -> None:
    """The first thing that a daemon hears of a session may be a call that is about to run."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    session = Session(daemon)
    daemon.start()
    assert session.before("make test")
    daemon.leave()
    daemon.start()
    assert session.before("make test") == {}


def test_an_answer_that_came_too_late_is_given_another_time(daemon: Daemon, parser: dict[str, str]) -> None:
    """The client had left by then: it was not said, so it is neither on record nor used up."""
    daemon.start()
    for number in range(10):
        session = Session(daemon, f"s{number}")
        message = session.message("UserPromptSubmit", prompt="rewrite the tokenizer with regex", prompt_id="p0")
        hurried = daemon.exchange(framed("UserPromptSubmit", json.dumps(message).encode(), 1))
        daemon.settle()
        time.sleep(0.05)
        assert bool(daemon.shown(session.id)) == bool(hurried)
        assert bool(session.prompt("rewrite the tokenizer with regex")) != bool(hurried)
    assert (daemon.status() or {})["late"] > 0
