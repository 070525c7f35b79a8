"""Codex's rollouts as events: recorded ones, and lines that older versions wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.codex.transcript import LOGS, Reading
from hardwon.event import Event, EventType

RECORDED = Path(__file__).with_name("codex") / "transcripts"
FAILED, FINISHED, PROMPTED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED, EventType.PROMPT_SUBMITTED
ENDED = EventType.TURN_ENDED
PROJECT = "/home/user/project"


def outline(events: list[Event]) -> list[tuple[EventType, str, str, int | None]]:
    return [(event.type, event.tool, event.target or event.text, event.exit_status) for event in events]


def rollout(path: Path, *lines: tuple[str, dict[str, Any]]) -> Path:
    """Lines of this type and payload, a second apart."""
    written = [
        json.dumps({"timestamp": f"2026-11-15T09:00:{number:02}.000Z", "type": kind, "payload": payload})
        for number, (kind, payload) in enumerate(lines)
    ]
    path.write_text("".join(f"{line}\n" for line in written), "utf-8")
    return path


META = ("session_meta", {"id": "thread-0123456789", "cwd": PROJECT, "source": "cli"})

EXPECTED = {
    "exec-failures": [
        (PROMPTED, "", "Please do the thing", None),
        (FAILED, "Bash", "ls /nonexistent-dir; exit 3", 3),
        (FINISHED, "Bash", "echo fixed", None),
        (FINISHED, "Write", f"{PROJECT}/hello.txt", None),
        (FAILED, "Edit", "missing.txt", None),
        (FINISHED, "mcp__memsrv__recall", "x", None),
        (FAILED, "mcp__memsrv__recall", "fail", None),
        (ENDED, "", "All finished.", None),
    ],
    "code-mode": [
        (PROMPTED, "", "code mode", None),
        (FAILED, "Bash", "ls /nonexistent; exit 3", 3),
        (FINISHED, "Write", f"{PROJECT}/cm.txt", None),
        (FINISHED, "mcp__memsrv__recall", "x", None),
        (ENDED, "", "hi", None),
    ],
    "compacted": [
        (PROMPTED, "", "Do compact test", None),
        (FINISHED, "Bash", "echo one", None),
        (ENDED, "", "After compact.", None),
    ],
    "stop-hook-resume": [
        (PROMPTED, "", "Stop test", None),
        (ENDED, "", "turn two text", None),
        (PROMPTED, "", "Resume now", None),
        (ENDED, "", "turn one text", None),
    ],
    "subagent": [(ENDED, "", "sub done", None)],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_rollout_is_understood(name: str) -> None:
    """Prompts, commands, changed files, MCP calls, a refused patch; no hook's words, no instructions, no summary."""
    path = RECORDED / f"rollout-{name}.jsonl"
    reading = Reading(path)
    events = reading.after(0)
    assert outline(events) == EXPECTED[name]
    assert reading.end == path.stat().st_size
    assert {(event.host, event.cwd) for event in events} == {("codex", PROJECT)}
    assert len({event.key for event in events}) == len(events)


def test_a_sub_agent_belongs_to_its_roots_session() -> None:
    """Its own id says which agent it was."""
    (event,) = Reading(RECORDED / "rollout-subagent.jsonl").after(0)
    assert event.session == "01a1de6f-8cfc-7941-add8-f9da296c3ade"
    assert event.agent == "01a1de6f-8d95-79b3-8490-f6980ddece9d"


