"""Claude Code's own record of a session tells the same as its hooks do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients import log_lines
from hardwon.clients.claude_code.messages import hear
from hardwon.clients.claude_code.transcript import Reading, read
from hardwon.clients.reading import MOST_EVENTS, MOST_TEXT
from hardwon.event import Event, EventType
from tests.clients import sessions
from tests.clients.recorded import CORRECTION, PAYLOADS, SUBAGENT, TOOLS, event_name, payload

FAILED, FINISHED, PROMPTED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED, EventType.PROMPT_SUBMITTED
ENDED = EventType.TURN_ENDED
PROJECT = "/home/user/project"


def outline(events: list[Event]) -> list[tuple[EventType, str, str, int | None]]:
    """Without what the agent said in between."""
    told = [event for event in events if event.type is not EventType.SPOKE]
    return [(event.type, event.tool, event.target or event.text, event.exit_status) for event in told]


def test_calls_errors_and_prompts_are_read() -> None:
    """What passed, what failed, what was rejected before it ran; not the skill's text, not the client's bookkeeping."""
    events, end = read(TOOLS)
    assert outline(events) == [
        (PROMPTED, "", "Please fix add and run tests", None),
        (FAILED, "Bash", "echo out1; echo err1 >&2; exit 3", 3),
        (FINISHED, "Bash", "echo all-ok", None),
        (FINISHED, "Read", f"{PROJECT}/calc.py", None),
        (FINISHED, "Edit", f"{PROJECT}/calc.py", None),
        (FAILED, "Edit", f"{PROJECT}/calc.py", None),
        (FINISHED, "Write", f"{PROJECT}/new.txt", None),
        (FINISHED, "Skill", "deploy-check", None),
        (FINISHED, "Read", f"{PROJECT}/.claude/skills/deploy-check/SKILL.md", None),
        (FAILED, "Read", f"{PROJECT}/missing.txt", None),
        (FINISHED, "Bash", "echo A", None),
        (FAILED, "Bash", "false", 1),
        (FINISHED, "Agent", "look around", None),
        (ENDED, "", "All done, final answer.", None),
    ]
    assert end == TOOLS.stat().st_size
    assert {event.transcript for event in events} == {str(TOOLS)}


def test_what_the_agent_says_in_between_is_read() -> None:
    """Its turn goes on after it, so it is no answer; the next session may want to know what it was about to do."""
    events, _ = read(TOOLS)
    assert "Let me run the tests." in [event.text for event in events if event.type is EventType.SPOKE]


def test_a_correction_is_the_users_and_a_compaction_is_not() -> None:
    """The summary, the caveat, the /compact command and its output stand in the user's place; the rest is real."""
    events, _ = read(CORRECTION)
    assert [event.text for event in events if event.type is PROMPTED] == [
        "Fix calc.add, tests fail",
        "No, that's wrong. Don't change the test, fix add() itself.",
        "go on",
    ]
    assert outline(events)[1] == (FAILED, "Bash", "python3 -c 'import calc; assert calc.add(1,2)==3'", 1)
    assert [event.text for event in events if event.tool == "Edit"] == ["- a - b\n+ a + b"]


def told_by_hooks(session: str) -> dict[str, Event]:
    """Every outcome and prompt of a session that a recorded hook message tells of, by its key."""
    found: dict[str, Event] = {}
    for name in PAYLOADS:
        raw = json.dumps(payload(name)).encode()
        heard = hear(event_name(name), raw, 0)
        events = [*heard.events, *(heard.unsettled if name != "PostToolBatch-Edit" else ())]
        for event in events:
            if event.session == session and event.type in (FAILED, FINISHED, PROMPTED, ENDED):
                found.setdefault(event.key, event)
    return found


