"""Codex's messages as events, and answers in the shape that each event takes: recorded ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon import action
from hardwon.clients.codex import loads, patches, rollout
from hardwon.clients.codex.messages import HOOKS, MOST_BYTES, PROBE, UNASKED, hear, knows, named, speak
from hardwon.event import Event, EventType, Heard, Moment, Reply

PAYLOADS = Path(__file__).with_name("codex") / "payloads"
RECORDED = Path(__file__).with_name("codex") / "transcripts"
FAILURES = RECORDED / "rollout-exec-failures.jsonl"
AT = 1_794_000_000_000


def payload(name: str, **changed: Any) -> dict[str, Any]:
    """A recorded message, with other values where a test needs them."""
    recorded: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text("utf-8"))
    return recorded | changed


def heard(name: str, **changed: Any) -> Heard:
    given = payload(name, **changed)
    return hear(given["hook_event_name"], json.dumps(given).encode(), AT)


def outline(told: Heard) -> list[tuple[EventType, str, str]]:
    return [(event.type, event.tool, event.target or event.text) for event in told.events]


def only(told: Heard) -> Event:
    (event,) = told.events
    return event


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_every_recorded_message_is_known(path: Path) -> None:
    """Each is understood, is of this client, and names its session, its folder and its record."""
    data = path.read_bytes()
    assert knows(named(data))
    for event in hear(named(data), data, AT).events:
        assert (event.host, event.at, event.cwd) == ("codex", AT, "/home/user/project")
        assert event.session
        assert event.transcript.endswith(".jsonl")


@pytest.mark.parametrize(
    ("name", "moment", "expected"),
    [
        ("SessionStart.startup", Moment.SESSION_START, [(EventType.SESSION_STARTED, "", "startup")]),
        ("SessionStart.resume", Moment.SESSION_START, [(EventType.SESSION_STARTED, "", "resume")]),
        ("SessionStart.compact", Moment.AFTER_COMPACTION, [(EventType.SESSION_STARTED, "", "compact")]),
        ("UserPromptSubmit", Moment.PROMPT, [(EventType.PROMPT_SUBMITTED, "", "Do compact test")]),
        ("UserPromptSubmit.subagent", None, []),
        ("PreToolUse.Bash", Moment.BEFORE_ACTION, [(EventType.TOOL_STARTING, action.SHELL, "echo one")]),
        (
            "PreToolUse.apply_patch",
            Moment.BEFORE_ACTION,
            [(EventType.TOOL_STARTING, action.WRITE, "/home/user/project/hello.txt")],
        ),
        ("PreToolUse.mcp__memsrv__recall", None, []),
        ("PostToolUse.apply_patch", None, []),
        ("PreCompact", None, [(EventType.COMPACTING, "", "auto")]),
        ("PostCompact", None, [(EventType.COMPACTED, "", "")]),
        ("SubagentStart", None, []),
        ("SubagentStop", None, [(EventType.TURN_ENDED, "explorer", "sub done")]),
        ("Stop", None, [(EventType.TURN_ENDED, "", "After compact.")]),
        ("Interrupt", None, [(EventType.TURN_ENDED, "", "")]),
        ("SessionEnd", None, [(EventType.SESSION_ENDED, "", "other")]),
        ("PermissionRequest", None, []),
    ],
)
def test_what_a_message_says(name: str, moment: Moment | None, expected: list[tuple[EventType, str, str]]) -> None:
    """And the moment it opens. A sub-agent's task is nobody's prompt."""
    told = heard(name)
    assert outline(told) == expected
    assert told.moment is moment


def test_how_a_command_ended_is_read_from_the_rollout() -> None:
    """The message has no exit status; a failure is told of at once, and is the one that the rollout tells of later."""
    told = heard("PostToolUse.Bash.failed-exit3", transcript_path=str(FAILURES))
    event = only(told)
    assert told.moment is Moment.AFTER_FAILURE
    assert (event.type, event.exit_status, event.call) == (EventType.TOOL_FAILED, 3, "call_1")
    assert "No such file" in event.error
    passed = heard("PostToolUse.Bash", transcript_path=str(FAILURES), tool_use_id="call_2")
    assert (only(passed).type, passed.moment) == (EventType.TOOL_FINISHED, None)


def test_in_code_mode_too() -> None:
    """Where the model writes JavaScript, and calls have other ids."""
    path = RECORDED / "rollout-code-mode.jsonl"
    items = [json.loads(line)["payload"].get("item", {}) for line in path.read_text().splitlines()]
    call = next(item["id"] for item in items if item.get("exit_code") == 3)
    told = heard("PostToolUse.Bash.code-mode", transcript_path=str(path), tool_use_id=call)
    assert (only(told).exit_status, told.moment) == (3, Moment.AFTER_FAILURE)


@pytest.mark.parametrize("transcript", ["/nowhere/rollout.jsonl", str(RECORDED / "rollout-compacted.jsonl")])
def test_a_command_of_which_the_rollout_does_not_tell(transcript: str) -> None:
    """It goes on in the background, or the file can't be read: no word about how it ended."""
    assert heard("PostToolUse.Bash.failed-exit3", transcript_path=transcript, tool_use_id="other") == Heard()