@pytest.mark.parametrize("name", EXPECTED)
def test_reading_on_gives_what_is_new(name: str, tmp_path: Path) -> None:
    """From every line at which a reading can end, the rest is what had not been read."""
    lines = (RECORDED / f"rollout-{name}.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "r.jsonl"
    seen: list[Event] = []
    offset = 0
    for cut in range(1, len(lines) + 1):
        path.write_bytes(b"".join(lines[:cut]) + b'{"timest')
        reading = Reading(path)
        seen += reading.after(offset)
        offset = reading.end
        assert offset == len(b"".join(lines[:cut]))
    assert outline(seen) == EXPECTED[name]


def test_lines_of_older_versions(tmp_path: Path) -> None:
    """Other names for the same: `user_message`, `exec_command_end`, `patch_apply_end`."""
    changes = {"/p/a.py": {"type": "update", "unified_diff": "@@\n-a\n+b"}, "/p/b.py": {"type": "delete"}}
    path = rollout(
        tmp_path / "r.jsonl",
        META,
        ("event_msg", {"type": "user_message", "message": "fix it", "kind": "plain"}),
        ("event_msg", {"type": "exec_command_end", "call_id": "c1", "command": ["bash", "-lc", "make"], "exit_code": 2,
                       "stdout": "", "stderr": "make: *** no rule"}),
        ("event_msg", {"type": "patch_apply_end", "call_id": "c2", "success": True, "changes": changes}),
        ("event_msg", {"type": "patch_apply_end", "call_id": "c3", "success": False, "stderr": "no match",
                       "changes": {"/p/a.py": {"type": "update"}}}),
    )  # fmt: skip
    events = Reading(path).after(0)
    assert outline(events) == [
        (PROMPTED, "", "fix it", None),
        (FAILED, "Bash", "make", 2),
        (FINISHED, "Edit", "/p/a.py", None),
        (FINISHED, "Edit", "/p/b.py", None),
        (FAILED, "Edit", "/p/a.py", None),
    ]
    assert events[1].error == "make: *** no rule"
    assert [event.call for event in events[2:4]] == ["c2", "c2+1"]


def test_a_call_that_only_its_output_tells_of(tmp_path: Path) -> None:
    """The oldest files have nothing else; the status stands in the text, or beside it."""
    asked = {"type": "function_call", "name": "shell", "arguments": '{"command": ["bash", "-lc", "make"]}'}
    path = rollout(
        tmp_path / "r.jsonl",
        META,
        ("response_item", asked | {"call_id": "c1"}),
        ("response_item", {"type": "function_call_output", "call_id": "c1",
                           "output": '{"output": "no rule", "metadata": {"exit_code": 2}}'}),
        ("response_item", asked | {"call_id": "c2"}),
        ("response_item", {"type": "function_call_output", "call_id": "c2",
                           "output": "Process exited with code 0\nOutput:\nfine"}),
        ("response_item", asked | {"call_id": "c3"}),
        ("response_item", {"type": "function_call_output", "call_id": "c3", "output": "aborted by user"}),
    )  # fmt: skip
    events = Reading(path).after(0)
    assert outline(events) == [(FAILED, "Bash", "make", 2), (FINISHED, "Bash", "make", None)]
    assert [event.error or event.text for event in events] == ["no rule", "fine"]


def test_a_fork_is_its_own_session(tmp_path: Path) -> None:
    """Its parent's first line stands behind its own."""
    parent = ("session_meta", {"id": "thread-parent", "cwd": "/elsewhere"})
    said = ("event_msg", {"type": "user_message", "message": "go on"})
    (event,) = Reading(rollout(tmp_path / "r.jsonl", META, parent, said)).after(0)
    assert (event.session, event.cwd) == ("thread-0123456789", PROJECT)


def test_what_is_said_twice_in_a_turn_is_said_once_and_a_second_thing_is_another(tmp_path: Path) -> None:
    """Some versions write a prompt down in two ways; a person may also speak while the agent works."""
    turn = {"turn_id": "turn-1"}
    item = {"type": "UserMessage", "content": [{"type": "text", "text": "use tabs"}]}
    path = rollout(
        tmp_path / "r.jsonl",
        META,
        ("event_msg", {"type": "task_started"} | turn),
        ("event_msg", {"type": "user_message", "message": "use tabs"}),
        ("event_msg", {"type": "item_completed", "item": item} | turn),
        ("event_msg", {"type": "user_message", "message": "no, spaces"}),
    )
    events = Reading(path).after(0)
    assert [event.text for event in events] == ["use tabs", "no, spaces"]
    assert len({event.key for event in events}) == 2


def test_garbage_hides_nothing(tmp_path: Path) -> None:
    """Lines that are no JSON, or of another shape."""
    path = rollout(tmp_path / "r.jsonl", META, ("event_msg", {"type": "user_message", "message": "hello"}))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"null\n[]\n{}\n\xff\n".join([*lines, b'{"payload": 7, "type": "event_msg", "timestamp": 1}\n']))
    assert [event.text for event in Reading(path).after(0)] == ["hello"]


