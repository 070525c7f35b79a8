"""The thin process in front of the daemon: what it answers itself, what it passes on, what it survives."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hardwon.hook import install, mcp
from hardwon.memories.search.budget import tokens
from hardwon.memory import GLOBAL, Kind, Trust
from hardwon.store.tables import memories
from tests.daemon.running import Daemon, resident, until
from tests.tools.server import Server


def kept(daemon: Daemon) -> list[Any]:
    with daemon.store() as store:
        return memories.listed(store, memories.Filter(), 100)[0]


def test_it_introduces_itself_without_a_daemon(daemon: Daemon) -> None:
    """Who it is, which tools there are: no session waits for a daemon to start."""
    with Server(daemon) as server:
        hello = server.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})["result"]
        server.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        listed = server.ask("tools/list")["result"]["tools"]
        assert server.ask("ping")["result"] == {}
    assert hello["protocolVersion"] == "2025-11-25"
    assert hello["serverInfo"]["name"] == "hardwon"
    assert "recall" in hello["instructions"]
    assert [tool["name"] for tool in listed] == ["note", "recall", "check", "mark"]
    assert daemon.pids() == []


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ],
)
def test_the_protocol_is_the_clients_where_it_is_known(daemon: Daemon, asked: str, answered: str) -> None:
    with Server(daemon) as server:
        assert server.ask("initialize", protocolVersion=asked)["result"]["protocolVersion"] == answered


def test_probes_get_an_answer(daemon: Daemon) -> None:
    """Claude Code asks for a newer protocol first, and for prompts and resources whatever a server says it has."""
    with Server(daemon) as server:
        assert server.ask("server/discover")["error"]["code"] == -32601
        assert server.ask("prompts/list")["result"] == {"prompts": []}
        assert server.ask("resources/list")["result"] == {"resources": []}
        assert server.ask("resources/templates/list")["result"] == {"resourceTemplates": []}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json", -32700),
        (b"[" * 100_000, -32700),
        (b'"text"', -32600),
        (b'{"id": 1}', -32600),
        (b'{"id": 1, "method": "tools/nothing"}', -32601),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "erase"}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": [1]}', -32603),
    ],
)
def test_garbage_is_answered_and_survived(daemon: Daemon, line: bytes, code: int) -> None:
    with Server(daemon) as server:
        server.send(line)
        assert server.receive()["error"]["code"] == code
        server.send(b"")
        server.send(b'{"jsonrpc": "2.0", "id": 9, "result": {}}')
        assert server.ask("ping")["result"] == {}


def test_a_note_is_kept_and_recalled(daemon: Daemon) -> None:
    """With its project, its session and an agent's trust; the second time it is only counted."""
    with Server(daemon, CLAUDE_CODE_SESSION_ID="s1") as server:
        said, wrong = server.call("note", text="`make test` needs Redis on port 6380", type="gotcha", intent="testing")
        assert not wrong
        assert said.startswith("Kept as ")
        assert server.call("note", text="`make test` needs Redis on port 6380")[0].startswith("Known already as ")
        answer, wrong = server.call("recall", query="make test fails, is redis there?")
    assert not wrong
    assert answer.count("Redis on port 6380") == 1
    assert answer.startswith("<hardwon ")
    (memory,) = kept(daemon)
    assert (memory.kind, memory.trust, memory.subtype) == (Kind.LESSON, Trust.AGENT, "gotcha")
    assert (memory.author, memory.evidence, memory.intent) == ("claude-code", ("session s1",), "testing")
    assert memory.scope.project != GLOBAL
    assert "command=make test" in map(str, memory.anchors)
    daemon.leave()


def test_lessons_of_a_skill(daemon: Daemon) -> None:
    """With the skill alone all of its lessons, in the form in which they come with the skill."""
    with Server(daemon) as server:
        server.call("note", text="Ask for the region first", skill="deploy")
        server.call("note", text="Unrelated", skill="review")
        answer, _ = server.call("recall", skill="deploy")
    assert '<skill-memory skill="deploy">' in answer
    assert "region first" in answer
    assert "Unrelated" not in answer
    daemon.leave()


def test_what_holds_everywhere_and_what_only_here(daemon: Daemon, tmp_path: Path) -> None:
    with Server(daemon) as server:
        server.call("note", text="Alembic needs the database up", everywhere=True)
        server.call("note", text="The parser is generated by make grammar")
    other = Daemon(daemon.home, tmp_path)
    with Server(other, HOME=str(tmp_path)) as server:
        assert "Alembic" in server.call("recall", query="alembic database up")[0]
        assert server.call("recall", query="parser generated by make grammar") == (
            "Nothing is remembered that fits.",
            False,
        )
    daemon.leave()


