"""Claude Code's messages: what each recorded one means, and what a reply looks like."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

from hardwon.event import Event, EventType, Heard, Moment, Reply
from hardwon.hosts import claude_code
from hardwon.hosts.claude_code import HOOKS, Hook, hear, speak
from tests.hosts.recorded import PAYLOADS, event_name, payload

AT = 1_790_000_000_000
LIMIT = 10_000
"""Characters, as JavaScript counts them; what is longer the client replaces by a path."""

PROJECT = "/home/user/project"
STARTED, PROMPTED, LOADED = EventType.SESSION_STARTED, EventType.PROMPT_SUBMITTED, EventType.SKILL_LOADED
STARTING, FINISHED, FAILED = EventType.TOOL_STARTING, EventType.TOOL_FINISHED, EventType.TOOL_FAILED
TURN, COMPACTING, COMPACTED, ENDED = (
    EventType.TURN_ENDED, EventType.COMPACTING, EventType.COMPACTED, EventType.SESSION_ENDED,
)  # fmt: skip
SKILL_FILE = f"{PROJECT}/.claude/skills/deploy-check/SKILL.md"
SEARCHED = "select:mcp__mem__recall,mcp__mem__boom,mcp__mem__ask"


def told(type_: EventType, tool: str = "", target: str = "", text: str = "", **fields: Any) -> dict[str, Any]:
    """An event as the table has it; a text that ends in … is only a beginning."""
    blank = {"agent": "", "error": "", "exit_status": None}
    return blank | {"type": type_, "tool": tool, "target": target, "text": text} | fields


# What each recorded message says: the moment that it opens, its events, and the calls whose outcome it leaves open.
MEANS: dict[str, tuple[Moment | None, list[dict[str, Any]], list[dict[str, Any]]]] = {
    # The session
    "SessionStart-startup": (Moment.SESSION_START, [told(STARTED, text="startup")], []),
    "SessionStart-resume": (Moment.SESSION_START, [told(STARTED, text="resume")], []),
    "SessionStart-fork": (Moment.SESSION_START, [told(STARTED, text="fork")], []),
    "SessionStart-clear": (Moment.SESSION_START, [told(STARTED, text="clear")], []),
    "SessionStart-compact": (Moment.AFTER_COMPACTION, [told(STARTED, text="compact")], []),
    "SessionEnd-clear": (None, [told(ENDED, text="clear")], []),
    "SessionEnd-other": (None, [told(ENDED, text="other")], []),
    "SessionEnd-prompt_input_exit": (None, [told(ENDED, text="prompt_input_exit")], []),
    # What the user says
    "UserPromptSubmit": (Moment.PROMPT, [told(PROMPTED, text="go")], []),
    "UserPromptSubmit-slash": (Moment.PROMPT, [told(PROMPTED, text="/rev the code")], []),
    "UserPromptExpansion": (Moment.SKILL, [told(LOADED, "prompt", "rev", "the code")], []),
    # Before a call
    "PreToolUse-Bash": (Moment.BEFORE_ACTION, [told(STARTING, "Bash", "curl http://127.0.0.1:1/ | sh")], []),
    "PreToolUse-Bash-SKILLmd": (Moment.BEFORE_ACTION, [told(STARTING, "Bash", "printf -- '---\\nname: newskill…")], []),
    "PreToolUse-Bash-subagent": (
        Moment.BEFORE_ACTION, [told(STARTING, "Bash", "sleep 1.5; echo sub", agent="ae270e0416a6d2c2f")], [],
    ),
    "PreToolUse-Edit": (Moment.BEFORE_ACTION, [told(STARTING, "Edit", f"{PROJECT}/calc.py", "- a - b\n+ a + b")], []),
    "PreToolUse-Write": (Moment.BEFORE_ACTION, [told(STARTING, "Write", "/home/user/home/user/outside.txt", "x")], []),
    "PreToolUse-Read": (Moment.BEFORE_ACTION, [told(STARTING, "Read", f"{PROJECT}/subdir/z.py")], []),
    "PreToolUse-Read-SKILLmd": (Moment.BEFORE_ACTION, [told(STARTING, "Read", SKILL_FILE)], []),
    "PreToolUse-Skill": (Moment.BEFORE_ACTION, [told(STARTING, "Skill", "deploy-check")], []),
    "PreToolUse-Agent": (Moment.BEFORE_ACTION, [told(STARTING, "Agent", "bg")], []),
    "PreToolUse-ToolSearch": (Moment.BEFORE_ACTION, [told(STARTING, "ToolSearch", SEARCHED)], []),
    "PreToolUse-EnterWorktree": (Moment.BEFORE_ACTION, [told(STARTING, "EnterWorktree")], []),
    "PreToolUse-ExitWorktree": (Moment.BEFORE_ACTION, [told(STARTING, "ExitWorktree")], []),
    "PreToolUse-mcp__mem__ask": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__ask")], []),
    "PreToolUse-mcp__mem__boom": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__boom")], []),
    "PreToolUse-mcp__mem__recall": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__recall")], []),
    # After one that passed
    "PostToolUse-Bash": (None, [told(FINISHED, "Bash", "echo 1", "1")], []),
    "PostToolUse-Bash-SKILLmd": (None, [told(FINISHED, "Bash", "printf -- '---\\nname: newskill…")], []),
    "PostToolUse-Bash-subagent": (
        None, [told(FINISHED, "Bash", "sleep 1.5; echo sub", "sub", agent="ae270e0416a6d2c2f")], [],
    ),
    "PostToolUse-Edit": (None, [told(FINISHED, "Edit", f"{PROJECT}/calc.py", "- a - b\n+ a + b")], []),
    "PostToolUse-Write": (None, [told(FINISHED, "Write", f"{PROJECT}/new.txt", "hello\n")], []),
    "PostToolUse-Read": (None, [told(FINISHED, "Read", f"{PROJECT}/subdir/z.py")], []),
    "PostToolUse-Agent": (None, [told(FINISHED, "Agent", "bg", '{"isAsync": true, …')], []),
    "PostToolUse-ToolSearch": (None, [told(FINISHED, "ToolSearch", SEARCHED, '{"matches": …')], []),
    "PostToolUse-EnterWorktree": (None, [told(FINISHED, "EnterWorktree", "", '{"worktreePath": …')], []),
    "PostToolUse-ExitWorktree": (None, [told(FINISHED, "ExitWorktree", "", '{"action": "remove"…')], []),
    "PostToolUse-mcp__mem__ask": (None, [told(FINISHED, "mcp__mem__ask", "", 'elicited {"action": "cancel"}')], []),
    "PostToolUse-mcp__mem__recall": (None, [told(FINISHED, "mcp__mem__recall", "", 'RECALL-RESULT {"q": "x"}')], []),
    # A skill: by its tool, with what it is wanted for; by reading its file
    "PostToolUse-Skill": (
        Moment.SKILL,
        [told(FINISHED, "Skill", "deploy-check", '{"success": …'), told(LOADED, "Skill", "deploy-check", "prod now")],
        [],
    ),
    "PostToolUse-Read-SKILLmd": (
        Moment.SKILL, [told(FINISHED, "Read", SKILL_FILE), told(LOADED, "Read", "deploy-check")], [],
    ),
    # After one that failed
    "PostToolUseFailure-Bash": (
        Moment.AFTER_FAILURE,
        [told(FAILED, "Bash", "python3 -c 'import calc; assert calc.add(1,2)==3'",
              error="Exit code 1\nTraceback (most recent call last):…", exit_status=1)],
        [],
    ),
    "PostToolUseFailure-Bash-subagent": (
        Moment.AFTER_FAILURE,
        [told(FAILED, "Bash", "echo sub; exit 1", error="Exit code 1\nsub", exit_status=1, agent="a95580ec862761da2")],
        [],
    ),
    "PostToolUseFailure-Read": (
        Moment.AFTER_FAILURE, [told(FAILED, "Read", f"{PROJECT}/missing.txt", error="File does not exist. …")], [],
    ),
    "PostToolUseFailure-mcp__mem__boom": (Moment.AFTER_FAILURE, [told(FAILED, "mcp__mem__boom", error="BOOM-ERR")], []),
    # A batch alone tells of what was rejected; of the rest it can't say how it ended
    "PostToolBatch-Edit-error": (
        None,
        [told(FAILED, "Edit", f"{PROJECT}/calc.py", error="<tool_use_error>String to replace not found in file.\n…")],
        [],
    ),
    "PostToolBatch-Skill-error": (None, [told(FAILED, "Skill", "nomodel", error="<tool_use_error>Skill …")], []),
    "PostToolBatch-TaskCreate-error": (
        None, [told(FAILED, "TaskCreate", "desc", error="<tool_use_error>Error: No such tool …")], [],
    ),
    "PostToolBatch-TaskUpdate-error": (None, [told(FAILED, "TaskUpdate", error="<tool_use_error>Error: …")], []),
    "PostToolBatch-Bash": (
        None, [], [told(FAILED, "Bash", "curl http://127.0.0.1:1/ | sh", error="Auto mode is unavailable: …")],
    ),
    "PostToolBatch-Bash-multi": (
        None, [], [told(FAILED, "Bash", "echo A", error="A"), told(FAILED, "Bash", "false", error="Exit code 1")],
    ),
    "PostToolBatch-Bash-subagent": (
        None, [], [told(FAILED, "Bash", "sleep 1.5; echo sub", error="sub", agent="ae270e0416a6d2c2f")],
    ),
    "PostToolBatch-Edit": (None, [], [told(FAILED, "Edit", f"{PROJECT}/calc.py", error="The file …")]),
    "PostToolBatch-Write": (
        None, [], [told(FAILED, "Write", "/home/user/home/user/outside.txt", error="Claude requested permissions …")],
    ),
    "PostToolBatch-Read": (None, [], [told(FAILED, "Read", f"{PROJECT}/subdir/z.py", error="1\tx\n2\t")]),
    "PostToolBatch-Skill": (None, [], [told(FAILED, "Skill", "deploy-check", error="Launching skill: deploy-check")]),
    "PostToolBatch-Agent": (None, [], [told(FAILED, "Agent", "bg", error="Async agent launched …")]),
    "PostToolBatch-ToolSearch": (None, [], [told(FAILED, "ToolSearch", SEARCHED, error="…")]),
    "PostToolBatch-EnterWorktree": (None, [], [told(FAILED, "EnterWorktree", error="Created worktree at …")]),
    "PostToolBatch-ExitWorktree": (None, [], [told(FAILED, "ExitWorktree", error="Exited and removed …")]),
    "PostToolBatch-mcp__mem__ask": (None, [], [told(FAILED, "mcp__mem__ask", error="elicited …")]),
    "PostToolBatch-mcp__mem__boom": (None, [], [told(FAILED, "mcp__mem__boom", error="BOOM-ERR")]),
    "PostToolBatch-mcp__mem__recall": (None, [], [told(FAILED, "mcp__mem__recall", error="RECALL-RESULT …")]),
    # Turns and compaction; SubagentStop-compact is the client's own summariser
    "Stop": (None, [told(TURN, text="fin")], []),
    "Stop-bg": (None, [told(TURN, text="done main")], []),
    "Stop-hook_active": (None, [told(TURN, text="second")], []),
    "StopFailure-authentication_failed": (
        None, [told(TURN, text="Failed to authenticate. …", error="authentication_failed")], [],
    ),
    "StopFailure-server_error": (None, [told(TURN, text="API Error: 529 …", error="server_error")], []),
    "SubagentStart": (None, [], []),
    "SubagentStop": (None, [told(TURN, text="Sub answer: the bug is in add.", agent="a95580ec862761da2")], []),
    "SubagentStop-bg": (None, [told(TURN, text="bg sub answer", agent="ae270e0416a6d2c2f")], []),
    "SubagentStop-compact": (None, [], []),
    "PreCompact-auto": (None, [told(COMPACTING, text="auto")], []),
    "PreCompact-manual": (None, [told(COMPACTING, text="manual")], []),
    "PostCompact-auto": (None, [told(COMPACTED, text="<analysis>a</analysis><summary>AUTO-SUMMARY</summary>")], []),
    "PostCompact-manual": (None, [told(COMPACTED, text="<analysis>x</analysis><summary>SUMMARY-MARK: …")], []),
}  # fmt: skip

NOTHING_TO_US = frozenset({
    "ConfigChange", "CwdChanged", "Elicitation", "ElicitationResult", "FileChanged", "InstructionsLoaded",
    "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest", "PostModelSwitch", "PreModelSwitch",
    "Setup",
})  # fmt: skip


def heard(name: str, **changed: Any) -> Heard:
    return hear(event_name(name), json.dumps(payload(name, **changed)).encode(), AT)


def fits(event: Event, expected: dict[str, Any]) -> bool:
    return all(_equal(getattr(event, field), value) for field, value in expected.items())


def _equal(value: object, expected: object) -> bool:
    if isinstance(expected, str) and expected.endswith("…"):
        return str(value).startswith(expected[:-1])
    return value == expected


@pytest.mark.parametrize("name", MEANS)
def test_every_recorded_message_is_understood(name: str) -> None:
    """The events, the moment and the open calls of each message, as the table says; and where it came from."""
    moment, events, unsettled = MEANS[name]
    said = heard(name)
    assert said.moment == moment
    for got, expected in ((said.events, events), (said.unsettled, unsettled)):
        assert len(got) == len(expected), got
        assert [event for event, one in zip(got, expected, strict=True) if not fits(event, one)] == []
    recorded = payload(name)
    for event in (*said.events, *said.unsettled):
        assert (event.host, event.session, event.at) == ("claude-code", recorded["session_id"], AT)
        assert (event.cwd, event.transcript) == (recorded["cwd"], recorded["transcript_path"])
        assert event.prompt == recorded.get("prompt_id", "")
        assert event.call in (
            recorded.get("tool_use_id", ""),
            *(c["tool_use_id"] for c in recorded.get("tool_calls", ())),
        )


@pytest.mark.parametrize("name", [name for name in PAYLOADS if event_name(name) in NOTHING_TO_US])
def test_events_that_mean_nothing_to_us_are_passed_over(name: str) -> None:
    """Not even looked into: they may change as the client likes."""
    assert not claude_code.knows(event_name(name))
    assert heard(name) == Heard()
    assert hear(event_name(name), b"not even JSON", AT) == Heard()


def test_the_tables_are_complete() -> None:
    """No recorded message is left out, and no event of the client's that nobody recorded is expected."""
    assert {name for name in PAYLOADS if event_name(name) not in NOTHING_TO_US} == MEANS.keys()
    assert {event_name(name) for name in PAYLOADS} >= {hook.event for hook in HOOKS}


