"""Codex: what it sends to hooks, what it accepts from them.

Its messages are named like Claude Code's and differ in what matters (recorded from 0.169.0): there is no exit status,
which stands in the rollout by then; a call that the client itself refused, a failed patch and a failed MCP call among
them, is told by nothing but the rollout; a sub-agent's task comes as a prompt; and whoever answers with one field that
the event does not know is not heard at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypedDict
from urllib.parse import unquote, urlsplit

from hardwon import action
from hardwon.clients.client import Hook
from hardwon.clients.codex import loads, patches, rollout
from hardwon.clients.speech import own_words
from hardwon.event import Event, EventType, Heard, Moment, Reply

NAME = "codex"
MOST_BYTES = 9_800
"""The client counts four bytes as a token, and puts what is longer than 2,500 into a file."""


class Wire(TypedDict, total=False):
    session_id: str
    turn_id: str
    transcript_path: str
    cwd: str
    hook_event_name: str
    agent_id: str
    agent_type: str
    source: str
    reason: str
    trigger: str
    prompt: str
    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str
    tool_response: Any
    last_assistant_message: str


_TEXTS = tuple(sorted(set(Wire.__annotations__) - {"tool_input", "tool_response"}))
SHELL, PATCH = "Bash", "apply_patch"
_CALL = (
    *("hook_event_name", "session_id", "turn_id", "transcript_path", "cwd"),
    *("tool_name", "tool_input", "tool_use_id"),
)
"""Fields that are always there: with one that is not the client calls no server. Whose sub-agent it is, its rollout
says."""
HOOKS: tuple[Hook, ...] = (
    Hook("SessionStart", limit=800),
    Hook("UserPromptSubmit", limit=250),
    Hook("PreToolUse", limit=250, matcher=f"{SHELL}|{PATCH}"),
    Hook("PostToolUse", limit=250, matcher=SHELL, fields=_CALL),
    Hook("PreCompact", waits=True),
    Hook("PostCompact", waits=True),
    Hook("SubagentStop", waits=True),
    Hook("Stop", waits=True),
    Hook("Interrupt", waits=True),
    Hook("SessionEnd", waits=True),
)
"""What patches and MCP tools came back with is read from the rollout when the turn ends."""
PROBE: Mapping[str, object] = {"hook_event_name": "PreToolUse", "session_id": "doctor", "transcript_path": "/doctor",
                               "tool_name": SHELL, "tool_use_id": "doctor", "tool_input": {}}  # fmt: skip


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    """One hook message as events. Unknown events are nothing; malformed ones a ValueError.

    A session without a rollout is nothing either: it is the client's own agent that tidies up its memory, or a person
    who wants nothing to be written down (`--ephemeral`).
    """
    parse = _PARSERS.get(event_name)
    if parse is None:
        return Heard()
    try:
        wire = _wire(json.loads(payload))
        return parse(wire, at) if wire.get("transcript_path") else Heard()
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"{event_name}: {type(error).__name__} {error}") from error


def _wire(given: dict[str, Any]) -> Wire:
    """A message whose texts are texts; null is as good as not there."""
    there = {name: value for name, value in given.items() if value is not None}
    wrong = [name for name in _TEXTS if not isinstance(there.get(name, ""), str)]
    if wrong:
        raise TypeError(f"{', '.join(wrong)}: not a text")
    if not there.get("session_id"):
        raise ValueError("there is no session_id")
    return there  # type: ignore[return-value]


def named(payload: bytes) -> str:
    """The event that a message says it is; empty when it says nothing readable."""
    try:
        return str(json.loads(payload).get("hook_event_name", ""))
    except (ValueError, AttributeError):
        return ""


def knows(event_name: str) -> bool:
    return event_name in _PARSERS


UNASKED = "Codex can't ask the user on a hook's word, so it was denied: tell them, they can run it themselves"
TOLD = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})
"""They take context; the others would call a hook that answers with one failed."""


def speak(event_name: str, reply: Reply) -> bytes:
    """The reply in the shape that this event accepts. It asks nobody on a hook's word, so a call of which the person
    wants to be asked is denied, each time: an agent could else say yes for them. It ends a reason with a full stop."""
    shown = {"systemMessage": reply.notice} if reply.notice and event_name in TOLD else {}
    specific: dict[str, str] = {}
    refused = reply.stop or (reply.ask and f"{reply.ask} {UNASKED}")
    if refused and event_name == "PreToolUse":
        specific = {"permissionDecision": "deny", "permissionDecisionReason": _cut(refused).removesuffix(".")}
    elif reply.text and event_name in TOLD:
        specific = {"additionalContext": _cut(reply.text)}
    if not specific:
        return json.dumps(shown).encode() if shown else b""
    return json.dumps(shown | {"hookSpecificOutput": {"hookEventName": event_name} | specific}).encode()


def _cut(text: str) -> str:
    """As long as the client takes it; our fence stays closed."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MOST_BYTES:
        return text
    end = match[0] if (match := _FENCE.search(text)) else ""
    return data[: MOST_BYTES - len(end.encode())].decode("utf-8", "ignore") + end


_FENCE = re.compile(r"\n</(?:hardwon|skill-memory)>$")


def _event(wire: Wire, at: int, type_: EventType, **fields: Any) -> Event:
    given = {"cwd": wire.get("cwd", "")} | fields
    return Event(
        type=type_,
        host=NAME,
        session=wire["session_id"],
        at=at,
        agent=wire.get("agent_id") or rollout.agent(wire.get("transcript_path", "")),
        prompt=wire.get("turn_id", ""),
        transcript=wire.get("transcript_path", ""),
        **given,
    )