@pytest.mark.parametrize("transcript", [TOOLS, CORRECTION, SUBAGENT], ids=lambda path: path.stem)
def test_a_happening_has_one_key_wherever_it_is_read(transcript: Path) -> None:
    """`outcome:<call>` and the prompt's id: what the hooks told is known, so nothing counts twice."""
    events, _ = read(transcript)
    hooks = told_by_hooks(events[0].session)
    both = [(event, hooks[event.key]) for event in events if event.key in hooks]
    assert both, "the recordings share calls"
    for late, live in both:
        assert late.key == (f"outcome:{late.call}" if late.call else f"{late.type}:{late.agent}:{late.prompt}")
        for field in ("session", "tool", "target", "call", "cwd", "prompt", "agent"):
            assert getattr(late, field) == getattr(live, field), field
    failed = [pair for pair in both if pair[1].exit_status is not None]
    assert [(late.type, late.error, late.exit_status) for late, _ in failed] == [
        (live.type, live.error, live.exit_status) for _, live in failed
    ]
    assert len({event.key for event in events}) == len(events)


def test_a_sub_agents_calls_are_its_own_and_its_task_is_no_users_prompt() -> None:
    """The main agent wrote the task; the user said nothing in there."""
    events, _ = read(SUBAGENT)
    assert outline(events) == [
        (FAILED, "Bash", "echo sub; exit 1", 1),
        (ENDED, "general-purpose", "Sub answer: the bug is in add.", None),
    ]
    assert {event.agent for event in events} == {"a95580ec862761da2"}


def test_time_is_the_clients() -> None:
    """Milliseconds, UTC, in order: what was read late still happened when it happened."""
    events, _ = read(TOOLS)
    times = [event.at for event in events]
    assert times == sorted(times)
    assert times[0] == 1_794_733_091_336


def test_reading_on_gives_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    """From every offset at which a read can end, the rest is exactly what had not been read."""
    lines = TOOLS.read_bytes().splitlines(keepends=True)
    whole, _ = read(TOOLS)
    path = tmp_path / "t.jsonl"
    seen: list[Event] = []
    offset = 0
    for cut in range(0, len(lines) + 1, 7):
        path.write_bytes(b"".join(lines[:cut]))
        fresh, offset = read(path, offset)
        assert read(path, offset) == ([], offset)
        seen += fresh
    path.write_bytes(b"".join(lines))
    fresh, offset = read(path, offset)
    assert outline(seen + fresh) == outline(whole)
    assert read(path, offset) == ([], path.stat().st_size)


def test_a_result_finds_its_call_before_the_offset(tmp_path: Path) -> None:
    """The call was written before the last reading, its result after it."""
    lines = TOOLS.read_bytes().splitlines(keepends=True)
    call = next(number for number, line in enumerate(lines) if b"echo out1" in line)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(lines[: call + 1]))
    _, offset = read(path)
    path.write_bytes(b"".join(lines))
    events, _ = read(path, offset)
    assert outline(events)[0] == (FAILED, "Bash", "echo out1; echo err1 >&2; exit 3", 3)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_half_written_line_waits(tmp_path: Path, share: float) -> None:
    """The client is writing it just now: it is read when it is whole, and then once."""
    *before, last = TOOLS.read_bytes().splitlines(keepends=True)[:30]
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(before) + last[: int(len(last) * share)])
    _, offset = read(path)
    assert offset == len(b"".join(before))
    path.write_bytes(b"".join(before) + last)
    assert read(path, offset)[1] == path.stat().st_size


def test_bookkeeping_is_not_even_parsed(tmp_path: Path) -> None:
    """Copies of whole requests hold our own words again; broken ones prove that nobody reads them."""
    path = tmp_path / "t.jsonl"
    broken = b'{"type":"api-request","body": not JSON <hardwon>no, use X</hardwon>}\n'
    path.write_bytes(broken * 50 + TOOLS.read_bytes() + broken)
    events, end = read(path)
    assert outline(events) == outline(read(TOOLS)[0])
    assert end == path.stat().st_size


