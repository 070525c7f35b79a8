"""The real Pi with hardwon: it is seen, it is spoken to, and nothing of ours can hold it up."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from hardwon.daemon import lifecycle, lock
from hardwon.memory import Kind
from tests.daemon.running import until
from tests.live.openai_chat_server import ChatServer
from tests.live.pi import NEWEST, VERSIONS, Pi, PiLive
from tests.live.session import Run
from tests.live.steps import Call, say, tool, use

SKILL = "deploy-check"
LESSON = "Ask for the release ticket first"
ENDED = "type = 'session_ended'"
VPN = "The staging deploy needs the VPN"


@pytest.fixture
def live(pi: Pi) -> Iterator[PiLive]:
    wired = PiLive(pi)
    wired.awake()
    yield wired
    wired.close()


def bash(command: str) -> Call:
    return tool("bash", command=command)


def session_of(run: Run) -> str:
    return next(str(event["id"]) for event in run.events if event["type"] == "session")


def unharmed(run: Run) -> None:
    assert (run.code, run.stderr) == (0, "")


def added(chat: ChatServer, at: int = -1) -> str:
    """What the request has that the one before it had not."""
    before, this = chat.requests[at - 1], chat.requests[at]
    return chat.text_of({"messages": this["messages"][len(before["messages"]) :]})


def nothing_before_was_changed(chat: ChatServer) -> None:
    """Each request begins with the one before it, to the byte: the client's cache holds."""
    for before, this in pairwise(chat.requests):
        told = json.dumps(before["messages"])
        assert json.dumps(this["messages"]).startswith(told[:-1])
        assert this["tools"] == before["tools"]


OLDER = [pytest.param(version, marks=pytest.mark.soak) for version in VERSIONS[:-1]]


