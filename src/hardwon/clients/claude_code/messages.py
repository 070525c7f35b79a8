"""Claude Code: what it sends to hooks, what it accepts from them.

The wire types are what the client serialises, field for field (recorded from 2.1.325); everything after `hear` sees
only Events. An event we don't know is passed over; one that is not what its name promises raises `ValueError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypedDict

from hardwon.clients import plans, skills
from hardwon.clients.claude_code import tasks as claude_code_tasks
from hardwon.clients.client import Hook
from hardwon.clients.speech import own_words
from hardwon.event import IN_BACKGROUND, Event, EventType, Heard, Moment, Reply

NAME = "claude-code"
MOST_CHARACTERS = 9_800
"""The client cuts what is longer than 10,000 characters and shows a path instead."""


class Wire(TypedDict, total=False):
    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: str
    prompt_id: str
    agent_id: str
    agent_type: str
    source: str
    reason: str
    prompt: str
    command_name: str
    command_args: str
    expansion_type: str
    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str
    tool_response: Any
    tool_calls: list[WireCall]
    error: str
    is_interrupt: bool
    trigger: str
    compact_summary: str
    last_assistant_message: str
    agent_transcript_path: str


class WireCall(TypedDict, total=False):
    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str
    tool_response: Any


_TEXTS = tuple(sorted(set(Wire.__annotations__) - {"tool_input", "tool_response", "tool_calls", "is_interrupt"}))


ACTS = "Bash|Edit|Write|MultiEdit|NotebookEdit"
_ALWAYS = ("hook_event_name", "session_id", "transcript_path", "cwd", "prompt_id", "agent_id", "agent_type")
_END = (*_ALWAYS, "last_assistant_message")
_CALL = (*_ALWAYS, "tool_name", "tool_input", "tool_use_id")

# What calls came back with is not here, but for failures: it is read from the transcript when the turn ends. A hook
# after every call would cost more than all the others together.
HOOKS: tuple[Hook, ...] = (
    Hook("SessionStart", limit=800),
    Hook("UserPromptSubmit", limit=250),
    Hook("UserPromptExpansion", limit=250),
    Hook("PreToolUse", limit=250, matcher=ACTS, fields=_CALL),
    Hook("PostToolUse", limit=250, matcher="Skill|Read", fields=_CALL),
    Hook("PostToolUseFailure", limit=250, fields=(*_CALL, "error", "is_interrupt")),
    Hook("Stop", waits=True, fields=_END),
    Hook("StopFailure", waits=True),
    Hook("SubagentStop", waits=True, fields=_END),
    # Of these two the client prints what it ran: a call is told by its name, a command by all of its paths.
    Hook("PreCompact", fields=(*_ALWAYS, "trigger")),
    Hook("PostCompact", fields=(*_ALWAYS, "trigger", "compact_summary")),
    Hook("SessionEnd", waits=True),
)

PROBE = {"hook_event_name": "PreToolUse", "session_id": "doctor", "tool_name": "Bash", "tool_use_id": "doctor",
         "tool_input": {}}  # fmt: skip


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    """One hook message as events. Unknown events are nothing; malformed ones a ValueError."""
    parse = _PARSERS.get(event_name)
    if parse is None:
        return Heard()
    try:
        return parse(_wire(json.loads(payload)), at)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"{event_name}: {type(error).__name__} {error}") from error


def _wire(given: dict[str, Any]) -> Wire:
    """A message whose texts are texts; null is as good as not there."""
    wire = _checked(_from_server(given))
    if not wire.get("session_id"):
        raise ValueError("there is no session_id")
    return wire  # type: ignore[return-value]


def _from_server(given: dict[str, Any]) -> dict[str, Any]:
    """The same when it came as a call to our MCP server: everything is a text there."""
    if isinstance(given.get("tool_input"), str):
        given["tool_input"] = json.loads(given["tool_input"])
    if isinstance(given.get("is_interrupt"), str):
        given["is_interrupt"] = given["is_interrupt"] == "true"
    return given


def _checked(given: dict[str, Any]) -> dict[str, Any]:
    there = {name: value for name, value in given.items() if value is not None}
    wrong = [name for name in _TEXTS if not isinstance(there.get(name, ""), str)]
    if wrong:
        raise TypeError(f"{', '.join(wrong)}: not a text")
    return there


def named(payload: bytes) -> str:
    """The event that a message says it is; empty when it says nothing readable."""
    try:
        return str(json.loads(payload).get("hook_event_name", ""))
    except (ValueError, AttributeError):
        return ""


def knows(event_name: str) -> bool:
    return event_name in _PARSERS


SILENT = frozenset({"SessionEnd", "PreCompact", "PostCompact", "StopFailure"})
"""They take no context."""


def speak(event_name: str, reply: Reply) -> bytes:
    """The reply in the shape that this event accepts; a mismatch would make the client discard it whole."""
    specific: dict[str, str] = {"hookEventName": event_name}
    shown = {"systemMessage": reply.notice} if reply.notice else {}
    if reply.stop and event_name == "PreToolUse":
        specific |= {"permissionDecision": "deny", "permissionDecisionReason": _cut(reply.stop)}
    elif reply.ask and event_name == "PreToolUse":
        specific |= {"permissionDecision": "ask", "permissionDecisionReason": _cut(reply.ask)}
    elif reply.text and event_name not in SILENT:
        specific["additionalContext"] = _cut(reply.text)
    elif not shown:
        return b""
    return json.dumps({**shown, "hookSpecificOutput": specific}).encode()


def _cut(text: str) -> str:
    """As long as the client takes it, by JavaScript's count (an emoji is two); our fence stays closed."""
    if _units(text) <= MOST_CHARACTERS:
        return text
    end = match[0] if (match := _FENCE.search(text)) else ""
    room = MOST_CHARACTERS - len(end)
    kept = text[:room]
    while (over := _units(kept) - room) > 0:
        kept = kept[: -max(1, over // 2)]
    return kept + end


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_FENCE = re.compile(r"\n</(?:hardwon|skill-memory)>$")


def _event(wire: Wire, at: int, type_: EventType, **fields: Any) -> Event:
    return Event(
        type=type_,
        host=NAME,
        session=wire["session_id"],
        at=at,
        cwd=wire.get("cwd", ""),
        agent=wire.get("agent_id", ""),
        prompt=wire.get("prompt_id", ""),
        transcript=wire.get("transcript_path", ""),
        **fields,
    )


def _session_start(wire: Wire, at: int) -> Heard:
    compacted = wire["source"] == "compact"
    event = _event(wire, at, EventType.SESSION_STARTED, text=wire["source"])
    return Heard((event,), Moment.AFTER_COMPACTION if compacted else Moment.SESSION_START)


def _prompt(wire: Wire, at: int) -> Heard:
    words = own_words(wire["prompt"])
    if not words:
        return Heard()
    return Heard((_event(wire, at, EventType.PROMPT_SUBMITTED, text=words),), Moment.PROMPT)


def _expansion(wire: Wire, at: int) -> Heard:
    """A typed /skill: no tool call follows that would tell of it."""
    fields = {"target": wire["command_name"], "text": wire.get("command_args", "")}
    return Heard((_event(wire, at, EventType.SKILL_LOADED, tool="prompt", **fields),), Moment.SKILL)


def _before(wire: Wire, at: int) -> Heard:
    given = wire.get("tool_input") or {}
    change = outcome_of(wire["tool_name"], given, None) if wire["tool_name"] in FILE_TOOLS else ""
    event = _event(wire, at, EventType.TOOL_STARTING, **_call(wire), text=change)
    return Heard((event,), Moment.BEFORE_ACTION)


def _after(wire: Wire, at: int) -> Heard:
    outcome = outcome_of(wire["tool_name"], wire["tool_input"], wire.get("tool_response"))
    done = _event(wire, at, EventType.TOOL_FINISHED, **_call(wire), text=outcome)
    skill = skill_of(wire["tool_name"], wire["tool_input"])
    if skill is None:
        return Heard((done,))
    name, intent = skill
    loaded = _event(wire, at, EventType.SKILL_LOADED, tool=wire["tool_name"], call=wire["tool_use_id"], target=name,
                    text=intent)  # fmt: skip
    return Heard((done, loaded), Moment.SKILL)


def _failed(wire: Wire, at: int) -> Heard:
    """Esc is no failure of the command, whatever the signal that ended it."""
    error, stopped = wire["error"], wire.get("is_interrupt")
    status = None if stopped else exit_status(error)
    event = _event(wire, at, EventType.TOOL_FAILED, **_call(wire), error=error, exit_status=status)
    return Heard((event,), None if stopped else Moment.AFTER_FAILURE)


def _batch(wire: Wire, at: int) -> Heard:
    """The only message about calls that were rejected or denied; the others have told of themselves."""
    rejected: list[Event] = []
    unsettled: list[Event] = []
    for given in wire["tool_calls"]:
        call = _checked(given)  # type: ignore[arg-type]
        said = text_of(call.get("tool_response"))
        event = _event(wire, at, EventType.TOOL_FAILED, **_call(call), error=said)  # type: ignore[arg-type]
        (rejected if said.startswith("<tool_use_error>") else unsettled).append(event)
    return Heard(tuple(rejected), unsettled=tuple(unsettled))


def _turn_ended(wire: Wire, at: int) -> Heard:
    said = wire.get("last_assistant_message") or ""
    return Heard((_event(wire, at, EventType.TURN_ENDED, text=said, error=wire.get("error", "")),))


def _agent_ended(wire: Wire, at: int) -> Heard:
    if not wire.get("agent_type"):  # the client's own summariser during compaction
        return Heard()
    said = wire.get("last_assistant_message") or ""
    return Heard((_event(wire, at, EventType.TURN_ENDED, tool=wire["agent_type"], text=said),))


def _compacting(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.COMPACTING, text=wire.get("trigger", "")),))


