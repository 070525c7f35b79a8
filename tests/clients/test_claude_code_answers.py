"""What a reply to Claude Code looks like, and at which events it waits for one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from hardwon.clients.claude_code import messages as claude_code
from hardwon.clients.claude_code.messages import HOOKS, speak
from hardwon.clients.client import Hook
from hardwon.event import Reply
from tests.clients.claude_code_messages import MEANS
from tests.clients.recorded import event_name, payload

LIMIT = 10_000
"""Characters, as JavaScript counts them; what is longer the client replaces by a path."""

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