def test_the_session_and_folder_that_a_client_sends_along(daemon: Daemon, tmp_path: Path) -> None:
    """Codex tells in the call's metadata; without any the note is kept all the same."""
    (tmp_path / "work").mkdir()
    meta = {"x-codex-turn-metadata": {"threadId": "t1", "workspaces": {str(tmp_path / "work"): {}}}}
    with Server(daemon, "codex") as server:
        arguments = {"text": "Codex learned this"}
        server.ask("tools/call", name="note", arguments=arguments, _meta=meta)
        server.ask("tools/call", name="note", arguments={"text": "And this"}, _meta={"other": [1]})
    first, second = sorted(kept(daemon), key=lambda memory: memory.created_at)
    assert (first.evidence, first.author) == (("session t1",), "codex")
    assert second.evidence == ()
    assert first.scope.project != second.scope.project
    daemon.leave()


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("note", {}, '"text" must be a text that is not empty; it is missing.'),
        ("note", {"text": "   "}, '"text" must be a text that is not empty'),
        ("note", {"text": ["a"]}, '"text" must be a text'),
        ("note", {"text": "x" * 5_000}, "5000 characters, 4000 at most"),
        ("note", {"text": "a", "kind": "rule"}, '"kind" is "rule"; known are lesson, decision'),
        ("note", {"text": "a", "type": "joke"}, '"type" is "joke"; known are gotcha'),
        ("note", {"text": "a", "skill": 3}, '"skill" must be a text; it is 3.'),
        ("recall", {}, '"query" is empty'),
        ("recall", {"query": "a", "limit": 0}, '"limit" must be a whole number from 1 to 20; it is 0.'),
        ("recall", {"query": "a", "limit": True}, '"limit" must be a whole number'),
    ],
)
def test_bad_arguments_get_a_sentence(daemon: Daemon, tool: str, arguments: dict[str, Any], names: str) -> None:
    """An agent can act on it; nothing is kept."""
    daemon.start()
    with Server(daemon) as server:
        said, wrong = server.call(tool, **arguments)
    assert wrong
    assert names in said
    with daemon.store() as store:
        assert not store.on_disk or not memories.listed(store, memories.Filter(), 1)[0]
    daemon.leave()


def test_a_pause_is_respected(daemon: Daemon) -> None:
    from hardwon.store import control
    from tests.support import now

    with daemon.store(write=True) as store:
        control.pause(store, None, now())
    with Server(daemon) as server:
        said, wrong = server.call("note", text="not to be kept")
    assert wrong
    assert "hardwon is paused" in said
    assert kept(daemon) == []
    daemon.leave()


def test_nothing_is_told_in_a_pause(daemon: Daemon) -> None:
    """recall and check say that it is paused, and nothing counts as shown."""
    from hardwon.store import control
    from hardwon.store.tables import showings
    from tests.support import now

    with Server(daemon) as server:
        server.call("note", text="The tests need Redis: make redis")
        with daemon.store(write=True) as store:
            control.pause(store, None, now())
        told = [server.call("recall", query="redis"), server.call("check", command="make redis")]
    assert told == [("Nothing was looked up: hardwon is paused; `hardwon resume` ends that.", True)] * 2
    with daemon.store() as store:
        assert showings.totals(store, 0) == (0, 0)
    daemon.leave()


def test_secrets_are_taken_out(daemon: Daemon) -> None:
    secret = "sk-ant-api03-" + "A1b2C3d4" * 11
    with Server(daemon) as server:
        server.call("note", text=f"The key is {secret}, put it into .env")
    daemon.leave()
    assert [
        path for path in daemon.home.root.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ] == []
    (memory,) = kept(daemon)
    assert "put it into .env" in memory.body


def test_a_daemon_that_was_killed_is_not_noticed(daemon: Daemon) -> None:
    """In the middle of a session: the next call starts another one."""
    with Server(daemon) as server:
        server.call("note", text="before")
        daemon.kill()
        assert server.call("note", text="after")[0].startswith("Kept as ")
    assert sorted(memory.body for memory in kept(daemon)) == ["after", "before"]
    daemon.leave()


def test_ten_sessions_at_once(daemon: Daemon) -> None:
    """Each keeps ten notes at the same time; all are there."""
    servers = [Server(daemon, CLAUDE_CODE_SESSION_ID=f"s{number}") for number in range(10)]
    try:
        with ThreadPoolExecutor(10) as at_once:
            done = at_once.map(
                lambda one: [one[1].call("note", text=f"fact {one[0]} of {n}")[1] for n in range(10)],
                enumerate(servers),
            )
            assert not any(wrong for each in done for wrong in each)
    finally:
        for server in servers:
            server.__exit__(None, None, None)
    assert len(kept(daemon)) == 100
    daemon.leave()


