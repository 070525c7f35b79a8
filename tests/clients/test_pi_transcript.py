"""Pi's sessions' files as events: recorded ones, and trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients import past_sessions
from hardwon.clients.pi import messages
from hardwon.clients.pi.transcript import LOGS, Reading
from hardwon.event import Event, EventType

FOLDER = Path(__file__).with_name("pi")
PROJECT = "/home/user/project"
SKILL = f"{PROJECT}/.pi/skills/deploy/SKILL.md"
FAILED, FINISHED, PROMPTED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED, EventType.PROMPT_SUBMITTED
ENDED = EventType.TURN_ENDED

OLDER = [
    (PROMPTED, "", "SCENARIO:multi go", None),
    (FAILED, "Bash", "ls /nonexistent-dir", 2),
    (FINISHED, "Bash", "echo ok && pwd", None),
    (FINISHED, "Read", f"{PROJECT}/hello.txt", None),
    (FINISHED, "Edit", f"{PROJECT}/hello.txt", None),
    (FAILED, "Edit", f"{PROJECT}/hello.txt", None),
    (FINISHED, "Read", SKILL, None),
    (FINISHED, "ctx_skill_note", "noted {\"skill\":\"deploy\",\"note\":\"dry-run first\"}", None),
    (ENDED, "", "All done.", None),
]  # fmt: skip
NEWEST = [
    (PROMPTED, "", "Please do the thing", None),
    (FAILED, "Bash", "ls /nonexistent-dir; exit 3", 3),
    (FINISHED, "Edit", f"{PROJECT}/a.txt", None),
    (FAILED, "Edit", f"{PROJECT}/a.txt", None),
    (FINISHED, "Write", f"{PROJECT}/b.txt", None),
    (FINISHED, "Read", "/home/user/.pi/agent/skills/deploy-check/SKILL.md", None),
    (FINISHED, "Bash", "seq 1 3", None),
    (FAILED, "Bash", "sleep 20", None),
    (ENDED, "", "All done.", None),
    (PROMPTED, "", "/skill:deploy-check now", None),
    (ENDED, "", "Skill used.", None),
    (PROMPTED, "", "much text", None),
    (ENDED, "", "big", None),
    (PROMPTED, "", "and on", None),
    (ENDED, "", "after it", None),
]
EXPECTED = {"0.73.1": OLDER, "0.87.1": OLDER, "0.99.1": NEWEST}


def outline(events: list[Event]) -> list[tuple[EventType, str, str, int | None]]:
    return [(event.type, event.tool, event.target or event.text, event.exit_status) for event in events]


def written(path: Path, *entries: dict[str, Any], began: int = 0) -> Path:
    """A session's file: entries a second apart, the first of them `began` seconds before the file."""
    at = "2026-11-15T09:00:{:02}.000Z".format
    lines = [{"type": "session", "version": 3, "id": "s-1", "timestamp": at(began), "cwd": PROJECT}]
    lines += [{"timestamp": at(number), **entry} for number, entry in enumerate(entries)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def said(id: str, before: str | None, words: str) -> dict[str, Any]:
    return {"type": "message", "id": id, "parentId": before, "message": {"role": "user", "content": words}}


def answered(id: str, before: str, words: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": [{"type": "text", "text": words}], "stopReason": "stop"}
    return {"type": "message", "id": id, "parentId": before, "message": message}


@pytest.mark.parametrize("version", EXPECTED)
def test_a_recorded_session_is_understood(version: str) -> None:
    """Prompts, calls that passed and failed, what the agent said last; no system prompt, nobody's messages of ours."""
    path = FOLDER / f"session-{version}.jsonl"
    reading = Reading(path)
    events = reading.after(0)
    assert outline(events) == EXPECTED[version]
    assert reading.end == path.stat().st_size
    assert {(event.host, event.cwd, event.transcript) for event in events} == {("pi", PROJECT, str(path))}
    assert len({event.key for event in events}) == len(events)


def test_the_same_session_told_and_read_is_one() -> None:
    """What the extension told has the same key as what stands in the file: the journal keeps each event once."""
    lines = (FOLDER / "messages-0.99.1.jsonl").read_text("utf-8").splitlines()
    told = [messages.hear(one["name"], json.dumps(one["message"]).encode(), 2**50) for one in map(json.loads, lines)]
    keys = {event.key for heard in told for event in heard.events}
    assert {event.key for event in Reading(FOLDER / "session-0.99.1.jsonl").after(0)} <= keys


@pytest.mark.parametrize("version", EXPECTED)
def test_it_is_read_on_from_any_line(version: str, tmp_path: Path) -> None:
    """However a session grows while it is read, nothing is missed and nothing comes twice."""
    whole = (FOLDER / f"session-{version}.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "session.jsonl"
    reading, found, end = Reading(path), list[Event](), 0
    for number in range(1, len(whole) + 1):
        path.write_bytes(b"".join(whole[:number]))
        found += reading.after(end)
        found_anew = Reading(path).after(end)
        assert outline(found_anew) == outline(found)[len(found) - len(found_anew) :]
        end = reading.end
    assert outline(found) == EXPECTED[version]


def test_both_branches_of_a_tree_happened(tmp_path: Path) -> None:
    """A person went back and asked otherwise: two prompts after the same entry, each with its answer."""
    path = written(
        tmp_path / "a.jsonl", said("1", None, "hello"), answered("2", "1", "hi"), said("3", "2", "use npm"),
        answered("4", "3", "npm it is"), said("5", "2", "use pnpm"), answered("6", "5", "pnpm it is"),
    )  # fmt: skip
    events = Reading(path).after(0)
    assert [event.text for event in events] == ["hello", "hi", "use npm", "npm it is", "use pnpm", "pnpm it is"]
    assert events[2].prompt != events[4].prompt
    assert [event.prompt for event in events[3::2]] == [event.prompt for event in events[2::2]]


def test_a_fork_tells_only_what_is_new_in_it(tmp_path: Path) -> None:
    """What it copied is older than the file, its parent's to tell; what follows still has the right prompt."""
    path = written(tmp_path / "a.jsonl", said("1", None, "hello"), answered("2", "1", "hi"), said("3", "2", "go on"),
                   answered("4", "3", "done"), began=2)  # fmt: skip
    events = Reading(path).after(0)
    assert [event.text for event in events] == ["go on", "done"]
    assert events[0].prompt.startswith("2.")


def test_a_line_that_nobody_knows_hides_no_other(tmp_path: Path) -> None:
    """Half a line, another version's, a call without a result, a result without a call."""
    lone = {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": [], "isError": True}
    called = {"role": "assistant", "content": [{"type": "toolCall", "id": "d", "name": "bash", "arguments": None}]}
    path = written(
        tmp_path / "a.jsonl", {"type": "message", "id": "1", "message": 7}, {"type": "new", "id": 3},
        {"type": "message", "id": "2", "parentId": None, "message": lone},
        {"type": "message", "id": "3", "parentId": "2", "message": called}, said("4", "3", "hello"),
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + b'not JSON\n{"type":"message","id":"5","par')
    assert [event.text for event in Reading(path).after(0)] == ["hello"]


def test_it_is_known_by_its_first_line_and_found_where_pi_keeps_it(tmp_path: Path) -> None:
    """In its folder, or in the one that a variable names; no other client's file is taken for one."""
    for version in EXPECTED:
        file = FOLDER / f"session-{version}.jsonl"
        assert past_sessions.client_of(file.read_bytes()[:65_536]) == "pi"
        assert LOGS.started_in(file, "") == PROJECT
    assert not LOGS.is_one(b'{"type":"session_meta","payload":{}}\n')
    assert LOGS.folder({}, tmp_path) == tmp_path / ".pi/agent/sessions"
    assert LOGS.folder({"PI_CODING_AGENT_DIR": str(tmp_path / "p")}, tmp_path) == tmp_path / "p/sessions"
