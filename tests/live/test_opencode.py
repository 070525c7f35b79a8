"""The real OpenCode with hardwon: every moment of a session, and whatever breaks."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.daemon import lifecycle, lock
from hardwon.memory import Anchor, AnchorKind, Kind
from tests.live import opencode as opencode_client
from tests.live.chat_server import ChatServer, goes_on, said, text
from tests.live.live import Live
from tests.live.opencode import KILO, OPENCODE, OpenCode
from tests.live.processes import living_below
from tests.live.session import Run
from tests.live.steps import Call, Step, say, tool, use
from tests.live.test_faults import home_read_only

SCRIPT = "test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n"


def bash(command: str) -> Call:
    return tool("bash", command=command, description="scripted")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with ChatServer() as server:
        yield server


@pytest.fixture
def opencode(tmp_path: Path, chat: ChatServer) -> Iterator[OpenCode]:
    yield from _client(tmp_path, chat, OPENCODE)


@pytest.fixture
def kilo(tmp_path: Path, chat: ChatServer) -> Iterator[OpenCode]:
    yield from _client(tmp_path, chat, KILO)


def _client(root: Path, chat: ChatServer, made: opencode_client.Made) -> Iterator[OpenCode]:
    if reason := opencode_client.missing(made):
        pytest.skip(reason)
    client = OpenCode(root, chat, made)
    yield client
    client.close()


@pytest.fixture
def live(opencode: OpenCode) -> Iterator[Live]:
    yield from _wired(opencode)


def _wired(client: OpenCode) -> Iterator[Live]:
    wired = Live(client, client.made.name)
    wired.awake()
    yield wired
    wired.close()


def unharmed(client: OpenCode, run: Run) -> None:
    """The session ended well, nothing of hardwon's was heard of, and no package was waited for: that would be 75 s."""
    assert run.code == 0, run.stderr
    assert "hardwon" not in run.stderr
    assert "install failed" not in client.log()


def session_of(run: Run) -> str:
    return next(str(event["sessionID"]) for event in run.events if event.get("sessionID"))


def happened(live: Live, session: str) -> list[tuple[Any, ...]]:
    live.settled()
    return live.rows(
        "select j.type, j.tool, j.target, j.agent <> '' from journal j join sessions s on s.row = j.session"
        " where s.id = ? order by j.at, j.row",
        session,
    )