def _compacted(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.COMPACTED, text=wire.get("compact_summary", "")),))


def _session_end(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.SESSION_ENDED, text=wire.get("reason", "")),))


def _nothing(wire: Wire, at: int) -> Heard:  # noqa: ARG001
    return Heard()


_PARSERS: dict[str, Callable[[Wire, int], Heard]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "UserPromptExpansion": _expansion,
    "PreToolUse": _before,
    "PostToolUse": _after,
    "PostToolUseFailure": _failed,
    "PostToolBatch": _batch,
    "Stop": _turn_ended,
    "StopFailure": _turn_ended,
    "SubagentStart": _nothing,
    "SubagentStop": _agent_ended,
    "PreCompact": _compacting,
    "PostCompact": _compacted,
    "SessionEnd": _session_end,
}

_TARGET = ("command", "file_path", "notebook_path", "skill", "pattern", "url", "query", "path", "description")
_WHERE = ("path", "glob", "type")
FILE_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "Read"})


def _call(call: Wire | WireCall) -> dict[str, Any]:
    target = call_target(call.get("tool_input") or {}, call["tool_name"])
    return {"tool": call["tool_name"], "call": call["tool_use_id"], "target": target}


def call_target(given: dict[str, Any], tool: str = "") -> str:
    """What a call is pointed at: a command, a file, a skill; a pattern with where it was looked for. Of a server's tool
    all that it was given: nobody knows what matters there."""
    if tool.startswith("mcp__"):
        return json.dumps(given, ensure_ascii=False) if given else ""
    if given.get("pattern") and any(given.get(name) for name in _WHERE):
        return "|".join(str(given.get(name) or "") for name in ("pattern", *_WHERE))
    return next((str(given[name]) for name in _TARGET if given.get(name)), "")