def _session_start(wire: Wire, at: int) -> Heard:
    compacted = wire["source"] == "compact"
    event = _event(wire, at, EventType.SESSION_STARTED, text=wire["source"])
    return Heard((event,), Moment.AFTER_COMPACTION if compacted else Moment.SESSION_START)


def _prompt(wire: Wire, at: int) -> Heard:
    """A sub-agent's task is another agent's word."""
    words = own_words(wire["prompt"])
    if not words or wire.get("agent_id"):
        return Heard()
    transcript = wire["transcript_path"]
    names = loads.asked_for(words, wire.get("cwd", ""), codex_home(transcript))
    loaded = [_loaded(wire, at, name, "prompt", words) for name in names]
    prompt = _event(wire, at, EventType.PROMPT_SUBMITTED, text=words, origin=rollout.origin(transcript))
    return Heard((*loaded, prompt), Moment.PROMPT)


def _loaded(wire: Wire, at: int, name: str, tool: str, intent: str = "", call: str = "") -> Event:
    return _event(wire, at, EventType.SKILL_LOADED, tool=tool, target=name, text=intent, call=call)


def codex_home(transcript: str) -> str:
    """`$CODEX_HOME/sessions/2026/11/19/rollout-….jsonl`; empty where it lies elsewhere."""
    parts = transcript.rsplit("/", 5)
    return parts[0] if len(parts) == 6 and parts[1] == "sessions" else ""


def _before(wire: Wire, at: int) -> Heard:
    events = tuple(_starting(wire, at))
    return Heard(events, Moment.BEFORE_ACTION if events else None)


def _starting(wire: Wire, at: int) -> Iterator[Event]:
    """An event for each file of a patch, the first one last: it is that one which is spoken about."""
    given, call = wire.get("tool_input") or {}, wire["tool_use_id"]
    if wire["tool_name"] == SHELL:
        about = {"call": call, "tool": action.SHELL, "target": str(given.get("command") or "")}
        yield _event(wire, at, EventType.TOOL_STARTING, **about)
    elif wire["tool_name"] == PATCH:
        parts = list(patches.parts(str(given.get("command") or ""), wire.get("cwd", "")))
        for number, part in reversed(list(enumerate(parts))):
            about = {"call": f"{call}+{number}" if number else call, "tool": tool_of(part.is_new), "target": part.file}
            yield _event(wire, at, EventType.TOOL_STARTING, **about, text=part.change)


def tool_of(is_new: bool) -> str:
    return action.WRITE if is_new else action.EDIT


def _after(wire: Wire, at: int) -> Heard:
    """How it ended stands in the rollout; where it does not (a command that goes on in the background), that is read
    later."""
    if wire["tool_name"] != SHELL:
        return Heard()
    command, call = str((wire.get("tool_input") or {}).get("command") or ""), wire["tool_use_id"]
    item = rollout.ended(wire["transcript_path"], call)
    status = item.get("exit_code") if item else None
    done = _ended(wire, at, command, status, item) if item and isinstance(status, int) else None
    if done and done.type is EventType.TOOL_FAILED:
        return Heard((done,), Moment.AFTER_FAILURE)
    loaded = [_loaded(wire, at, name, action.SKILL, call=call) for name in loads.read_by(command)]
    return Heard(((done, *loaded) if done else tuple(loaded)), Moment.SKILL if loaded else None)


def _ended(wire: Wire, at: int, command: str, status: int, item: dict[str, Any]) -> Event:
    said = str(item.get("aggregated_output") or wire.get("tool_response") or "")
    about = {"call": wire["tool_use_id"], "tool": action.SHELL, "target": command}
    if folder := folder_of(item.get("cwd")):
        about["cwd"] = folder
    if status == 0:
        return _event(wire, at, EventType.TOOL_FINISHED, **about, text=said)
    return _event(wire, at, EventType.TOOL_FAILED, **about, error=said, exit_status=status if status > 0 else None)


def folder_of(url: Any) -> str:
    """A folder, also where it is written as an address."""
    text = str(url or "")
    return unquote(urlsplit(text).path) if text.startswith("file://") else text


def _turn_ended(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.TURN_ENDED, text=wire.get("last_assistant_message", "")),))


def _agent_ended(wire: Wire, at: int) -> Heard:
    said = wire.get("last_assistant_message", "")
    return Heard((_event(wire, at, EventType.TURN_ENDED, tool=wire.get("agent_type", ""), text=said),))


def _compacting(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.COMPACTING, text=wire.get("trigger", "")),))


def _compacted(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.COMPACTED, text=rollout.summed_up(wire["transcript_path"])),))


def _session_end(wire: Wire, at: int) -> Heard:
    return Heard((_event(wire, at, EventType.SESSION_ENDED, text=wire.get("reason", "")),))


def _nothing(wire: Wire, at: int) -> Heard:  # noqa: ARG001
    return Heard()


_PARSERS: dict[str, Callable[[Wire, int], Heard]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _before,
    "PostToolUse": _after,
    "PermissionRequest": _nothing,
    "PreCompact": _compacting,
    "PostCompact": _compacted,
    "SubagentStart": _nothing,
    "SubagentStop": _agent_ended,
    "Stop": _turn_ended,
    "Interrupt": _turn_ended,
    "SessionEnd": _session_end,
}