def test_a_session_from_its_start_to_its_end(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    """Prompt, skill, failing command, fix, failing edit, a server's failing tool, a note: each told in its place, each
    kept once. The next session is told of the same mistake; its sub-agent is no person; after its compaction it knows
    where it stands. What was sent once is sent again byte for byte."""
    server = {"mem": {"type": "local", "command": [sys.executable, str(Path(__file__).with_name("mcp_server.py"))]}}
    opencode.configure(chat, mcp=server)
    opencode.add_skill("deploy", "Deploy with care.")
    live.keep("The staging deploy needs the VPN", Kind.LESSON)
    (opencode.project / "check.sh").write_text(SCRIPT)
    (opencode.project / "a.txt").write_text("hello\n")
    chat.script(
        use(tool("skill_note", text="Ask for the release ticket first", skill="deploy")),
        use(tool("skill", name="deploy", intent="ship it to staging")),
        use(bash("sh check.sh")),
        use(bash("touch .ready")),
        use(bash("sh check.sh")),
        use(tool("edit", filePath="a.txt", oldString="not there", newString="x")),
        use(tool("mem_boom")),
        say("shipped"),
    )
    run = opencode.run("deploy to staging please")
    unharmed(opencode, run)
    prompt = chat.requests[0]["messages"][-1]
    assert prompt["content"][0]["text"] == '"deploy to staging please"'
    assert said(chat.requests[-1]).count("The staging deploy needs the VPN") == 1
    (schema,) = [one["function"] for one in chat.requests[0]["tools"] if one["function"]["name"] == "skill"]
    assert schema["parameters"]["required"] == ["name"]
    assert "intent" in schema["parameters"]["properties"]
    skill = text(chat.requests[2]["messages"][-1])
    assert skill.index("Deploy with care.") < skill.index("Ask for the release ticket first")
    assert all(goes_on(*pair) for pair in itertools.pairwise(chat.requests))
    assert happened(live, session_of(run)) == [
        ("session_started", "", "", 0),
        ("prompt_submitted", "", "", 0),
        ("tool_finished", "Skill", "deploy", 0),
        ("skill_loaded", "Skill", "deploy", 0),
        ("tool_failed", "Bash", "sh check.sh", 0),
        ("tool_finished", "Bash", "touch .ready", 0),
        ("tool_finished", "Bash", "sh check.sh", 0),
        ("tool_failed", "Edit", "a.txt", 0),
        ("tool_failed", "mcp__mem__boom", "", 0),
        ("turn_ended", "", "", 0),
        ("session_ended", "", "", 0),
    ]
    assert live.rows("select text from journal where type = 'skill_loaded'") == [("ship it to staging",)]
    _the_next_one(opencode, chat, live)


def _the_next_one(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    live.awake()
    live.wait_for("select 1 from memories where kind = 'fix'")
    (opencode.project / ".ready").unlink()
    begun = len(chat.requests)
    chat.script(use(bash("false")), say("looked"), marker="SUBTASK")
    chat.script(
        use(bash("sh check.sh")),
        use(bash("sh check.sh")),  # on a busy machine the first answer may come too late
        use(tool("task", description="look", prompt="SUBTASK look around", subagent_type="general")),
        Step("it is long by now", tokens=opencode_client.WINDOW),
        say("and on"),
    )
    run = opencode.run("run the check")
    unharmed(opencode, run)
    own = [one for one in chat.requests[begun:] if "SUBTASK" not in text(one["messages"][1])]
    told = [text(one["messages"][-1]) for one in own[1:3]]
    assert told[0].startswith("fatal: .ready is missing")
    assert any("`touch .ready`" in one for one in told)
    assert all(goes_on(*pair) for pair in itertools.pairwise(own[:4]))
    assert said(own[-1]).count('<hardwon moment="after compaction">') == 1
    rows = happened(live, session_of(run))
    assert [row for row in rows if row[3]] == [("tool_failed", "Bash", "false", 1), ("turn_ended", "", "", 1)]
    assert [row[0] for row in rows].count("prompt_submitted") == 1
    assert [row[0] for row in rows].count("compacted") == 1


def test_a_call_is_held_up_with_the_reason(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    """What a rule of the person forbids is not run; the agent reads why, and the session goes on."""
    live.home.settings.write_text('[vectors]\nmodel = "off"\n[alerts]\nguard = "deny"\n')
    anchor = Anchor(AnchorKind.COMMAND, "touch made.txt")
    live.keep("Never make that file", Kind.RULE, anchors=(anchor,))
    chat.script(use(bash("touch made.txt")), use(bash("echo fine")), say("understood"))
    unharmed(opencode, opencode.run("make the file"))
    assert "Never make that file" in text(chat.requests[1]["messages"][-1])
    assert not (opencode.project / "made.txt").exists()
    assert text(chat.requests[2]["messages"][-1]) == "fine\n"
    assert live.rows("select 1 from journal where type = 'tool_failed'") == []


@contextlib.contextmanager
def _stopped(live: Live) -> Iterator[None]:
    lifecycle.stop(live.home)
    start = live.home.hook / "start"
    right = start.read_text()
    start.write_text(f"/usr/bin/python3\n-I\n-m\nhardwon_is_gone\n{live.home.root}\n")
    yield
    start.write_text(right)


@contextlib.contextmanager
def _hung(live: Live) -> Iterator[None]:
    pid = _daemon(live)
    os.kill(pid, signal.SIGSTOP)
    yield
    os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def _killed(live: Live) -> Iterator[None]:
    os.kill(_daemon(live), signal.SIGKILL)
    yield


@contextlib.contextmanager
def _down(live: Live) -> Iterator[None]:
    lifecycle.stop(live.home)
    yield


def _daemon(live: Live) -> int:
    lifecycle.start(live.home)
    pid, _ = lock.holder(str(live.home.root))
    assert pid
    return pid


@contextlib.contextmanager
def _garbage(live: Live) -> Iterator[None]:
    """Somebody listens who understands nothing."""
    lifecycle.stop(live.home)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(live.home.socket))
        listening.listen()
        threading.Thread(target=_babble, args=(listening,), daemon=True).start()
        yield
    live.home.socket.unlink()


def _babble(listening: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b'\xff\xfe{"text": 7, "stop": [')


Fault = Callable[[Live], contextlib.AbstractContextManager[None]]


@pytest.mark.soak
@pytest.mark.parametrize("fault", [_stopped, _killed, _down, _garbage, home_read_only])
def test_a_session_without_its_daemon(opencode: OpenCode, chat: ChatServer, live: Live, fault: Fault) -> None:
    """It completes, the person sees nothing, the skill's text is whole; a daemon that can be started hears it all."""
    with fault(live):
        run = _work(opencode, chat)
    if fault in (_killed, _down):
        rows = [row[:2] for row in happened(live, session_of(run))]
        assert rows[0] == ("session_started", "")
        assert [row for row in rows if row[0] == "tool_failed"] == [("tool_failed", "Bash")]
        assert rows[-1] == ("session_ended", "")


def test_a_daemon_that_hangs_and_a_client_as_it_was(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    """The session completes with the skill's text whole. Taken out, the client has its files back as they were."""
    opencode.add_skill("deploy", "Deploy with care.")
    live.hardwon("uninstall", "opencode", "--yes")
    before = _files(opencode.config)
    live.hardwon("setup", "opencode", "--yes")
    live.awake()
    with _hung(live):
        _work(opencode, chat)
    live.hardwon("uninstall", "opencode", "--yes")
    after = _files(opencode.config)
    assert {name: after.get(name) for name in before} == before
    assert sorted(set(after) - set(before)) == [".gitignore"]  # the client's own, with or without a plugin


def _work(opencode: OpenCode, chat: ChatServer) -> Run:
    if not (opencode.config / "skills").exists():
        opencode.add_skill("deploy", "Deploy with care.")
    chat.script(use(tool("skill", name="deploy", intent="ship it")), use(bash("exit 3")), say("done"))
    run = opencode.run("go on")
    unharmed(opencode, run)
    assert text(chat.requests[1]["messages"][-1]).endswith("</skill_content>")
    assert not living_below(opencode.project, [])
    return run


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.soak
def test_a_skill_that_is_typed(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    """Its lessons come with its text; the person's words are what was typed, not what the client makes of it."""
    opencode.add_skill("deploy", "Deploy with care.")
    live.keep("Ask for the release ticket first", skill="deploy")
    chat.script(say("ok"))
    run = opencode.run("to staging", "--command", "deploy")
    unharmed(opencode, run)
    assert said(chat.requests[0]).count("Ask for the release ticket first") == 1
    live.settled()
    assert live.rows("select text from journal where type = 'prompt_submitted'") == [("/deploy to staging",)]


@pytest.mark.soak
def test_a_session_that_goes_on(opencode: OpenCode, chat: ChatServer, live: Live) -> None:
    """What was said before is not said again, and is still there as it was."""
    live.keep("The staging deploy needs the VPN", Kind.CONSTRAINT)
    chat.script(say("ok"), say("ok"))
    opencode.run("deploy to staging")
    unharmed(opencode, opencode.run("deploy to staging again", "--continue"))
    first, second = chat.requests
    assert said(second).count("The staging deploy needs the VPN") == 1
    assert goes_on(first, second)


@pytest.mark.soak
def test_kilo(kilo: OpenCode, chat: ChatServer) -> None:
    """The same plugin in Kilo: prompt, skill, failure, and the same mistake again."""
    for live in _wired(kilo):
        kilo.add_skill("deploy", "Deploy with care.")
        live.keep("The staging deploy needs the VPN", Kind.LESSON)
        live.keep("Ask for the release ticket first", skill="deploy")
        anchor = Anchor(AnchorKind.COMMAND, "sh check.sh")
        live.keep("`sh check.sh` failed: fatal: .ready is missing", Kind.FAILURE, anchors=(anchor,))
        (kilo.project / "check.sh").write_text(SCRIPT)
        chat.script(use(tool("skill", name="deploy", intent="ship it")), use(bash("sh check.sh")), say("done"))
        run = kilo.run("deploy to staging please")
        unharmed(kilo, run)
        assert said(chat.requests[0]).count("The staging deploy needs the VPN") == 1
        assert "Ask for the release ticket first" in text(chat.requests[1]["messages"][-1])
        assert "fatal: .ready is missing" in text(chat.requests[2]["messages"][-1])
        rows = [row[:2] for row in happened(live, session_of(run))]
        assert rows.count(("tool_failed", "Bash")) == 1
        assert rows[-1] == ("session_ended", "")