def skill_of(tool: str, given: dict[str, Any]) -> tuple[str, str] | None:
    """The skill that a call loads, and what for: the Skill tool, or reading its SKILL.md."""
    if tool == "Skill" and given.get("skill"):
        return str(given["skill"]), str(given.get("args") or "")
    if tool == "Read" and (name := skills.name_of(str(given.get("file_path", "")))):
        return name, ""
    return None


def outcome_of(tool: str, given: dict[str, Any], response: Any) -> str:
    """What a successful call did, in short."""
    if tool in ("Edit", "MultiEdit"):
        return f"- {given.get('old_string', '')}\n+ {given.get('new_string', '')}"
    if tool == "Write":
        return str(given.get("content", ""))
    if tool == "Read":
        return ""
    if isinstance(response, dict) and response.get("backgroundTaskId"):
        return f"{IN_BACKGROUND} with ID: {response['backgroundTaskId']}"
    if tool in claude_code_tasks.TOOLS:
        return claude_code_tasks.outcome(tool, given, response)
    if (plan := plans.told(tool, given, response)) is not None:
        return plan
    if isinstance(response, dict) and "stdout" in response:
        return "\n".join(filter(None, (str(response["stdout"]), str(response.get("stderr") or ""))))
    return text_of(response)


def text_of(response: Any) -> str:
    """A result as the model sees it: a text, or the text blocks of a list."""
    if isinstance(response, list):
        return "\n".join(str(block.get("text", "")) for block in response if isinstance(block, dict))
    return response if isinstance(response, str) else json.dumps(response) if response else ""


_EXIT = re.compile(r"Exit code (\d{1,3})\b")


def exit_status(error: str) -> int | None:
    match = _EXIT.match(error)
    return int(match[1]) if match else None
