"""A client's log read in full: each call with its beginning, each result as the model saw it, each end of a turn.

What `hardwon learn` reads is a part of it, and read by the same code.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code import messages as claude_code
from hardwon.clients.claude_code import transcript as claude_code_transcript
from hardwon.clients.claude_code.messages import call_target, outcome_of, skill_of, text_of
from hardwon.clients.codex import messages as codex
from hardwon.clients.codex import transcript as codex_transcript
from hardwon.clients.log_lines import LONGEST, lines
from hardwon.clients.past_sessions import Log
from hardwon.clients.reading import milliseconds
from hardwon.event import Event, EventType
from hardwon.regular_file import regular
from hardwon.rehearsal.opportunities.happening import Happening, What

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ATTACHED = (
    b'"nested_memory"',
    b'"type":"file"',
    b'"skill_listing"',
    b'"queued_command"',
    b'"hook_additional_context"',
)
_SPOKE = (b"<hardwon", b"<skill-memory")
_REFUSED = re.compile(r"The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user")
_WORDS = re.compile(r"the user said:\s*(.*?)(?:\n\nNote: The user's next message|\Z)", re.DOTALL)
_INPUT = 20_000
"""Characters of a call's arguments that are looked at."""


@dataclass(frozen=True, slots=True)
class Told:
    """One happening, with the event that a hook or the client's log tells of it; and the record's own id."""

    happening: Happening
    event: Event | None = None
    id: str = ""
    host: str = ""
    cwd: str = ""


@dataclass(slots=True)
class Found:
    """What a log was like."""

    read: int = 0
    """Bytes so far."""
    torn: bool = False
    """Its last line has no end: it was being written, or broke off."""
    strange: int = 0
    """Lines that could not be understood."""
    compacted: int = 0
    spoke: bool = False
    """The program had spoken in it already."""


def session_of(log: Log) -> str:
    """The name by which a session is told from others: its file's, where that is an id."""
    return log.path.stem if _UUID.search(log.path.stem) else ""


def read(log: Log, path: Path, found: Found) -> Iterator[Told]:
    """One file of a log, in the order in which it was written."""
    if log.client == claude_code.NAME:
        yield from _ClaudeCode(path, session_of(log)).told(found)
    elif log.client == codex.NAME:
        yield from _codex(path, found)


def _rest(path: Path, end: int) -> bytes:
    """What stands behind the end of the last line: a line that is being written, broke off, or only lacks its end."""
    with open(path, "rb", opener=regular) as file:
        file.seek(end)
        return file.read(LONGEST)


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