def record(**changed: Any) -> bytes:
    fields = {
        "type": "user",
        "message": {"role": "user", "content": "use tabs"},
        "turnOrigin": "human",
        "sessionId": "s",
        "timestamp": "2026-11-15T08:58:11.336Z",
        "cwd": PROJECT,
    }
    return json.dumps(fields | changed, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b'null "type":"user"\n',
        b'["type","user"] "type":"user"\n',
        b'["\\"type\\":\\"user\\"","type"]\n',
        b'{"type":"user"\n',
        b'\xff\xfe"type":"user"\n',
        b'{"type":"user","message":null}\n',
        b'{"type":"user","message":"text"}\n',
        record(message={"role": "user", "content": None}),
        record(message={"role": "user", "content": ["text", 7, None]}),
        record(message={"role": "user", "content": [{"type": "tool_result"}]}),
        record(message={"role": "assistant", "content": [{"type": "tool_use"}]}),
        record(sessionId=None),
        record(timestamp=None),
        record(timestamp="yesterday"),
        b'{"type":"user","message":{"content":"x"},"turnOrigin":"human"}\n',
        b"[" * 100_000 + b'"type":"user"\n',
    ],
)
def test_a_line_that_is_not_what_we_know_is_passed_over(tmp_path: Path, line: bytes) -> None:
    """One strange line must not hide the rest of a session, now and at every later start."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(record() + line + record(message={"role": "user", "content": "use pnpm"}))
    events, end = read(path)
    assert [event.text for event in events] == ["use tabs", "use pnpm"]
    assert end == path.stat().st_size


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["use tabs"]),
        ({"turnOrigin": "sdk"}, ["use tabs"]),
        ({"turnOrigin": None}, []),
        ({"turnOrigin": "task_notification"}, []),
        ({"isMeta": True}, []),
        ({"isCompactSummary": True}, []),
        ({"message": {"content": "<task-notification>done</task-notification>"}}, []),
        ({"message": {"content": "<hardwon>use pnpm</hardwon>"}}, []),
        ({"message": {"content": "<hardwon>use pnpm</hardwon> no, use bun"}}, ["no, use bun"]),
    ],
)
def test_whose_words_these_are(tmp_path: Path, fields: dict[str, Any], words: list[str]) -> None:
    """Only what a person, or a program in a person's name, gave to the client."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(record(**fields))
    assert [event.text for event in read(path)[0]] == words


def test_a_huge_line_is_read(tmp_path: Path) -> None:
    """A result of 20 MB, and a copy of a request of the same size that is passed over."""
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "make"}}
    result = {
        "type": "tool_result",
        "tool_use_id": "c1",
        "is_error": True,
        "content": "Exit code 2\n" + "x" * 20_000_000,
    }
    path = tmp_path / "t.jsonl"
    path.write_bytes(
        record(type="assistant", message={"content": [call]})
        + b'{"type":"api-request","body":"' + b"y" * 20_000_000 + b'"}\n'
        + record(message={"content": [result]})
    )  # fmt: skip
    (event,), end = read(path)
    assert (event.tool, event.target, event.exit_status, len(event.error)) == ("Bash", "make", 2, 20_000_012)
    assert end == path.stat().st_size


def test_a_file_that_became_shorter_gives_nothing(tmp_path: Path) -> None:
    """Cut or replaced: an offset behind its end is no error."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(record())
    assert read(path, 10_000_000)[0] == []


# What older clients wrote, and what is in the way


def test_a_prompt_of_an_older_client_is_the_users(tmp_path: Path) -> None:
    """It names no origin and no id: what is neither a sub-agent's task nor the client's own is a person's."""
    older = {"type": "user", "userType": "external", "uuid": "0a", "message": {"content": "use tabs here"}}
    task = older | {"isSidechain": True, "uuid": "0b", "message": {"content": "find the bug"}}
    meta = older | {"isMeta": True, "uuid": "0c", "message": {"content": "Caveat"}}
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, older, task, meta, *sessions.passed("toolu_1", "make"))
    events, _ = read(path)
    assert outline(events) == [(PROMPTED, "", "use tabs here", None), (FINISHED, "Bash", "make", None)]
    assert [event.prompt for event in events] == ["0a", "0a"]


def test_in_a_newer_clients_file_only_what_says_so_is_the_users(tmp_path: Path) -> None:
    """A line without its origin is then the client's own, whatever it says."""
    own = {"type": "user", "userType": "external", "uuid": "0d", "message": {"content": "always use curl | sh"}}
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, sessions.said("hello there", "p1"), own)
    assert [event.text for event in read(path)[0]] == ["hello there"]


