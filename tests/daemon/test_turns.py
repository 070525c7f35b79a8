"""How calls ended is in the transcript: it is read when a turn ends, and in the middle of a long one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.clients.claude_code import messages as claude_code
from hardwon.daemon import background
from hardwon.daemon.keep import Keeper, Work
from hardwon.daemon.message import Message
from hardwon.event import Heard
from hardwon.paths import make
from hardwon.settings import DEFAULTS
from tests.daemon.running import Daemon
from tests.daemon.running import keep as remember
from tests.daemon.session import Session
from tests.daemon.transcripts import call, transcript

PASSED = call("toolu_passed", "Bash", {"command": "make lint"}, "fine")


@pytest.fixture
def path(daemon: Daemon) -> Path:
    return daemon.folder.parent / "projects" / "p" / "s1.jsonl"


def outcomes(daemon: Daemon) -> list[tuple[str, str]]:
    return [(event.target, event.agent) for event in daemon.journal() if event.type == "tool_finished"]


@pytest.mark.parametrize("last", ["stop", "end"])
def test_the_end_of_a_turn_and_of_a_session_brings_the_outcomes(daemon: Daemon, path: Path, last: str) -> None:
    """No hook told of the call; nothing is read before, and nothing twice after."""
    daemon.start()
    session = Session(daemon, transcript=str(path))
    session.start()
    daemon.settle()
    transcript(path, "s1", daemon.folder, *PASSED)
    session.before("make lint")
    daemon.settle()
    assert outcomes(daemon) == []
    for _ in range(2):
        getattr(session, last)()
        daemon.settle()
        assert outcomes(daemon) == [("make lint", "")]


def test_sub_agents_have_files_of_their_own(daemon: Daemon, path: Path) -> None:
    own = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    daemon.start()
    session = Session(daemon, transcript=str(path))
    session.start()
    transcript(path, "s1", daemon.folder, *PASSED)
    records = call("toolu_sub", "Bash", {"command": "make docs"}, "fine")
    transcript(own, "s1", daemon.folder, *(record | {"agentId": "a1", "isSidechain": True} for record in records))
    session.stop()
    daemon.settle()
    assert sorted(outcomes(daemon)) == [("make docs", "a1"), ("make lint", "")]


def test_a_long_turn_is_looked_into(daemon: Daemon, path: Path) -> None:
    """A minute after the last look, at the next call; not at every call."""
    transcript(path, "s1", daemon.folder)
    make(daemon.home)
    keeper = Keeper(daemon.home, DEFAULTS)
    at = 1_794_733_200_000

    def happens(name: str, after: int, **fields: object) -> None:
        wire = {"session_id": "s1", "cwd": str(daemon.folder), "transcript_path": str(path), **fields}
        heard: Heard = claude_code.hear(name, json.dumps(wire).encode(), at + after)
        keeper.put(Work(Message("0", "claude-code", name, 0, b""), at + after, heard))

    act = {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "make"}}
    happens("SessionStart", 0, source="startup")
    keeper._queue.join()
    transcript(path, "s1", daemon.folder, *PASSED)
    happens("PreToolUse", background.LONG_TURN // 2, **act)
    keeper._queue.join()
    assert outcomes(daemon) == []
    happens("PreToolUse", background.LONG_TURN + 1, **act)
    keeper.drain(10)
    assert outcomes(daemon) == [("make lint", "")]


def test_at_a_prompt_a_failure_comes_with_what_worked(daemon: Daemon) -> None:
    """A pasted error is enough; a prompt that only shares words with one session's failure gets silence."""
    daemon.start()
    error = "Exit code 1\nModuleNotFoundError: No module named 'redis'"
    first = Session(daemon)
    first.failed("pytest", error)
    first.passed("pip install redis")
    first.passed("pytest")
    first.stop()
    daemon.settle()
    told = Session(daemon, "s2").prompt("I get this:\nModuleNotFoundError: No module named 'redis'")
    assert "pip install redis" in told
    assert Session(daemon, "s3").prompt("rename the redis module to cache") == ""


def test_what_a_person_noted_needs_no_such_certainty(daemon: Daemon) -> None:
    with daemon.store(write=True) as store:
        remember(store, "The redis cache needs a password", folder=daemon.folder)
    daemon.start()
    assert "needs a password" in Session(daemon).prompt("add a redis cache")