@pytest.mark.parametrize("pi", [*OLDER, NEWEST], indirect=True)
def test_a_session_through_all_moments(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """Start, prompt, skill, failure, fix; in the next session the same mistake again, and what worked. Everything is
    said once and in its place, and the journal has each event once."""
    path = pi.add_skill(SKILL, "Check the deploy.")
    live.keep(LESSON, skill=SKILL)
    live.keep(VPN, Kind.CONSTRAINT)
    (pi.project / "check.sh").write_text("test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n")
    check, mend = use(bash("sh check.sh")), use(bash("touch .ready"))
    chat.script(use(tool("read", path=str(path))), check, mend, check, say("fixed"))
    run = pi.run("deploy to staging please")
    unharmed(run)
    assert chat.text_of(chat.requests[0]).count(VPN) == 1
    assert added(chat, 1).count(LESSON) == 1
    assert chat.text_of(chat.requests[-1]).count(LESSON) == chat.text_of(chat.requests[-1]).count(VPN) == 1
    nothing_before_was_changed(chat)
    live.settled()
    assert _kept(live, session_of(run)) == [
        ("session_started", "", "", None),
        ("prompt_submitted", "", "", None),
        ("tool_finished", "Read", str(path), None),
        ("skill_loaded", "Skill", SKILL, None),
        ("tool_failed", "Bash", "sh check.sh", 3),
        ("tool_finished", "Bash", "touch .ready", None),
        ("tool_finished", "Bash", "sh check.sh", None),
        ("turn_ended", "", "", None),
        ("session_ended", "", "", None),
    ]
    live.awake()
    live.wait_for("select 1 from memories where kind = 'fix'")
    (pi.project / ".ready").unlink()
    chat.requests.clear()
    chat.script(check, say("it fails again"))
    unharmed(pi.run("check it once more"))
    assert "touch .ready" in added(chat)
    nothing_before_was_changed(chat)


def _kept(live: PiLive, session: str) -> list[tuple[Any, ...]]:
    return live.rows(
        "select j.type, j.tool, j.target, j.exit_status from journal j join sessions s on s.row = j.session"
        " where s.id = ? order by j.at, j.row",
        session,
    )


@pytest.mark.soak
def test_a_command_that_keeps_failing_is_stopped_once(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """With what worked as the reason; issued again, it runs."""
    (pi.project / "check.sh").write_text("test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n")
    check, mend = use(bash("sh check.sh")), use(bash("touch .ready"))
    for helped in range(2):
        chat.script(check, mend, check, say("fixed"))
        unharmed(pi.run("make the check pass"))
        live.wait_for(f"select 1 from (select count(*) as n from journal where {ENDED}) where n > ?", helped)
        (pi.project / ".ready").unlink()
    live.wait_for("select 1 from showings where outcome = 'helped'")
    chat.script(check, say("it fails again"))
    unharmed(pi.run("and here"))
    live.wait_for("select 1 from memories where kind = 'failure' and status = 'active'")
    chat.script(check, check, say("done"))
    unharmed(pi.run("and once more"))
    assert "was not run" in added(chat, -2)
    assert "touch .ready" in added(chat, -2)
    assert "fatal: .ready is missing" in added(chat)


def test_a_typed_skill_brings_its_lessons(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """No call follows that would tell of it."""
    pi.add_skill(SKILL, "Check the deploy.")
    live.keep(LESSON, skill=SKILL)
    chat.script(say("ok"))
    unharmed(pi.run(f"/skill:{SKILL} now"))
    assert chat.text_of(chat.requests[0]).count(LESSON) == 1


def test_the_memorys_tools(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """They are there from the first request on; what is kept names its session. What a program prompted is nobody's
    word."""
    note = tool("skill_note", skill=SKILL, text="The region must be given first")
    mark = tool("memory_mark", kind="rule", text="Use pnpm", quote="please use pnpm, never npm, in this repository")
    chat.script(use(note), use(tool("skill_recall", skill=SKILL)), use(mark), say("ok"))
    run = pi.run("please use pnpm, never npm, in this repository")
    unharmed(run)
    assert {"memory_recall", "skill_note"} <= {one["function"]["name"] for one in chat.requests[0]["tools"]}
    assert "Kept as " in added(chat, 1)
    assert "The region must be given first" in added(chat, 2)
    assert "a program wrote them" in added(chat, 3)
    ((evidence, author),) = live.rows("select evidence, author from memories where skill = ?", SKILL)
    assert session_of(run) in evidence
    assert author == "pi"


def test_after_a_compaction_what_holds_comes_back(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """The window is a new one; what was summed up is kept."""
    live.keep("Sessions are kept in PostgreSQL", Kind.CONSTRAINT)
    keep = {"enabled": True, "reserveTokens": 16_384, "keepRecentTokens": 20}
    (pi.config / "settings.json").write_text(json.dumps({"compaction": keep}))

    def tells(tokens: int, words: str) -> Callable[[Any], Any]:
        def step(_: Any) -> Any:
            chat.prompt_tokens = tokens
            return say(words)

        return step

    chat.script(say("It is long ago. " * 40), tells(39_000, "much"), tells(100, "after"))
    chat.summary("They counted.", "They counted.")
    run = pi.run("hello there", "tell me more " * 30, "go on")
    unharmed(run)
    live.settled()
    assert chat.beside
    assert "Sessions are kept in PostgreSQL" in chat.text_of(chat.requests[-1])
    kept = [kind for kind, *_ in _kept(live, session_of(run))]
    assert (kept.count("compacting"), kept.count("compacted")) == (1, 1)


@pytest.mark.soak
def test_nothing_is_left(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """After uninstall, with sessions in between: Pi's folder has what Pi put there, and nothing is sent any more."""
    live.hardwon("config", "set", "daemon.idle_seconds", "1")
    live.settled()
    chat.script(say("ok"), say("ok"))
    unharmed(pi.run("hello"))
    until(lambda: live.processes() == [], "nothing of ours runs any more")
    live.hardwon("uninstall", "pi", "--yes")
    assert not [path for path in pi.config.rglob("*") if "hardwon" in path.name or path.name == "extensions"]
    unharmed(pi.run("hello again"))
    assert live.processes() == []
    assert len(chat.requests[-1]["tools"]) < len(chat.requests[0]["tools"])


@contextlib.contextmanager
def daemon_killed(live: PiLive) -> Iterator[None]:
    os.kill(_pid(live), signal.SIGKILL)
    yield


@contextlib.contextmanager
def daemon_hung(live: PiLive) -> Iterator[None]:
    pid = _pid(live)
    os.kill(pid, signal.SIGSTOP)
    yield
    os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def package_gone(live: PiLive) -> Iterator[None]:
    lifecycle.stop(live.home)
    start = live.home.hook / "start"
    right = start.read_text()
    start.write_text("/nonexistent/python\n-m\nhardwon_is_gone\n")
    yield
    start.write_text(right)


@contextlib.contextmanager
def garbage(live: PiLive) -> Iterator[None]:
    """Something else listens at the socket."""
    lifecycle.stop(live.home)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(live.home.socket))
        listening.listen(64)
        threading.Thread(target=_answer_garbage, args=(listening,), daemon=True).start()
        yield
        listening.shutdown(socket.SHUT_RDWR)
    live.home.socket.unlink()


def _answer_garbage(listening: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b"\x00<html>garbage" * 1_000)


def _pid(live: PiLive) -> int:
    lifecycle.start(live.home)
    pid, _ = lock.holder(str(live.home.root))
    assert pid
    return pid


Fault = Callable[[PiLive], contextlib.AbstractContextManager[None]]
FAULTS: tuple[Fault, ...] = (daemon_hung, daemon_killed, package_gone, garbage)


OTHERS = [pytest.param(fault, marks=pytest.mark.soak, id=fault.__name__) for fault in FAULTS[1:]]


@pytest.mark.parametrize("fault", [pytest.param(FAULTS[0], id=FAULTS[0].__name__), *OTHERS])
def test_the_session_completes(pi: Pi, chat: ChatServer, live: PiLive, fault: Fault) -> None:
    """With each fault: the skill's text is whole, nobody sees an error, nothing waits; what was missed is there in the
    end, once each, when the next session without the fault has begun."""
    path = pi.add_skill(SKILL, "Check the deploy.")
    chat.script(use(tool("read", path=str(path))), use(bash("exit 3")), use(bash("echo fine")), say("done"))
    with fault(live):
        run = pi.run("deploy to staging")
    unharmed(run)
    assert run.seconds < 20
    assert path.read_text() in added(chat, 1)
    chat.script(say("ok"))
    live.awake()
    unharmed(pi.run("hello"))
    live.settled()
    kept = [
        row[:3] for row in _kept(live, session_of(run)) if row[0] in ("prompt_submitted", "tool_failed", "turn_ended")
    ]
    assert kept == [("prompt_submitted", "", ""), ("tool_failed", "Bash", "exit 3"), ("turn_ended", "", "")]