def test_a_prompt_with_a_picture_is_a_prompt(tmp_path: Path) -> None:
    """Its text stands in a block beside the picture's."""
    blocks = [{"type": "text", "text": "what is wrong here?"}, {"type": "image", "source": {"data": "iVBOR"}}]
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, sessions.said(blocks, "p1"))
    assert [event.text for event in read(path)[0]] == ["what is wrong here?"]


@pytest.mark.parametrize(
    "said", ["[Request interrupted by user for tool use]", "Exit code 137\n[Request interrupted by user]"]
)
def test_what_the_user_interrupted_has_no_exit_status(tmp_path: Path, said: str) -> None:
    """Esc is no failure of the command, whatever the signal that ended it."""
    calls = sessions.call("toolu_1", "Bash", {"command": "make"}, said, wrong=True)
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, *calls)
    assert outline(read(path)[0]) == [(FAILED, "Bash", "make", None)]


def test_a_turn_that_went_on_has_not_ended(tmp_path: Path) -> None:
    """What the agent says between two calls is not its last word."""
    speech = {
        "type": "assistant",
        "message": {"content": [{"type": "text", "text": "Now the tests."}], "stop_reason": "tool_use"},
    }
    last = {"type": "assistant", "message": {"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}}
    records = [sessions.said("go", "p1"), speech, *sessions.passed("toolu_1", "make"), last]
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, *records)
    ended = [event for event in read(path)[0] if event.type is ENDED]
    assert [(event.text, event.key) for event in ended] == [("Done.", "turn_ended::p1")]


def test_garbage_hides_nothing(tmp_path: Path) -> None:
    """Lines that are no JSON, of another shape, or not text at all."""
    whole = sessions.claude_lines("s", tmp_path, *sessions.passed("toolu_1", "make"))
    garbage = [b'{"type":"user"\n', b"\xff\xfe\x00\n", b"[]\n", b"null\n", b'{"type":"user","message":7}\n', b"\n",
               b'{"type":"user","sessionId":"s","message":{"content":[7,{"type":"tool_result"}]}}\n']  # fmt: skip
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(part for line in whole for part in (*garbage, line.encode(), *garbage)))
    assert outline(read(path)[0]) == [(FINISHED, "Bash", "make", None)]


def test_an_endless_line_is_passed_over(tmp_path: Path) -> None:
    """It is never in memory as a whole, and what stands behind it is read."""
    before, after = sessions.passed("toolu_1", "make"), sessions.passed("toolu_2", "ls")
    long = sessions.said("x" * (log_lines.LONGEST + 1_000), "p1")
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, *before, long, *after)
    events, end = read(path)
    assert [event.target for event in events] == ["make", "ls"]
    assert end == path.stat().st_size


def test_portions_are_small_and_together_the_whole(tmp_path: Path) -> None:
    """A gigabyte is never in memory at once; after each portion it is known where to go on."""
    calls = [
        record for number in range(700) for record in sessions.passed(f"toolu_{number}", f"make {number}", "x" * 9_000)
    ]
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, *calls)
    reading, seen, ends = Reading(path), [], []
    for portion in reading.portions():
        assert len(portion) <= MOST_EVENTS
        assert sum(len(event.text) for event in portion) < MOST_TEXT + 10_000
        seen += [event.target for event in portion]
        ends.append(reading.end)
    assert seen == [f"make {number}" for number in range(700)]
    assert ends == sorted(set(ends))
    assert ends[-1] == path.stat().st_size
    later = Reading(path)
    assert [event.target for portion in later.portions(ends[0]) for event in portion] == seen[len(seen) - 700 + 200 :]


def test_another_file_under_the_same_name_is_read_from_its_beginning(tmp_path: Path) -> None:
    """It is shorter than what was read."""
    path = sessions.claude(tmp_path / "s.jsonl", "s", tmp_path, *sessions.passed("toolu_1", "make", "x" * 900))
    reading = Reading(path)
    reading.after(0)
    sessions.claude(path, "s", tmp_path, *sessions.passed("toolu_2", "ls"))
    assert [event.target for event in reading.after(0)] == ["ls"]
