"""Pi's messages: what the extension really sent is understood, what is none is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon import clients
from hardwon.clients.pi import messages
from hardwon.event import Event, EventType, Heard, Moment, Reply

RECORDED = Path(__file__).with_name("pi") / "messages-0.99.1.jsonl"
"""A whole session of the real client: failures, an edit, a skill that is read and one that is typed, a compaction."""
LINES = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
NOW = 2_000_000_000_000
PROJECT = "/home/user/project"
SKILL = "/home/user/.pi/agent/skills/deploy-check/SKILL.md"


def message(**changed: Any) -> dict[str, Any]:
    about = {"session": "s-1", "file": "/s/1.jsonl", "cwd": PROJECT, "mode": "tui", "started_by": "", "prompt": "p.1"}
    return {**about, "at": NOW - 5, "event": {}, **changed}


def heard(name: str, event: dict[str, Any], **changed: Any) -> Heard:
    return messages.hear(name, json.dumps(message(event=event, **changed)).encode(), NOW)


def outline(event: Event) -> tuple[str, str, str, str, int | None]:
    return str(event.type), event.tool, event.target, event.text or event.error, event.exit_status


FIRST, TYPED = "Please do the thing", "/skill:deploy-check now"
MISSING = "ls: cannot access '/nonexistent-dir': No such file or directory\n"
NOT_FOUND = (
    "Could not find the exact text in a.txt. The old text must match exactly including all whitespace and newlines."
)
LIST, SLEEP = "ls /nonexistent-dir; exit 3", "sleep 20"
EXPECTED = {
    (None, "turn_ended", "", "", "All done.", None),
    (None, "turn_ended", "", "", "Skill used.", None),
    (None, "turn_ended", "", "", "after it", None),
    (None, "turn_ended", "", "", "big", None),
    (None, "tool_finished", "Bash", "seq 1 3", "1\n2\n3\n", None),
    (None, "tool_finished", "Edit", f"{PROJECT}/a.txt", "- hello\n+ bye", None),
    (None, "tool_finished", "Write", f"{PROJECT}/b.txt", "new\n", None),
    (None, "compacting", "", "", "threshold", None),
    (None, "session_ended", "", "", "quit", None),
    (Moment.SESSION_START, "session_started", "", "", "startup", None),
    (Moment.AFTER_COMPACTION, "session_started", "", "", "compact", None),
    (Moment.PROMPT, "prompt_submitted", "", "", FIRST, None),
    (Moment.PROMPT, "prompt_submitted", "", "", TYPED, None),
    (Moment.PROMPT, "prompt_submitted", "", "", "much text", None),
    (Moment.PROMPT, "prompt_submitted", "", "", "and on", None),
    (Moment.SKILL, "skill_loaded", "Skill", "deploy-check", "", None),
    (Moment.SKILL, "skill_loaded", "prompt", "deploy-check", "now", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Bash", LIST, "", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Bash", "seq 1 3", "", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Bash", SLEEP, "", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Edit", f"{PROJECT}/a.txt", "- hello\n+ bye", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Edit", f"{PROJECT}/a.txt", "- nothing like it\n+ bye", None),
    (Moment.BEFORE_ACTION, "tool_starting", "Write", f"{PROJECT}/b.txt", "new\n", None),
    (Moment.AFTER_FAILURE, "tool_failed", "Bash", LIST, MISSING, 3),
    (Moment.AFTER_FAILURE, "tool_failed", "Bash", SLEEP, "Command timed out after 1 seconds", None),
    (Moment.AFTER_FAILURE, "tool_failed", "Edit", f"{PROJECT}/a.txt", NOT_FOUND, None),
}


def test_a_recorded_session_is_understood() -> None:
    """Each message's last event and moment, as the table says; nothing else."""
    said = [messages.hear(one["name"], json.dumps(one["message"]).encode(), NOW) for one in LINES]
    assert {(one.moment, *outline(one.events[-1])) for one in said} == EXPECTED