class _ClaudeCode(claude_code_transcript.Reading):
    """The reader of `hardwon learn`, told to keep what it passes over."""

    def __init__(self, path: Path, session: str) -> None:
        super().__init__(path)
        self._named = session
        self._new: list[Told] = []
        self._last: Told | None = None
        """What the agent said, while it is not known whether its turn ended with it."""
        self._open: dict[str, Told] = {}

    def told(self, found: Found) -> Iterator[Told]:
        end = 0
        for end, line in lines(self.path):
            self._read_line(line, found)
            found.read = end
            yield from self._new
            self._new.clear()
        rest = _rest(self.path, end)
        if _is_whole(rest):
            self._read_line(rest, found)
            yield from self._new
        else:
            found.torn = bool(rest)
        if self._last:
            yield self._last

    def _read_line(self, line: bytes, found: Found) -> None:
        if any(mark in line for mark in _SPOKE) and (b'"attachment"' in line[:400] or b'"hook' in line[:2_000]):
            found.spoke = True
        wanted = any(mark in line for mark in _ATTACHED) or b'"compact_boundary"' in line
        if not wanted and claude_code_transcript.is_bookkeeping(line):
            return
        try:
            record = json.loads(line)
            self._take(record, found)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            found.strange += bool(line.strip())

    def _take(self, record: dict[str, Any], found: Found) -> None:
        if not isinstance(record, dict) or "timestamp" not in record:
            return
        if record.get("type") == "attachment" or record.get("isMeta"):
            self._add(record, What.READ, _attached(record))
        elif record.get("isCompactSummary"):
            found.compacted += 1
            self._add(record, What.COMPACTED, _content(record))
        elif isinstance(record.get("message"), dict):
            self._converse(record)

    def _converse(self, record: dict[str, Any]) -> None:
        content = record["message"].get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        events = list(self._of_record(record))
        outcomes = {event.call: event for event in events if event.call}
        prompt = next((event for event in events if event.type is EventType.PROMPT_SUBMITTED), None)
        for block in blocks:
            kind = block.get("type")
            if kind == "tool_use":
                self._calls_begun(record, block)
            elif kind == "tool_result" and (event := outcomes.get(block["tool_use_id"])):
                self._outcome_seen(record, block, event)
            elif kind == "text" and record.get("type") == "assistant":
                self._spoken(record, block["text"])
        if record.get("type") == "user" and not outcomes:
            self._user(record, content, prompt)

    def _user(self, record: dict[str, Any], content: Any, prompt: Event | None) -> None:
        """What a person typed, or what the client put in their place."""
        text = text_of(content) if isinstance(content, list) else str(content or "")
        if prompt is None:
            if not text.startswith("[Request interrupted"):
                self._add(record, What.READ, text)
            return
        if self._last:
            self._new.append(self._last)
            self._last = None
        self._add(record, What.PROMPT, prompt.text, prompt)

    def _calls_begun(self, record: dict[str, Any], block: dict[str, Any]) -> None:
        self._last = None
        given = block.get("input") or {}
        change = outcome_of(block["name"], given, None) if block["name"] in claude_code.FILE_TOOLS else ""
        fields = {"tool": block["name"], "call": block["id"], "target": call_target(given)}
        event = self._event(record, EventType.TOOL_STARTING, text=change, **fields)
        said = "\n".join(_texts(given))[:_INPUT]
        self._add(record, What.CALL, said, event, id=block["id"])
        self._open[block["id"]] = self._new[-1]
        while len(self._open) > claude_code_transcript.MOST_OPEN:
            self._open.pop(next(iter(self._open)))

    def _outcome_seen(self, record: dict[str, Any], block: dict[str, Any], event: Event) -> None:
        said = text_of(block.get("content"))
        self._open.pop(event.call, None)
        if event.type is EventType.TOOL_FINISHED:
            self._add(record, What.PASSED, said, event, id=event.call)
            if loaded := _skill(event):
                self._new.append(dataclasses.replace(self._new[-1], event=loaded, id=f"{event.call}:skill"))
        elif _REFUSED.search(said[:2_000]):
            words = _WORDS.search(said)
            self._add(record, What.REFUSED, words[1].strip() if words else "", event, id=event.call)
        else:
            self._add(record, What.FAILED, said, event, id=event.call)

    def _spoken(self, record: dict[str, Any], text: str) -> None:
        if not text.strip():
            return
        self._add(record, What.SAID, text)
        ended = self._event(record, EventType.TURN_ENDED, text=text)
        self._last = self._told(record, What.TURN_ENDED, "", ended, f"{record.get('uuid', '')}:end")

    def _add(self, record: dict[str, Any], what: What, text: str, event: Event | None = None, id: str = "") -> None:
        if text or event:
            self._new.append(self._told(record, what, text, event, id or str(record.get("uuid") or "")))

    def _told(self, record: dict[str, Any], what: What, text: str, event: Event | None, id: str) -> Told:
        session = self._named or str(record.get("sessionId") or "")
        if event:
            event = dataclasses.replace(event, session=session)
        agent = str(record.get("agentId") or ("sidechain" if record.get("isSidechain") else ""))
        call, tool, target = (event.call, event.tool, event.target) if event else ("", "", "")
        at = milliseconds(record["timestamp"])
        one = Happening(what, session, at, agent=agent, call=call, tool=tool, target=target, text=text)
        return Told(one, event, f"{what}:{id}" if id else "", claude_code.NAME, str(record.get("cwd") or ""))


def _skill(event: Event) -> Event | None:
    """That a skill was loaded with this call."""
    named = skill_of(event.tool, {"skill": event.target, "file_path": event.target})
    if named is None:
        return None
    return dataclasses.replace(event, type=EventType.SKILL_LOADED, target=named[0], text=named[1])


def _content(record: dict[str, Any]) -> str:
    content = record["message"].get("content")
    return text_of(content) if isinstance(content, list) else str(content or "")


def _attached(record: dict[str, Any]) -> str:
    if isinstance(record.get("message"), dict):
        return _content(record)
    return "\n".join(_texts(record.get("attachment")))[:200_000]


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 6:
        for each in value.values():
            yield from _texts(each, depth + 1)
    elif isinstance(value, list) and depth < 6:
        for each in value:
            yield from _texts(each, depth + 1)


_CODEX = {
    EventType.PROMPT_SUBMITTED: What.PROMPT,
    EventType.TOOL_FINISHED: What.PASSED,
    EventType.TOOL_FAILED: What.FAILED,
    EventType.TURN_ENDED: What.TURN_ENDED,
}


def _codex(path: Path, found: Found) -> Iterator[Told]:
    """A rollout: its calls are known by their ends."""
    reading = codex_transcript.Reading(path)
    for events in reading.portions():
        found.read = reading.end
        for event in events:
            what = _CODEX[event.type]
            one = Happening(what, event.session, event.at, agent=event.agent, call=event.call, tool=event.tool,
                            target=event.target, text=event.text or event.error)  # fmt: skip
            if one.is_outcome:
                begun = dataclasses.replace(event, type=EventType.TOOL_STARTING, text="", error="", exit_status=None)
                call = dataclasses.replace(one, what=What.CALL, text="")
                yield Told(call, begun, f"call:{event.call}", event.host, event.cwd)
            if what is What.TURN_ENDED:
                yield Told(dataclasses.replace(one, what=What.SAID), None, "", event.host, event.cwd)
                one = dataclasses.replace(one, text="")
            id = f"{what}:{event.call or event.prompt}" if event.call or event.prompt else ""
            yield Told(one, event, id, event.host, event.cwd)
    rest = _rest(path, reading.end)
    found.torn = bool(rest) and not _is_whole(rest)