def begun(root: Path, day: str, time: str, id: str, **meta: Any) -> Path:
    """A rollout where the client would have it."""
    path = root / "sessions" / day / f"rollout-{day.replace('/', '-')}T{time}-{id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return rollout(path, ("session_meta", {"session_id": id, "id": id, "cwd": PROJECT, "source": "cli"} | meta))


def test_a_session_comes_with_its_sub_agents(tmp_path: Path) -> None:
    """Their files lie beside its own, or on the next day; those of others are others."""
    own = begun(tmp_path, "2026/11/19", "23-59-00", "root")
    agent = {"session_id": "root", "source": {"subagent": {"thread_spawn": {}}}}
    first = begun(tmp_path, "2026/11/19", "23-59-30", "one", **agent)
    second = begun(tmp_path, "2026/11/20", "00-00-10", "two", **agent)
    other = begun(tmp_path, "2026/11/19", "23-59-40", "other")
    lost = begun(tmp_path, "2026/11/19", "23-59-50", "lost", session_id="gone")
    assert LOGS.parts(own) == [first, second]
    assert LOGS.parts(other) == LOGS.parts(first) == []
    assert [LOGS.is_part(path) for path in (own, first, second, other, lost)] == [False, True, True, False, False]
    assert [event.session for event in Reading(first).after(0)] == []


def test_sessions_of_one_folder_are_of_one_project(tmp_path: Path) -> None:
    """They lie by their day, whatever they are about; a sub-agent's is no session."""
    before = begun(tmp_path, "2026/11/18", "10-00-00", "a")
    begun(tmp_path, "2026/11/18", "11-00-00", "b", cwd="/elsewhere")
    own = begun(tmp_path, "2026/11/19", "10-00-00", "c")
    begun(tmp_path, "2026/11/19", "10-00-01", "d", session_id="c")
    assert LOGS.of_same_project(own) == [before, own]
    assert LOGS.settings(str(own)) == str(tmp_path)


def test_a_file_that_lies_elsewhere_stands_alone(tmp_path: Path) -> None:
    """One that was copied out of the client's folder."""
    path = rollout(tmp_path / "copied.jsonl", META)
    assert (LOGS.parts(path), LOGS.is_part(path), LOGS.settings("/copied.jsonl")) == ([], False, "")


@pytest.mark.parametrize(("source", "origin"), [("cli", "typed"), ("exec", "program"), ({"subagent": {}}, "")])
def test_the_rollout_tells_who_wrote_the_prompts(tmp_path: Path, source: Any, origin: str) -> None:
    """As the hooks are told."""
    meta = ("session_meta", {"id": "t", "cwd": PROJECT, "source": source, "thread_source": "user"})
    said = ("event_msg", {"type": "user_message", "message": "hello"})
    events = Reading(rollout(tmp_path / "r.jsonl", meta, said)).after(0)
    assert [event.origin for event in events] == ([origin] if origin else [])


def test_an_edit_is_what_goes_and_what_comes(tmp_path: Path) -> None:
    """As before the call, where the patch is all that is known: the same edit is known again."""
    change = {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n same\n-old\n+new\n"}
    item = {"type": "FileChange", "id": "c", "status": "completed", "changes": {"/p/a.py": change}}
    path = rollout(tmp_path / "r.jsonl", META, ("event_msg", {"type": "item_completed", "item": item}))
    assert [event.text for event in Reading(path).after(0)] == ["-old\n+new"]
