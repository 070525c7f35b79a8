"""OpenCode, and clients made of it: what our plugin sends for each of its hooks, and what it takes as an answer.

The plugin (`integrations/opencode` in the sources) passes on what the client gave it, with the session, the agent and
the prompt that it belongs to; what any of it means is only known here. Recorded from 1.18.33.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hardwon import action
from hardwon.clients import plans, skills
from hardwon.clients.client import Hook
from hardwon.clients.speech import own_words
from hardwon.event import Event, EventType, Heard, Moment, Reply

NAME = "opencode"
HOOKS: tuple[Hook, ...] = ()
"""None of its own: the plugin hears of everything inside of the client."""
PROBE: Mapping[str, object] = {}
OLDEST = 86_400_000
"""Milliseconds that a message may have waited in the plugin for a daemon."""

_ACTIONS = {
    "bash": action.SHELL,
    "read": action.READ,
    "edit": action.EDIT,
    "multiedit": action.EDIT,
    "patch": action.EDIT,
    "apply_patch": action.EDIT,
    "write": action.WRITE,
    "grep": action.SEARCH,
    "glob": action.FIND,
    "list": action.LIST,
    "skill": action.SKILL,
    "task": action.AGENT,
    "todowrite": action.TODOS,
    "todoread": "TodoRead",
    "question": action.QUESTION,
    "plan_exit": action.PLAN,
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
}
_TARGET = ("command", "filePath", "name", "pattern", "url", "query", "path", "description")
_WHERE = ("path", "include", "type")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_NO_FAILURE = re.compile(
    r"The user (?:rejected permission|has specified a rule which prevents|dismissed this question)"
    r"|Tool execution aborted"
)
"""A person's word, or a setting of theirs: nothing went wrong."""
_SILENT = "(no output)"
_BASE = re.compile(r"^Base directory for this skill: (/.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the plugin's."""

    client: str
    given: dict[str, Any]
    at: int

    def event(self, type_: EventType, **fields: Any) -> Event:
        return Event(
            type=type_,
            host=self.client,
            session=self.given["session"],
            at=self.at,
            **{"cwd": self.given["directory"], "agent": self.given["agent"], "prompt": self.given["prompt"]} | fields,
        )


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    """One message as events. Unknown events are nothing; malformed ones a ValueError."""
    return heard(NAME, event_name, payload, at)


def heard(client: str, event_name: str, payload: bytes, at: int) -> Heard:
    parse = _PARSERS.get(event_name)
    if parse is None:
        return Heard()
    try:
        return parse(_sent(client, json.loads(payload), at))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"{event_name}: {type(error).__name__} {error}") from error


def _sent(client: str, given: dict[str, Any], at: int) -> Sent:
    """It happened when the plugin says, if that can be: a message may have waited for a daemon."""
    if not given["session"] or not all(isinstance(given[name], str) for name in _ALWAYS):
        raise ValueError("it does not say where it comes from")
    said = given.get("at")
    return Sent(client, given, said if isinstance(said, int) and at - OLDEST < said <= at else at)


_ALWAYS = ("session", "agent", "prompt", "directory")


def named(payload: bytes) -> str:  # noqa: ARG001
    """No message names its event: the plugin does, beside it."""
    return ""


def knows(event_name: str) -> bool:
    return event_name in _PARSERS


def speak(event_name: str, reply: Reply) -> bytes:  # noqa: ARG001
    """What there is of a reply; the plugin knows where each of it goes."""
    fields = {"text": reply.text, "stop": reply.stop, "ask": reply.ask, "notice": reply.notice}
    there = {name: value for name, value in fields.items() if value}
    return json.dumps(there).encode() if there else b""


def _started(sent: Sent) -> Heard:
    return Heard((sent.event(EventType.SESSION_STARTED, text="startup"),), Moment.SESSION_START)


def _resumed(sent: Sent) -> Heard:
    return Heard((sent.event(EventType.SESSION_STARTED, text="resume"),), Moment.SESSION_START)


def _prompt(sent: Sent) -> Heard:
    """What the person typed. Of a command, that: what the client makes of it is nobody's words."""
    if sent.given["agent"]:
        return Heard()
    if command := sent.given.get("command"):
        words = f"/{command['name']} {_unquoted(command['words'])}".strip()
    else:
        parts = [part["text"] for part in sent.given["parts"] if not part.get("synthetic")]
        words = own_words(_unquoted("\n".join(parts)))
    if not words:
        return Heard()
    prompt = sent.event(EventType.PROMPT_SUBMITTED, text=words, origin=sent.given.get("origin") or "")
    return Heard((prompt,), Moment.PROMPT)


def _unquoted(text: str) -> str:
    """`opencode run "a b"` puts its words between quotes again."""
    inside = text[1:-1]
    return inside if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inside else text


def _typed(sent: Sent) -> Heard:
    """A skill that a person typed as a command: no call of a tool will tell of it."""
    told = "\n".join(str(part.get("text", "")) for part in sent.given["parts"])
    if not _BASE.search(told):
        return Heard()
    words = _unquoted(sent.given["arguments"])
    loaded = sent.event(EventType.SKILL_LOADED, tool="prompt", target=sent.given["command"], text=words)
    return Heard((loaded,), Moment.SKILL)


def _before(sent: Sent) -> Heard:
    change = _change(sent.given["tool"], sent.given["args"])
    return Heard((sent.event(EventType.TOOL_STARTING, **_call(sent), text=change),), Moment.BEFORE_ACTION)