def test_the_end_of_a_long_rollout_is_enough(tmp_path: Path) -> None:
    """A line that is longer than the part that is mostly read is found, and one that only quotes the call is not."""
    item = {"type": "CommandExecution", "id": "call_9", "exit_code": 1, "aggregated_output": "x" * 200_000}
    quoting = {"id": "a", "text": '"call_9"'}
    lines = [json.dumps({"payload": {"type": "item_completed", "item": one}}) for one in (quoting, item, quoting)]
    path = tmp_path / "rollout.jsonl"
    path.write_text("\n".join(lines) + "\n")
    found = rollout.ended(str(path), "call_9")
    assert found is not None
    assert found["exit_code"] == 1
    assert rollout.ended(str(path), "call_8") is None


def test_what_a_compaction_made_of_the_conversation() -> None:
    """It stands in the rollout only."""
    told = heard("PostCompact", transcript_path=str(RECORDED / "rollout-compacted.jsonl"))
    assert only(told).text == "COMPACTED SUMMARY TEXT: user wanted thing."


def test_a_session_without_a_record_is_nobodys() -> None:
    """The client's own agent for its memory, and people who want nothing to be written down."""
    assert heard("UserPromptSubmit", transcript_path=None) == Heard()
    assert heard("SessionStart.startup", transcript_path=None) == Heard()


@pytest.mark.parametrize(
    ("source", "originator", "origin"),
    [
        ("cli", "codex-tui", "typed"),
        ("vscode", "codex-tui", "typed"),
        ("vscode", "codex_vscode", "typed"),
        ("vscode", "somebodys_sdk", ""),
        ("exec", "codex_exec", "program"),
        ("mcp", "x", "program"),
        ("new", "new", ""),
        ({"x": 1}, "x", ""),
    ],
)
def test_who_wrote_a_prompt(tmp_path: Path, source: Any, originator: str, origin: str) -> None:
    """A person at the terminal, also where a server in the background does the work, or in an editor; not who calls
    `codex exec`, be it another agent."""
    path = tmp_path / "rollout.jsonl"
    meta = {"id": "1", "cwd": '/home/a "b"', "originator": originator, "source": source}
    meta |= {"base_instructions": {"source": "cli"}}
    path.write_text(json.dumps({"timestamp": "2026-11-15T09:00:00Z", "type": "session_meta", "payload": meta}) + "\n")
    assert only(heard("UserPromptSubmit", transcript_path=str(path))).origin == origin
    assert rollout.named(str(path), "cwd") == '/home/a "b"'


@pytest.mark.parametrize(
    ("command", "skills"),
    [
        ("cat .agents/skills/deploy/SKILL.md", ["deploy"]),
        ("sed -n '1,200p' /home/user/.codex/skills/deploy/SKILL.md | head -50", ["deploy"]),
        ("cat a/skills/one/SKILL.md && cat 'a/skills/two/SKILL.md'", ["one", "two"]),
        ("ls; cat skills/one/SKILL.md skills/one/SKILL.md", ["one"]),
        ("rg deploy .agents/skills/deploy/SKILL.md", []),
        ("sed -i s/a/b/ .agents/skills/deploy/SKILL.md", []),
        ("cat > .agents/skills/deploy/SKILL.md", []),
        ("echo cat x/skills/deploy/SKILL.md", []),
        ("cat 'unclosed skills/deploy/SKILL.md", []),
        ("cat README.md", []),
    ],
)
def test_the_skills_that_a_command_reads(command: str, skills: list[str]) -> None:
    """Printing a SKILL.md is how the model loads it; searching, changing and naming it is not."""
    assert loads.read_by(command) == skills


def test_a_skill_that_was_read_opens_its_moment(tmp_path: Path) -> None:
    """With the result of the command; not where the command failed."""
    command = {"command": "cat .agents/skills/deploy/SKILL.md"}
    for status, moment in ((0, Moment.SKILL), (1, Moment.AFTER_FAILURE)):
        item = {"type": "CommandExecution", "id": "c", "exit_code": status, "aggregated_output": "text"}
        path = tmp_path / "rollout.jsonl"
        path.write_text(json.dumps({"payload": {"type": "item_completed", "item": item}}) + "\n")
        told = heard("PostToolUse.Bash", transcript_path=str(path), tool_use_id="c", tool_input=command)
        assert told.moment is moment
        assert ("deploy" in [event.target for event in told.events]) is (status == 0)