def test_an_event_that_no_version_has_yet_is_nothing() -> None:
    """A newer client may send what it likes."""
    assert hear("PostThought", json.dumps(payload("Stop")).encode(), AT) == Heard()
    assert not claude_code.knows("PostThought")


@pytest.mark.parametrize("name", sorted({hook.event for hook in HOOKS}))
@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"null", b"[]", b'"text"', b"17", b"{}", b'{"session_id": null}', b'{"session_id": 7}', b"\xff\xfe{}",
     b'{"session_id": ""}', b"[" * 100_000],
    ids=["empty", "half", "null", "list", "text", "number", "bare", "null id", "number id", "not UTF-8", "empty id",
         "very deep"],
)  # fmt: skip
def test_what_is_no_message_is_an_error(name: str, raw: bytes) -> None:
    """Never a guess, never another exception than the one that the daemon counts."""
    with pytest.raises(ValueError, match=r"."):
        hear(name, raw, AT)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("SessionStart-startup", "source"),
        ("UserPromptSubmit", "prompt"),
        ("UserPromptExpansion", "command_name"),
        ("PreToolUse-Bash", "tool_name"),
        ("PreToolUse-Bash", "tool_use_id"),
        ("PostToolUse-Bash", "tool_name"),
        ("PostToolUse-Bash", "tool_input"),
        ("PostToolUse-Skill", "tool_use_id"),
        ("PostToolUseFailure-Bash", "error"),
        ("PostToolBatch-Bash", "tool_calls"),
    ],
)
def test_a_message_without_what_its_name_promises_is_an_error(name: str, field: str) -> None:
    """The error names the event, so that `doctor` can say which one changed."""
    with pytest.raises(ValueError, match=event_name(name)):
        heard(name, **{field: None})


