"""Claude Code's messages: each recorded one is understood, and what is none is an error."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from hardwon.clients.claude_code import messages as claude_code
from hardwon.clients.claude_code.messages import HOOKS, hear
from hardwon.event import Event, Heard, Moment
from tests.clients.claude_code_messages import MEANS, NOTHING_TO_US
from tests.clients.recorded import PAYLOADS, event_name, payload

AT = 1_790_000_000_000
LIMIT = 10_000
"""Characters, as JavaScript counts them; what is longer the client replaces by a path."""


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


@pytest.mark.parametrize("pasted", ["<hardwon>", "<hardwon", "<hardwon></hardwon>", "a", "</hardwon><hardwon>"])
def test_a_long_prompt_takes_time_in_proportion(pasted: str) -> None:
    """Whatever is pasted: while one message is looked at, the daemon can't look at another."""
    began = time.process_time()
    heard("UserPromptSubmit", prompt=pasted * 100_000)
    assert time.process_time() - began < 5