def test_a_skill_that_a_person_names(tmp_path: Path) -> None:
    """`$deploy` anywhere in a prompt, where there is such a skill: `$HOME` is none."""
    file = tmp_path / ".agents" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: deploy\n---\n")
    told = heard("UserPromptSubmit.skill", cwd=str(tmp_path), prompt="put $HOME aside and use $deploy, $nothing")
    assert told.moment is Moment.PROMPT
    assert [(event.type, event.target) for event in told.events] == [
        (EventType.SKILL_LOADED, "deploy"),
        (EventType.PROMPT_SUBMITTED, ""),
    ]


def test_the_files_of_a_patch() -> None:
    """Each with what goes and what comes; the first one is spoken about, so it comes last."""
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: src/b.py\n@@ def f():\n x\n-old\n+new\n"
        "*** Add File: /abs/new.txt\n+one\n+two\n*** Delete File: gone.txt\n*** End Patch\n"
    )
    assert list(patches.parts(patch, "/p")) == [
        patches.Part("/p/src/a.py", is_new=False, change="-old\n+new"),
        patches.Part("/abs/new.txt", is_new=True, change="one\ntwo\n"),
        patches.Part("/p/gone.txt", is_new=False, change="deleted"),
    ]
    told = heard("PreToolUse.apply_patch", cwd="/p", tool_input={"command": patch})
    assert [(event.target, event.call) for event in told.events] == [
        ("/p/gone.txt", "call_3+2"), ("/abs/new.txt", "call_3+1"), ("/p/src/a.py", "call_3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"session_id": 3}', b'{"session_id": "a", "transcript_path": "/", "cwd": []}', b"\xff"],
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    """Nothing half understood is kept."""
    with pytest.raises(ValueError, match="PreToolUse"):
        hear("PreToolUse", data, AT)
    assert hear("NoSuchEvent", data, AT) == Heard()


SAID = Reply(text="a lesson", notice="a notice")


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreToolUse"])
def test_context_in_the_shape_that_is_taken(event: str) -> None:
    """With any other field the client would take none of it."""
    assert json.loads(speak(event, SAID)) == {
        "systemMessage": "a notice",
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": "a lesson"},
    }
    assert speak(event, Reply()) == b""


@pytest.mark.parametrize(
    "event", ["Stop", "Interrupt", "PreCompact", "PostCompact", "SessionEnd", "SubagentStop", "PermissionRequest"]
)
def test_silence_where_an_answer_is_an_error(event: str) -> None:
    """The client would tell its user that the hook failed."""
    assert speak(event, SAID) == b""
    assert speak(event, Reply(stop="no")) == b""


@pytest.mark.parametrize(
    ("reply", "reason"), [(Reply(stop="Not again."), "Not again"), (Reply(ask="careful"), f"careful {UNASKED}")]
)
def test_a_call_is_denied(reply: Reply, reason: str) -> None:
    """Also where the person should be asked: the client does not ask on a hook's word."""
    assert json.loads(speak("PreToolUse", reply))["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
    }  # fmt: skip


@pytest.mark.parametrize("letter", ["a", "é", "日", "😀"])
def test_a_long_answer_is_cut(letter: str) -> None:
    """Where the client would put it into a file; our fence stays closed."""
    text = f"<hardwon>\n{letter * 20_000}\n</hardwon>"
    said = json.loads(speak("SessionStart", Reply(text=text)))["hookSpecificOutput"]["additionalContext"]
    assert MOST_BYTES - 4 <= len(said.encode()) <= MOST_BYTES
    assert said.endswith("\n</hardwon>")


def test_what_is_registered_is_known() -> None:
    """And a doctor's probe is answered with nothing."""
    assert all(knows(hook.event) for hook in HOOKS)
    data = json.dumps(PROBE).encode()
    assert hear(named(data), data, AT).moment is Moment.BEFORE_ACTION


def test_a_sub_agent_is_known_by_its_rollout() -> None:
    """A call to our server has no field for it: the client makes none that names a field which is not there."""
    own = rollout.agent(str(RECORDED / "rollout-subagent.jsonl"))
    assert own
    told = heard("PreToolUse.Bash", transcript_path=str(RECORDED / "rollout-subagent.jsonl"))
    assert only(told).agent == own
    assert only(heard("PreToolUse.Bash", transcript_path=str(FAILURES))).agent == ""
    every = set(payload("PostToolUse.Bash")) & set(payload("PostToolUse.Bash.failed-exit3"))
    assert all(set(hook.fields) <= every for hook in HOOKS)