@pytest.mark.parametrize(
    ("name", "field"),
    [
        *((name, field) for name in ("Stop", "SessionStart-startup", "PreToolUse-Bash")
          for field in ("cwd", "transcript_path", "prompt_id", "agent_id")),
        ("SessionStart-startup", "source"),
        ("UserPromptSubmit", "prompt"),
        ("UserPromptExpansion", "command_name"),
        ("UserPromptExpansion", "command_args"),
        ("PreToolUse-Bash", "tool_name"),
        ("PreToolUse-Bash", "tool_input"),
        ("PreToolUse-Bash", "tool_use_id"),
        ("PostToolUse-Edit", "tool_input"),
        ("PostToolUseFailure-Bash", "error"),
        ("PostToolBatch-Bash", "tool_calls"),
        ("Stop", "last_assistant_message"),
        ("StopFailure-server_error", "error"),
        ("PreCompact-auto", "trigger"),
        ("PostCompact-auto", "compact_summary"),
        ("SessionEnd-other", "reason"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrong", [7, [7], ["text"]], ids=["number", "numbers", "texts"])
def test_a_field_of_another_type_is_an_error(name: str, field: str, wrong: object) -> None:
    """A wrong type that slipped through would fail much later, in the store."""
    with pytest.raises(ValueError, match=event_name(name)):
        heard(name, **{field: wrong})


def test_what_need_not_be_there_may_be_missing() -> None:
    """The client leaves out the prompt's id before the first prompt, and says null where a turn had no words."""
    (started,) = heard("SessionStart-startup", transcript_path=None, cwd=None).events
    assert (started.cwd, started.transcript, started.prompt) == ("", "", "")
    raw = json.dumps(payload("Stop") | {"last_assistant_message": None}).encode()
    assert hear("Stop", raw, AT).events[0].text == ""


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("fix the tests", "fix the tests"),
        ("  fix the tests\n", "fix the tests"),
        ("", ""),
        ("use List<String> and <div>, not <br/>", "use List<String> and <div>, not <br/>"),
        # Whole prompts that a machine wrote
        ("<task-notification>\n<task-id>b24</task-id>\n<status>completed</status>\n</task-notification>", ""),
        ("<task-notification>\n<task-id>b24</task-id> and never closed", ""),
        ("<command-name>/compact</command-name>\n  <command-message>compact</command-message>\n"
         "  <command-args>focus on decisions</command-args>", ""),
        ("<local-command-stdout>Compacted</local-command-stdout>", ""),
        ("<local-command-stderr>no such model</local-command-stderr>", ""),
        ("<local-command-caveat>The command below was run directly.</local-command-caveat>", ""),
        ("<bash-input>git status</bash-input>", ""),
        ("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>", ""),
        ("This session is being continued from a previous conversation. Summary: no, use X", ""),
        ("Caveat: The messages below were generated by the user while running local commands.", ""),
        ("[Request interrupted by user]", ""),
        ("[Request interrupted by user for tool use]", ""),
        # Blocks in the midst of a person's words
        ("fix it <system-reminder>be careful</system-reminder>", "fix it"),
        ("<ide_opened_file>a.py</ide_opened_file>rename it", "rename it"),
        ('<hardwon moment="prompt">\nFrom earlier:\n- rule: use pnpm [7f3a]\n</hardwon>\nwhy this?', "why this?"),
        ('<skill-memory skill="deploy">\n- wait for the lock [7f3a]\n</skill-memory>', ""),
        ("one <hardwon>a</hardwon> two <hardwon>b</hardwon> three", "one  two  three"),
    ],
)  # fmt: skip
def test_only_a_persons_words_are_the_users(prompt: str, words: str) -> None:
    """Machines write into the prompt's place, too, and so do we; none of that is what the user said."""
    said = heard("UserPromptSubmit", prompt=prompt)
    assert [event.text for event in said.events] == ([words] if words else [])
    assert said.moment is (Moment.PROMPT if words else None)


def test_a_sub_agent_is_told_apart() -> None:
    """It shares the session of the main agent, and has a context window of its own."""
    main, sub = heard("PreToolUse-Bash").events[0], heard("PreToolUse-Bash-subagent").events[0]
    assert (main.agent, sub.agent) == ("", "ae270e0416a6d2c2f")


def test_an_interrupted_call_is_no_moment_and_has_no_status() -> None:
    """Esc is no failure of the command: nothing is said, and nothing is to be learned from the signal it died of."""
    said = heard("PostToolUseFailure-Bash", is_interrupt=True, error="Exit code 137\n[Request interrupted by user]")
    assert said.moment is None
    assert said.events[0].exit_status is None


# What we say

CAN_BE_TOLD = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse",
               "PostToolUseFailure")  # fmt: skip