def test_an_answer_is_waited_for_where_something_may_be_said() -> None:
    """A limit where there is a moment, none where there is none: nobody waits for nothing."""
    for one in LINES:
        said = messages.hear(one["name"], json.dumps(one["message"]).encode(), NOW)
        assert bool(one["limit"]) == (said.moment is not None), one["name"]


def test_an_event_says_where_it_is_from() -> None:
    """Session, folder, file, prompt, and the time at which it happened; never one that is still to come."""
    (event,) = heard("agent_end", {"text": "done", "stopReason": "stop"}).events
    assert (event.host, event.session, event.cwd, event.transcript) == ("pi", "s-1", PROJECT, "/s/1.jsonl")
    assert (event.prompt, event.at) == ("p.1", NOW - 5)
    (late,) = heard("agent_end", {"stopReason": "stop"}, at=NOW + 60_000).events
    assert late.at == NOW


@pytest.mark.parametrize(
    ("source", "about", "origin"),
    [
        ("interactive", {}, "typed"),
        ("interactive", {"mode": "interactive"}, "typed"),
        ("interactive", {"mode": "print"}, "program"),
        ("rpc", {"mode": "rpc"}, "program"),
        ("extension", {}, "program"),
        ("interactive", {"started_by": "CLAUDECODE"}, "program"),
    ],
)
def test_only_what_was_typed_at_its_terminal_is_a_persons(source: str, about: dict[str, str], origin: str) -> None:
    """Not what a program, an extension or another agent asked for."""
    (event,) = heard(
        "before_agent_start", {"prompt": "no, pnpm", "typed": "no, pnpm", "source": source}, **about
    ).events
    assert event.origin == origin


def test_the_persons_words_are_kept_and_not_what_a_template_made_of_them() -> None:
    """What was typed stands for the prompt; a skill without it is named."""
    (event,) = heard("before_agent_start", {"prompt": "Review it.\nCarefully.", "typed": "/review"}).events
    assert event.text == "/review"
    block = f'<skill name="deploy" location="{SKILL}">\nSay "</skill>".\n</skill>\n\nto staging'
    (event,) = heard("before_agent_start", {"prompt": block}).events
    assert event.text == "/skill:deploy to staging"


@pytest.mark.parametrize(
    ("reason", "going_on", "text"),
    [("startup", False, "startup"), ("startup", True, "resume"), ("resume", True, "resume"), ("fork", True, "fork"),
     ("new", False, "clear"), ("reload", True, "resume")],
)  # fmt: skip
def test_a_start_that_goes_on_with_something_says_so(reason: str, going_on: bool, text: str) -> None:
    """In the words that everything else knows; what was said before is still in the window then."""
    (event,) = heard("session_start", {"reason": reason, "going_on": going_on}).events
    assert event.text == text


def test_a_move_in_the_tree_is_a_new_window_only_where_nothing_of_ours_is_left() -> None:
    """Else all would be said twice."""
    assert heard("session_tree", {"told": True}) == Heard()
    moved = heard("session_tree", {"told": False})
    assert (moved.moment, moved.events[0].text) == (Moment.SESSION_START, "clear")


@pytest.mark.parametrize("reason", ["error", "aborted", "toolUse", ""])
def test_a_run_that_broke_off_has_not_ended(reason: str) -> None:
    """Pi tries again, or the person goes on; then it ends under the same prompt."""
    assert heard("agent_end", {"text": "half", "stopReason": reason}) == Heard()


def test_esc_is_no_failure_of_the_command() -> None:
    """It is kept as one that did not pass, and nothing is said to it."""
    said = heard("tool_result", {"toolName": "bash", "toolCallId": "c", "input": {"command": "make"}, "isError": True,
                                 "text": "compiling\n\nCommand aborted"})  # fmt: skip
    assert said.moment is None
    assert said.events[0].exit_status is None