def test_calls_do_not_wait_for_each_other(daemon: Daemon) -> None:
    """A daemon that hangs holds up a note; a hook beside it has its own limit, and a ping none."""
    pid = daemon.start()
    try:
        subprocess.run(["kill", "-STOP", str(pid)], check=True)
        with Server(daemon) as server:
            began = time.monotonic()
            call = {"name": "note", "arguments": {"text": "x"}}
            server.send(json.dumps({"id": 1, "method": "tools/call", "params": call}).encode())
            hook = {"name": "hook", "arguments": {"hook_event_name": "PreToolUse", "session_id": "s1"}}
            server.send(json.dumps({"id": 2, "method": "tools/call", "params": hook}).encode())
            server.send(b'{"id": 3, "method": "ping"}')
            assert server.receive()["id"] == 3
            assert server.receive() == {"jsonrpc": "2.0", "id": 2, "result": {"content": [], "isError": False}}
            assert time.monotonic() - began < 3
            subprocess.run(["kill", "-CONT", str(pid)], check=True)
            assert server.receive()["id"] == 1
    finally:
        subprocess.run(["kill", "-CONT", str(pid)], check=True)
    daemon.leave()


def test_a_hook_through_the_server_is_the_same_as_by_command(daemon: Daemon) -> None:
    """The client puts each field in as a text; the event is understood and kept."""
    daemon.start()
    with Server(daemon) as server:
        fields = {
            "hook_event_name": "PostToolUseFailure", "session_id": "s1", "transcript_path": "", "prompt_id": "p1",
            "cwd": str(daemon.folder), "agent_id": "", "agent_type": "", "tool_name": "Bash", "tool_use_id": "t1",
            "tool_input": json.dumps({"command": "make test"}), "error": "Exit code 2\nmake: *** no rule",
            "is_interrupt": "false",
        }  # fmt: skip
        assert server.call("hook", **fields) == ("", False)
        assert server.call("hook", **fields | {"hook_event_name": "../x"}) == ("", False)
    daemon.settle()
    (event,) = [event for event in daemon.journal() if event.type == "tool_failed"]
    assert (event.target, event.exit_status, event.error) == ("make test", 2, "Exit code 2\nmake: *** no rule")
    daemon.leave()


def test_it_is_small(daemon: Daemon) -> None:
    """25 MB at most, 1,200 tokens of schema at most: every session pays both."""
    with Server(daemon) as server:
        server.ask("initialize")
        listed = server.ask("tools/list")["result"]["tools"]
        assert resident(server.process.pid) < 25_000_000
    assert tokens(json.dumps(listed)) + tokens(mcp.INSTRUCTIONS) < 1_200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_leaves_at_once_when_it_is_asked_to(daemon: Daemon, number: signal.Signals) -> None:
    """The client waits until it is gone."""
    server = Server(daemon)
    server.ask("ping")
    server.process.send_signal(number)
    assert server.process.wait(5) == 0
    server.__exit__(None, None, None)


def test_it_leaves_with_its_client(daemon: Daemon) -> None:
    """The pipe was closed: no process stays, but for the daemon, which leaves when it is idle."""
    with Server(daemon) as server:
        server.call("note", text="x")
        pid = server.process.pid
    until(lambda: not Path(f"/proc/{pid}").exists(), "it left")
    daemon.leave()


def test_without_its_interpreter_it_has_nothing_to_say(daemon: Daemon) -> None:
    """Python was removed or upgraded: a client that starts it sees a server without tools, and no error."""
    install.refresh(daemon.home)
    script = install.mcp_server(daemon.home)
    script.write_text(script.read_text().replace(install.base_python(), "/nowhere/python3"))
    text = "\n".join(
        json.dumps(message, separators=(",", ":"))
        for message in (
            {"method": "server/discover", "jsonrpc": "2.0", "id": "probe-1"},
            {"method": "initialize", "params": {"protocolVersion": "2025-11-25"}, "jsonrpc": "2.0", "id": 0},
            {"method": "notifications/initialized", "jsonrpc": "2.0"},
            {"method": "tools/list", "jsonrpc": "2.0", "id": 1},
            {"method": "tools/call", "params": {"arguments": {"in": '{"id":5}'}}, "jsonrpc": "2.0", "id": 2},
        )
    )
    done = subprocess.run(
        [script, "claude-code"], input=text + "\n", capture_output=True, text=True, timeout=20, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["probe-1", 0, 1, 2]
    assert answers[0]["error"]["code"] == -32601
    assert answers[2]["result"] == {"tools": []}
    assert answers[3]["result"] == {"content": []}
    assert done.stderr == ""


def test_our_own_model_calls_are_not_observed(daemon: Daemon) -> None:
    """A hook that comes from a session of hardwon's own making is not passed on."""
    daemon.start()
    fields = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(daemon.folder)}
    with Server(daemon, HARDWON_GUARD="1") as server:
        assert server.call("hook", **fields) == ("", False)
    assert (daemon.status() or {})["messages"] == 0
    with Server(daemon) as server:
        server.call("hook", **fields)
    assert (daemon.status() or {})["messages"] == 1
    daemon.leave()