CANT_BE_TOLD = ("SessionEnd", "PreCompact", "PostCompact", "StopFailure")
"""They have no additionalContext; the client would throw the whole output away."""


def spoken(event: str, reply: Reply) -> dict[str, Any]:
    answer = json.loads(speak(event, reply))
    assert list(answer) == ["hookSpecificOutput"]
    specific: dict[str, Any] = answer["hookSpecificOutput"]
    return specific


def units(text: str) -> int:
    """How long JavaScript thinks a text is."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize("event", CAN_BE_TOLD)
def test_context_is_given_in_the_events_own_name(event: str) -> None:
    """W45: Another name than the event's, or another place, and the client discards everything."""
    assert spoken(event, Reply("a thing")) == {"hookEventName": event, "additionalContext": "a thing"}


def test_only_a_call_that_is_about_to_run_can_be_stopped() -> None:
    """Elsewhere a reason to stop is nothing."""
    assert spoken("PreToolUse", Reply(stop="it failed")) == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "it failed",
    }
    for event in CAN_BE_TOLD:
        if event != "PreToolUse":
            assert speak(event, Reply(stop="it failed")) == b""
            assert spoken(event, Reply("a thing", "it failed")) == spoken(event, Reply("a thing"))


@pytest.mark.parametrize("event", sorted({hook.event for hook in HOOKS}))
def test_silence_is_no_output_at_all(event: str) -> None:
    """Not even an empty object."""
    assert speak(event, Reply()) == b""


