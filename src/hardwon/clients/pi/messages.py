"""Pi: what the extension in it sends (`integrations/pi`), and what it takes for an answer.

A message is an event of Pi's own in `event`, and where it comes from beside it. What a call or a prompt means is
decided here, so that the extension stays the same while Pi and hardwon change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hardwon import action
from hardwon.clients.client import Hook
from hardwon.clients.pi import calls, own, prompts
from hardwon.clients.speech import own_words, without_ours
from hardwon.event import Event, EventType, Heard, Moment, Reply

NAME = "pi"
HOOKS: tuple[Hook, ...] = ()
"""None: the extension talks to the daemon itself."""
PROBE: Mapping[str, object] = {"session": "doctor", "event": {"told": True}}

_STARTS = {"new": "clear", "reload": "resume"}
"""Pi's reasons for a start, where another client has another word for the same."""
_ENDED = frozenset({"stop", "length"})
_TERMINALS = frozenset({"interactive", "tui"})


@dataclass(frozen=True, slots=True)
class _Message:
    """One message: where it comes from, and Pi's event."""

    session: str
    file: str
    cwd: str
    prompt: str
    mode: str
    started_by: str
    at: int
    event: dict[str, Any]

    def said(self, type_: EventType, **fields: Any) -> Event:
        return Event(type=type_, host=NAME, session=self.session, at=self.at, cwd=self.cwd, prompt=self.prompt,
                     transcript=self.file, **fields)  # fmt: skip

    def text(self, name: str) -> str:
        value = self.event.get(name)
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is not a text")
        return value or ""


def named(payload: bytes) -> str:  # noqa: ARG001
    """A message does not say which event it is: the line before it does."""
    return ""


def knows(event_name: str) -> bool:
    return event_name in _PARSERS


def hear(event_name: str, payload: bytes, at: int) -> Heard:
    """One message as events. Unknown events are nothing; malformed ones a ValueError."""
    parse = _PARSERS.get(event_name)
    if parse is None:
        return Heard()
    try:
        return parse(_message(json.loads(payload), at))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(f"{event_name}: {type(error).__name__} {error}") from error


def speak(event_name: str, reply: Reply) -> bytes:  # noqa: ARG001
    """What there is to say; the extension knows where each of it goes."""
    said = {"text": reply.text, "stop": reply.stop, "ask": reply.ask, "notice": reply.notice}
    there = {name: text for name, text in said.items() if text}
    return json.dumps(there).encode() if there else b""


def _message(given: dict[str, Any], at: int) -> _Message:
    """The time is the sender's, for it may have waited; never one that is still to come."""
    texts = {name: given.get(name) or "" for name in ("session", "file", "cwd", "prompt", "mode", "started_by")}
    wrong = [name for name, value in texts.items() if not isinstance(value, str)]
    if wrong or not isinstance(given["event"], dict):
        raise TypeError(f"{', '.join(wrong) or 'event'}: of another kind")
    if not texts["session"]:
        raise ValueError("there is no session")
    sent = given.get("at")
    then = min(sent, at) if isinstance(sent, int) and sent > 0 else at
    return _Message(**texts, at=then, event=given["event"])


def _started(one: _Message) -> Heard:
    reason = one.text("reason") or "startup"
    if reason == "startup" and one.event.get("going_on"):
        reason = "resume"
    event = one.said(EventType.SESSION_STARTED, text=_STARTS.get(reason, reason))
    return Heard((event,), Moment.SESSION_START)


def _moved(one: _Message) -> Heard:
    """To another branch of the session's tree. Where nothing of ours stands on it, its window is a new one."""
    if one.event.get("told"):
        return Heard()
    return Heard((one.said(EventType.SESSION_STARTED, text="clear"),), Moment.SESSION_START)


def _origin(one: _Message) -> str:
    """A person's only where they sit at its terminal: what is printed once, asked for by a program, another extension
    or another agent, may be anybody's."""
    at_terminal = one.mode in _TERMINALS and one.text("source") == "interactive" and not one.started_by
    return "typed" if at_terminal else "program"