def test_what_pi_says_around_an_output_is_no_output() -> None:
    """The status, a notice of what was left out, that there was nothing; what we said ourselves."""
    long = "boom\n\n[Showing lines 2-3 of 9 (50.0KB limit). Full output: /tmp/pi/x.log]\n\nCommand exited with code 2"
    failed = {"toolName": "bash", "toolCallId": "c", "input": {"command": "make"}, "isError": True, "text": long}
    (event,) = heard("tool_result", failed).events
    assert (event.error, event.exit_status) == ("boom", 2)
    passed = {"toolName": "bash", "toolCallId": "c", "input": {"command": "true"}, "text": "(no output)"}
    assert heard("tool_result", passed).events[0].text == ""
    quoted = passed | {"text": 'a\n<hardwon moment="x">\nold\n</hardwon>\nb'}
    assert "old" not in heard("tool_result", quoted).events[0].text


@pytest.mark.parametrize(
    ("tool", "given", "target"),
    [
        ("read", {"path": "src/a.py"}, f"{PROJECT}/src/a.py"),
        ("read", {"path": "@src/a.py"}, f"{PROJECT}/src/a.py"),
        ("edit", {"path": "/abs/a.py", "oldText": "a", "newText": "b"}, "/abs/a.py"),
        ("grep", {"pattern": "x", "path": "src"}, "x|src|"),
        ("mcp__mem__ask", {"q": "ö"}, '{"q": "ö"}'),
        ("deploy", {"name": "staging"}, "staging"),
        ("todo", {}, ""),
    ],
)
def test_a_call_is_pointed_at_something(tool: str, given: dict[str, Any], target: str) -> None:
    """A file by its full path, a search by what and where; of a server's tool all that it was given."""
    (event,) = heard("tool_result", {"toolName": tool, "toolCallId": "c", "input": given, "text": "ok"}).events
    assert event.target == target


def test_the_memorys_own_tools_are_nothing_to_learn_from() -> None:
    """What it was asked, and what it said."""
    for name in ("memory_note", "memory_recall", "memory_check", "memory_mark", "skill_note", "skill_recall"):
        assert heard("tool_result", {"toolName": name, "toolCallId": "c", "input": {}, "text": "Kept."}) == Heard()


def test_a_prompt_that_came_in_between_waits_for_no_answer() -> None:
    """It is kept as any other."""
    said = heard("message_end", {"prompt": "use pnpm", "typed": "use pnpm", "source": "interactive"})
    assert (said.moment, said.events[0].type, said.events[0].text) == (None, EventType.PROMPT_SUBMITTED, "use pnpm")


@pytest.mark.parametrize("name", sorted({one["name"] for one in LINES}))
@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"null", b"[]", b"17", b"{}", b'{"session": null, "event": {}}', b'{"session": 7, "event": {}}',
     b'{"session": "s", "event": []}', b'{"session": "s"}', b"\xff\xfe{}", b"[" * 100_000,
     b'{"session": "s", "event": {"prompt": 1, "toolName": 1, "reason": 1, "summary": 1, "stopReason": 1}}'],
    ids=["empty", "half", "null", "list", "number", "bare", "null id", "number id", "list event", "no event",
         "not UTF-8", "very deep", "numbers"],
)  # fmt: skip
def test_what_is_no_message_is_an_error(name: str, raw: bytes) -> None:
    """Never a guess, never another exception than the one that the daemon counts."""
    with pytest.raises(ValueError, match=r"."):
        messages.hear(name, raw, NOW)


def test_events_that_mean_nothing_to_us_are_passed_over() -> None:
    """A newer extension may send what it likes."""
    assert not messages.knows("turn_end")
    assert messages.hear("turn_end", b"not even JSON", NOW) == Heard()


def test_an_answer_says_only_what_there_is() -> None:
    """The extension puts each part where it belongs."""
    assert messages.speak("tool_call", Reply()) == b""
    assert json.loads(messages.speak("tool_call", Reply(stop="no", notice="n"))) == {"stop": "no", "notice": "n"}


def test_what_can_be_said_to_it_is_all_there_is() -> None:
    """Every moment reaches Pi's model; a note before a call only with its result."""
    client = clients.find("pi")
    assert client is not None
    assert set(client.delivery) == set(Moment)
