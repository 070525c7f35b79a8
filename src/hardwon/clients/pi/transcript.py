"""Pi's own record of a session: `~/.pi/agent/sessions/--FOLDER--/TIME_ID.jsonl`.

The lines are a tree: each names the one that it follows, and a person can go back to any of them and on from there. All
of it happened, so all of it is read, in the order in which it was written. A forked session's file begins with copies
of what was before it; they are older than its first line, and are its parent's to tell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardwon.clients import reading
from hardwon.clients.logs import Logs
from hardwon.clients.pi import calls, own, prompts
from hardwon.clients.pi.messages import NAME
from hardwon.clients.reading import milliseconds
from hardwon.clients.speech import without_ours
from hardwon.event import Event, EventType
from hardwon.regular_file import status

_WANTED = re.compile(rb'"type":\s?"(?:session|message)"')
_HEAD = 240
MOST_OPEN = 500
MOST_ENTRIES = 100_000
"""Of which it is known what they follow: beyond that, a prompt may be kept twice."""


class Reading(reading.Reading):
    """One file that grows."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._forget()

    def _forget(self) -> None:
        self.end = 0
        self._session = self._cwd = ""
        self._began = 0
        self._calls: dict[str, dict[str, Any]] = {}
        """Calls without a result so far."""
        self._spoken: dict[str, str] = {}
        """By entry: the last one on its branch in which somebody spoke or a call came back."""
        self._prompts: dict[str, str] = {}
        """By entry: the prompt that its branch is at."""

    def _events(self, line: bytes) -> Sequence[Event]:
        try:
            record = json.loads(line)
            self._follow(record)
            if not _WANTED.search(line, 0, _HEAD):
                return ()
            return [event for event in self._of_record(record) if event.session]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return ()  # not a line that we know: it must not hide the others

    def _follow(self, record: dict[str, Any]) -> None:
        """What an entry takes over from the one before it."""
        if not isinstance(record.get("id"), str) or record.get("type") == "session":
            return
        before = str(record.get("parentId") or "")
        self._spoken[record["id"]] = self._spoken.get(before, "")
        self._prompts[record["id"]] = self._prompts.get(before, "")
        if len(self._spoken) > MOST_ENTRIES:
            for known in (self._spoken, self._prompts):
                known.pop(next(iter(known)))

    def _of_record(self, record: dict[str, Any]) -> Iterator[Event]:
        at = milliseconds(record["timestamp"])
        if record["type"] == "session":
            self._session, self._cwd, self._began = str(record["id"]), str(record.get("cwd") or ""), at
            return
        message = record["message"]
        events = list(self._of_message(record["id"], message, at))
        if message.get("role") in ("user", "assistant", "toolResult"):
            self._spoken[record["id"]] = record["id"]
        if at >= self._began:
            yield from events

    def _of_message(self, id: str, message: dict[str, Any], at: int) -> Iterator[Event]:
        match message.get("role"):
            case "user":
                text = calls.text_of(message.get("content"))
                self._prompts[id] = prompts.id_of(self._spoken[id], text)
                if words := prompts.typed_in(text):
                    yield self._event(EventType.PROMPT_SUBMITTED, id, at, text=words)
            case "assistant":
                yield from self._spoke(id, message, at)
            case "toolResult":
                call = self._calls.pop(message["toolCallId"], None)
                if call and message["toolName"] not in own.NAMES:
                    yield self._outcome(id, message, call.get("arguments") or {}, at)

    def _spoke(self, id: str, message: dict[str, Any], at: int) -> Iterator[Event]:
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "toolCall":
                self._calls[block["id"]] = block
                while len(self._calls) > MOST_OPEN:
                    self._calls.pop(next(iter(self._calls)))
        text = without_ours(calls.text_of(content))
        if message.get("stopReason") in ("stop", "length"):
            yield self._event(EventType.TURN_ENDED, id, at, text=text)
        elif text.strip():
            yield self._event(EventType.SPOKE, id, at, text=text)

    def _outcome(self, id: str, message: dict[str, Any], given: dict[str, Any], at: int) -> Event:
        name, said = str(message["toolName"]), without_ours(calls.text_of(message.get("content")))
        target = calls.target_of(name, given, self._cwd)
        about = {"tool": calls.tool_of(name), "call": message["toolCallId"], "target": target}
        if not message.get("isError"):
            return self._event(EventType.TOOL_FINISHED, id, at, **about, text=calls.outcome_of(name, given, said))
        error, exit_status = calls.failure_of(said)
        known = None if calls.is_stopped(said) else exit_status
        return self._event(EventType.TOOL_FAILED, id, at, **about, error=error, exit_status=known)

    def _event(self, type_: EventType, id: str, at: int, **fields: Any) -> Event:
        return Event(type=type_, host=NAME, session=self._session, at=at, cwd=self._cwd, prompt=self._prompts[id],
                     transcript=str(self.path), **fields)  # fmt: skip


class PiLogs(Logs):
    """A folder for each project; other agents are sessions of their own."""

    def open(self, path: Path) -> Reading:
        return Reading(path)

    def is_one(self, beginning: bytes) -> bool:
        return beginning.lstrip().startswith(b"{") and _SESSION.match(beginning.lstrip()) is not None

    def folder(self, environ: Mapping[str, str], user: Path) -> Path:
        return Path(environ.get("PI_CODING_AGENT_DIR") or user / ".pi" / "agent").absolute() / "sessions"

    def of_same_project(self, path: Path) -> list[Path]:
        return [one for one in path.parent.glob("*.jsonl") if status(one)]


_SESSION = re.compile(rb'\{"type":\s?"session",\s?"version":\s?\d+,\s?"id":')
LOGS = PiLogs()