def _prompted(one: _Message) -> Heard:
    words = own_words(one.text("typed")) or prompts.typed_in(one.text("prompt"))
    if not words:
        return Heard()
    return Heard((one.said(EventType.PROMPT_SUBMITTED, text=words, origin=_origin(one)),), Moment.PROMPT)


def _put_in(one: _Message) -> Heard:
    """While the agent was at work: nobody waits for an answer."""
    return Heard(_prompted(one).events)


def _expanded(one: _Message) -> Heard:
    """A typed /skill:NAME: no call follows that would tell of it."""
    skill = prompts.skill_in(one.text("prompt"))
    if skill is None:
        return Heard()
    name, _, rest = skill
    return Heard((one.said(EventType.SKILL_LOADED, tool="prompt", target=name, text=rest),), Moment.SKILL)


def _call(one: _Message) -> dict[str, Any]:
    name = one.text("toolName")
    target = calls.target_of(name, _given(one), one.cwd)
    return {"tool": calls.tool_of(name), "call": one.text("toolCallId"), "target": target}


def _given(one: _Message) -> dict[str, Any]:
    given = one.event.get("input")
    return given if isinstance(given, dict) else {}


def _calling(one: _Message) -> Heard:
    about = _call(one)
    if about["tool"] not in action.CHANGES:
        return Heard()
    change = calls.change_of(one.text("toolName"), _given(one))
    return Heard((one.said(EventType.TOOL_STARTING, **about, text=change),), Moment.BEFORE_ACTION)


def _called(one: _Message) -> Heard:
    if one.text("toolName") in own.NAMES:
        return Heard()
    if one.event.get("isError"):
        return _failed(one)
    text = calls.outcome_of(one.text("toolName"), _given(one), without_ours(one.text("text")))
    done = one.said(EventType.TOOL_FINISHED, **_call(one), text=text)
    if not (skill := one.text("skill")):
        return Heard((done,))
    intent = str(_given(one).get("intent") or "")
    about = {"tool": action.SKILL, "call": one.text("toolCallId"), "target": skill, "text": intent}
    return Heard((done, one.said(EventType.SKILL_LOADED, **about)), Moment.SKILL)


def _failed(one: _Message) -> Heard:
    said = without_ours(one.text("text"))
    stopped = calls.is_stopped(said)
    error, status = calls.failure_of(said)
    event = one.said(EventType.TOOL_FAILED, **_call(one), error=error, exit_status=None if stopped else status)
    return Heard((event,), None if stopped else Moment.AFTER_FAILURE)


def _compacting(one: _Message) -> Heard:
    return Heard((one.said(EventType.COMPACTING, text=one.text("reason")),))


def _compacted(one: _Message) -> Heard:
    summed_up = one.said(EventType.COMPACTED, text=without_ours(one.text("summary")))
    return Heard((summed_up, one.said(EventType.SESSION_STARTED, text="compact")), Moment.AFTER_COMPACTION)


def _turn_ended(one: _Message) -> Heard:
    """A run that broke off is tried again, or gone on with: it has not ended."""
    if one.text("stopReason") not in _ENDED:
        return Heard()
    return Heard((one.said(EventType.TURN_ENDED, text=without_ours(one.text("text"))),))


def _left(one: _Message) -> Heard:
    """Reloading extensions ends nothing."""
    if one.text("reason") == "reload":
        return Heard()
    return Heard((one.said(EventType.SESSION_ENDED, text=_STARTS.get(one.text("reason"), one.text("reason"))),))


_PARSERS: dict[str, Callable[[_Message], Heard]] = {
    "session_start": _started,
    "session_tree": _moved,
    "before_agent_start": _prompted,
    "skill_expanded": _expanded,
    "message_end": _put_in,
    "tool_call": _calling,
    "tool_result": _called,
    "session_before_compact": _compacting,
    "session_compact": _compacted,
    "agent_end": _turn_ended,
    "session_shutdown": _left,
}