@pytest.mark.parametrize("event", CANT_BE_TOLD)
def test_events_that_take_no_context_get_none(event: str) -> None:
    """Whatever the daemon wanted to say."""
    assert speak(event, Reply("a thing", "a reason")) == b""


@pytest.mark.parametrize("letter", ["x", "é", "漢", "🦀", "\u0000", '"', "\ud800"], ids=ascii)
@pytest.mark.parametrize("field", ["text", "stop"])
def test_an_answer_is_valid_and_short_enough_in_any_script(letter: str, field: str) -> None:
    """Above 10,000 of JavaScript's characters (an emoji is two) the model would see a path in place of the text."""
    said = spoken("PreToolUse", Reply(**{field: letter * 30_000}))
    text = said["additionalContext" if field == "text" else "permissionDecisionReason"]
    assert 9_000 < units(text) < LIMIT
    assert set(text) - set("[…] \n") == {letter}


def test_what_is_cut_keeps_its_fence() -> None:
    """A block that is never closed would swallow what follows it."""
    text = '<hardwon moment="prompt">\n' + "- a line of it\n" * 2_000 + "</hardwon>"
    said = spoken("UserPromptSubmit", Reply(text))["additionalContext"]
    assert said.startswith('<hardwon moment="prompt">\n- a line')
    assert said.endswith("\n</hardwon>")
    assert units(said) < LIMIT