def _after(sent: Sent) -> Heard:
    """A call that came back: a command that failed does, too."""
    result, tool = sent.given["result"], sent.given["tool"]
    metadata = result.get("metadata") or {}
    said = str(result.get("output") or _texts(result.get("content")))
    if tool == "bash" and metadata.get("exit", 0) != 0:
        failed = sent.event(EventType.TOOL_FAILED, **_call(sent), error=said, exit_status=metadata["exit"])
        return Heard((failed,), Moment.AFTER_FAILURE)
    done = sent.event(EventType.TOOL_FINISHED, **_call(sent), text=_outcome(tool, sent.given["args"], said))
    if (skill := _skill(sent, metadata)) is None:
        return Heard((done,))
    name, intent = skill
    loaded = sent.event(EventType.SKILL_LOADED, **_call(sent) | {"target": name}, text=intent)
    return Heard((done, loaded), Moment.SKILL)


def _skill(sent: Sent, metadata: dict[str, Any]) -> tuple[str, str] | None:
    """The skill that a call loaded, and what for; one that is built into the client has no folder."""
    args, tool = sent.given["args"], sent.given["tool"]
    if tool == "skill" and os.path.isabs(str(metadata.get("dir", ""))):  # noqa: PTH117
        return str(metadata.get("name") or args["name"]), str(args.get("intent") or "")
    if tool == "read" and (name := skills.name_of(str(args.get("filePath", "")))):
        return name, ""
    return None


def _failed(sent: Sent) -> Heard:
    """A call that threw: it has no result, and no other hook tells of it."""
    part = sent.given["part"]
    error = str(part["state"].get("error") or "")
    if part["tool"] == "invalid" or _NO_FAILURE.match(error):
        return Heard()
    sent.given.update(tool=part["tool"], callID=part["callID"], args=part["state"].get("input") or {})
    return Heard((sent.event(EventType.TOOL_FAILED, **_call(sent), error=error),), Moment.AFTER_FAILURE)


def _spoke(sent: Sent) -> Heard:
    return Heard((sent.event(EventType.SPOKE, text=sent.given["said"]),) if sent.given["said"] else ())


def _idle(sent: Sent) -> Heard:
    return Heard((sent.event(EventType.TURN_ENDED, text=sent.given["said"]),))


def _broke_off(sent: Sent) -> Heard:
    """The end of a turn that went wrong; one that a person stopped only ends."""
    error = sent.given["properties"].get("error") or {}
    stopped = error.get("name") == "MessageAbortedError"
    told = "" if stopped else str((error.get("data") or {}).get("message") or error.get("name") or "")
    return Heard((sent.event(EventType.TURN_ENDED, text=sent.given["said"], error=told),))


def _compacting(sent: Sent) -> Heard:
    return Heard() if sent.given["agent"] else Heard((sent.event(EventType.COMPACTING),))


def _compacted(sent: Sent) -> Heard:
    done = sent.event(EventType.COMPACTED, text=str(sent.given.get("summary") or ""))
    begun = sent.event(EventType.SESSION_STARTED, text="compact")
    return Heard((done, begun), Moment.AFTER_COMPACTION)


def _ended(sent: Sent) -> Heard:
    """With what was said last, where the client left before it told of the end of the turn."""
    ended = sent.event(EventType.SESSION_ENDED, text="exit")
    return Heard((*_idle(sent).events, ended) if sent.given["said"] else (ended,))


_PARSERS: dict[str, Callable[[Sent], Heard]] = {
    "session.created": _started,
    "session.resumed": _resumed,
    "chat.message": _prompt,
    "command.execute.before": _typed,
    "tool.execute.before": _before,
    "tool.execute.after": _after,
    "message.part.updated": _failed,
    "experimental.text.complete": _spoke,
    "session.idle": _idle,
    "session.error": _broke_off,
    "experimental.session.compacting": _compacting,
    "session.compacted": _compacted,
    "dispose": _ended,
}


def _call(sent: Sent) -> dict[str, Any]:
    tool, args = _named(sent.given["tool"], sent.given.get("servers") or []), sent.given["args"]
    fields = {"tool": tool, "call": sent.given["callID"], "target": _target(tool, args)}
    folder = args.get("workdir")
    return fields | ({"cwd": folder} if isinstance(folder, str) and folder.startswith("/") else {})


def _named(tool: str, servers: list[str]) -> str:
    """In no client's words. A server's tool has the server's name before its own."""
    if found := _ACTIONS.get(tool):
        return found
    for server in sorted(servers, key=len, reverse=True):
        before = re.sub(r"[^a-zA-Z0-9_-]", "_", server) + "_"
        if tool.startswith(before):
            return f"mcp__{server}__{tool.removeprefix(before)}"
    return tool


def _target(tool: str, args: dict[str, Any]) -> str:
    """What a call is pointed at; of a server's tool all that it was given."""
    if tool.startswith("mcp__"):
        return json.dumps(args, ensure_ascii=False) if args else ""
    if patch := _PATCHED.search(str(args.get("patchText", ""))):
        return patch[1].strip()
    if args.get("pattern") and any(args.get(name) for name in _WHERE):
        return "|".join(str(args.get(name) or "") for name in ("pattern", *_WHERE))
    return next((str(args[name]) for name in _TARGET if args.get(name)), "")


def _change(tool: str, args: dict[str, Any]) -> str:
    """What a call makes of a file."""
    if "patchText" in args:
        return str(args["patchText"])
    if "oldString" in args:
        return f"- {args['oldString']}\n+ {args.get('newString', '')}"
    return str(args.get("content", "")) if tool == "write" else ""


def _outcome(tool: str, args: dict[str, Any], said: str) -> str:
    """What a call that passed did, in short."""
    if change := _change(tool, args):
        return change
    if tool in ("read", "skill"):
        return ""
    plan = plans.told(tool, args, None)
    return (said if said != _SILENT else "") if plan is None else plan


def _texts(content: Any) -> str:
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