# How the events are registered


def matches(hook: Hook, tool: str) -> bool:
    """As the client decides it: plain names are a list, anything else is a regular expression."""
    if not hook.matcher:
        return True
    if re.fullmatch(r"[\w|, -]*", hook.matcher):
        return tool in re.split(r"[|,]\s*", hook.matcher)
    return re.search(hook.matcher, tool) is not None


def hooks_for(event: str, tool: str = "") -> list[Hook]:
    return [hook for hook in HOOKS if hook.event == event and matches(hook, tool)]


def test_every_registered_event_is_understood() -> None:
    """And the other way round, but for what the transcript tells as well, and what says nothing."""
    understood = {event_name(name) for name in MEANS}
    assert {hook.event for hook in HOOKS} == understood - {"PostToolBatch", "SubagentStart"}
    assert all(claude_code.knows(hook.event) for hook in HOOKS)


@pytest.mark.parametrize("name", MEANS)
def test_the_client_waits_where_an_answer_may_come_and_only_there(name: str) -> None:
    """Each message goes to one hook at most; a moment needs one with a limit, and a limit needs moments."""
    recorded = payload(name)
    found = hooks_for(event_name(name), recorded.get("tool_name", ""))
    assert len(found) <= 1
    if MEANS[name][0] is None:
        return
    if event_name(name) == "PreToolUse":
        assert bool(found) == (recorded["tool_name"] in ("Bash", "Edit", "Write", "MultiEdit", "NotebookEdit"))
    else:
        assert found, "nobody would hear of it"
    assert all(hook.limit for hook in found)


def test_limits_are_short_and_only_the_last_message_is_waited_for_without_one() -> None:
    """A person waits at most 250 ms for us, 800 ms at the start; a client that leaves kills what runs beside it."""
    for hook in HOOKS:
        assert hook.limit <= (800 if hook.event == "SessionStart" else 250)
        assert not (hook.limit and hook.waits)
        assert not hook.limit or any(MEANS[name][0] for name in MEANS if event_name(name) == hook.event)
    assert {hook.event for hook in HOOKS if hook.waits} == {"Stop", "StopFailure", "SubagentStop", "SessionEnd"}
    assert {hook.event for hook in HOOKS if hook.limit} == set(CAN_BE_TOLD)


@pytest.mark.parametrize("pasted", ["<hardwon>", "<hardwon", "<hardwon></hardwon>", "a", "</hardwon><hardwon>"])
def test_a_long_prompt_takes_time_in_proportion(pasted: str) -> None:
    """Whatever is pasted: while one message is looked at, the daemon can't look at another."""
    began = time.process_time()
    heard("UserPromptSubmit", prompt=pasted * 100_000)
    assert time.process_time() - began < 5
