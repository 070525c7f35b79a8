"""Claude Code's own record of a session, read for what its hooks missed and for what was before them.

Three kinds of lines matter: what the user said, what calls came back with, and what the agent said last. Most of a
file's bytes are the client's bookkeeping (copies of whole requests, which hold our own words again); such lines are
known by their first bytes and skipped without being parsed. A resumed session goes on in its file; a forked one has a
file that repeats its parent's lines, with the same ids; a sub-agent has a file of its own below its session's.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardwon.clients import reading
from hardwon.clients.claude_code import answers
from hardwon.clients.claude_code.answers import origin_of
from hardwon.clients.claude_code.messages import FILE_TOOLS, NAME, call_target, exit_status, outcome_of, text_of
from hardwon.clients.log_lines import lines
from hardwon.clients.logs import Logs
from hardwon.clients.reading import milliseconds
from hardwon.clients.speech import own_words
from hardwon.event import IN_BACKGROUND, Event, EventType
from hardwon.regular_file import regular, status

_WANTED = re.compile(rb'"type": ?"(?:user|assistant)"')
_BEGINS = (b'{"type":"', b'{"type": "')
_HEAD = 240
"""Bytes in which a line of the conversation says what it is; `attachment` stands there, too."""
MOST_OPEN = 500
"""Calls without a result: after an interruption it never comes."""
_MOST_META = 100_000
"""Bytes of what is written about a sub-agent."""
_STOPPED = "[Request interrupted by user"
_NOTICE = re.compile(
    r"<task-notification>.{0,600}?<tool-use-id>(?P<call>[\w-]{1,80})</tool-use-id>"
    r".{0,600}?<status>(?P<status>\w{1,20})</status>",
    re.DOTALL,
)
"""What the client says when a command in the background has ended."""
_FAILED = re.compile(r"(?i)\bfailed\b|exit code [1-9]|was (?:killed|stopped)")


def is_bookkeeping(line: bytes) -> bool:
    """Whether a line can have nothing that matters; asked of every line, so it must cost next to nothing."""
    if line.startswith(_BEGINS):
        return _WANTED.match(line, 1) is None
    if _WANTED.search(line, 0, _HEAD):
        return False
    return b'"attachment"' in line[:_HEAD] or _WANTED.search(line) is None


_decode = json.JSONDecoder().decode


def _parsed(line: bytes) -> Any:
    """`json.loads` asks first in which encoding it is; where it begins as all do, that is known."""
    return _decode(line.decode("utf-8", "surrogatepass")) if line.startswith(b'{"') else json.loads(line)


class Reading(reading.Reading):
    """One file that grows: what was called in it, and how far it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._session_file = _session_file(path)
        self._called_so = _called_so(path)
        self._forget()

    def _forget(self) -> None:
        self.end = 0
        self._unread = 0
        """Bytes at the beginning that were passed over, because an earlier reading had them."""
        self._calls: dict[str, dict[str, Any]] = {}
        """Calls without a result so far: it may come in a later reading."""
        self._started: dict[str, dict[str, Any]] = {}
        """Commands in the background whose end the client has not told of."""
        self._prompt = ""
        """The user's last one; older clients don't name it in the lines that follow."""
        self._said: Event | None = None
        """What the agent said last, while it is not known whether its turn ended with it."""
        self._origins = False
        """Whether this client says who wrote a prompt."""

    def _go_to(self, offset: int) -> None:
        if not self.end and self.path.stat().st_size >= offset:
            self.end = self._unread = offset

    def _events(self, line: bytes) -> Sequence[Event]:
        if is_bookkeeping(line):
            return ()
        try:
            return list(self._of_record(_parsed(line)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return ()  # not a line that we know: it must not hide the others

    def _of_record(self, record: dict[str, Any]) -> Iterator[Event]:
        message = record.get("message")
        if not isinstance(message, dict) or not isinstance(record.get("sessionId"), str):
            return
        if record.get("isMeta") or record.get("isCompactSummary") or record.get("isApiErrorMessage"):
            return
        content = message.get("content")
        if record.get("type") == "user":
            yield from self._ended(record, content)
            yield from self._prompted(record, content)
        for block in content if isinstance(content, list) else []:
            kind = block.get("type")
            if kind == "tool_use":
                _remember(self._calls, block)
            elif kind == "tool_result" and (call := self._called(block["tool_use_id"])):
                yield self._outcome(record, block, call)
                yield from self._answered(record, block, call)
            elif kind == "text" and record.get("type") == "assistant":
                yield from self._spoke(record, message, block)

    def _ended(self, record: dict[str, Any], content: Any) -> Iterator[Event]:
        """A command in the background that came to a good end: the client's own notice is the truth of it."""
        if not isinstance(content, str) or not (notice := _NOTICE.match(content.strip())):
            return
        call = self._started.pop(notice["call"], None)
        if call and notice["status"] == "completed" and not _FAILED.search(content):
            about = {"tool": "Bash", "call": f"{call['id']}:ended", "target": call_target(call.get("input") or {})}
            yield self._event(record, EventType.TOOL_FINISHED, **about, text="it has ended in the background")

    def _prompted(self, record: dict[str, Any], content: Any) -> Iterator[Event]:
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if not self._is_persons(record) or any(block.get("type") == "tool_result" for block in blocks):
            return
        words = own_words("\n".join(block["text"] for block in blocks if block.get("type") == "text"))
        if not words:
            return
        if self._said:  # an older client does not say when a turn has ended
            yield self._said
        self._said = None
        self._prompt = record.get("promptId") or record.get("uuid") or ""
        yield self._event(record, EventType.PROMPT_SUBMITTED, text=words, origin=origin_of(record))

    def _is_persons(self, record: dict[str, Any]) -> bool:
        """Newer clients say so. Of older ones all that is neither a sub-agent's task nor marked as the client's own."""
        origin = record.get("turnOrigin")
        if origin is not None or "promptSource" in record:
            self._origins = True
            return origin in ("human", "sdk")
        older = not self._origins and "promptId" not in record and not record.get("isSidechain")
        return older and record.get("userType") == "external"

    def _spoke(self, record: dict[str, Any], message: dict[str, Any], block: dict[str, Any]) -> Iterator[Event]:
        if self._unread and not (self._prompt or record.get("promptId")):
            self._look_back()
        if not block["text"].strip():
            return
        event = self._event(record, EventType.TURN_ENDED, tool=self._called_so, text=block["text"])
        ended = message.get("stop_reason") == "end_turn"
        self._said = None if ended or event.agent else event
        if ended:
            yield event
        elif not event.agent:
            yield dataclasses.replace(event, type=EventType.SPOKE)

    def _called(self, id: str) -> dict[str, Any] | None:
        if id not in self._calls and self._unread:
            self._look_back()
        return self._calls.pop(id, None)

    def _look_back(self) -> None:
        """What a reading from the beginning would know at the place where this one began; looked for when it is due."""
        before = Reading(self.path)
        for end, line in lines(self.path):
            if end > self._unread:
                break
            before._events(line)
        self._calls = before._calls | self._calls
        self._started = before._started | self._started
        self._prompt = self._prompt or before._prompt
        self._origins = self._origins or before._origins
        self._unread = 0

    def _outcome(self, record: dict[str, Any], block: dict[str, Any], call: dict[str, Any]) -> Event:
        self._prompt = record.get("promptId") or self._prompt
        given = call.get("input") or {}
        about = {"tool": call["name"], "call": call["id"], "target": call_target(given, call["name"])}
        said = text_of(block.get("content"))
        result = record.get("toolUseResult")
        if block.get("is_error") or (isinstance(result, dict) and result.get("interrupted")):
            # Esc is no failure of the command, whatever the signal that ended it.
            stopped = _STOPPED in said or (isinstance(result, dict) and result.get("interrupted"))
            status = None if stopped else exit_status(said)
            return self._event(record, EventType.TOOL_FAILED, **about, error=said, exit_status=status)
        text = outcome_of(call["name"], given, result or block.get("content"))
        if call["name"] == "Bash" and text.startswith(IN_BACKGROUND):
            _remember(self._started, call)
        return self._event(record, EventType.TOOL_FINISHED, **about, text=text)

    def _answered(self, record: dict[str, Any], block: dict[str, Any], call: dict[str, Any]) -> Iterator[Event]:
        """What the person at the terminal said to this call."""
        answer, words = answers.to_call(record, block)
        if answer:
            given = call.get("input") or {}
            would = outcome_of(call["name"], given, None) if call["name"] in FILE_TOOLS else ""
            target = call_target(given) or answers.about(call["name"], given)
            about = {"tool": call["name"], "call": call["id"], "target": target}
            yield self._event(record, EventType.CALL_ANSWERED, **about, text=words, error=would, origin=answer)

    def _event(self, record: dict[str, Any], type_: EventType, **fields: Any) -> Event:
        return Event(
            type=type_,
            host=NAME,
            session=record["sessionId"],
            at=milliseconds(record["timestamp"]),
            cwd=record.get("cwd") or "",
            agent=record.get("agentId") or ("sidechain" if record.get("isSidechain") else ""),
            prompt=record.get("promptId") or self._prompt,
            transcript=self._session_file,
            branch=_branch(record),
            **fields,
        )


def _branch(record: dict[str, Any]) -> str:
    """The client writes `HEAD` where there is none."""
    found = record.get("gitBranch")
    return found if isinstance(found, str) and found != "HEAD" else ""


def _remember(calls: dict[str, dict[str, Any]], block: dict[str, Any]) -> None:
    calls[block["id"]] = block
    while len(calls) > MOST_OPEN:
        calls.pop(next(iter(calls)))


def read(path: Path, offset: int = 0) -> tuple[list[Event], int]:
    """Events after `offset`, and where to go on next time."""
    one = Reading(path)
    return one.after(offset), one.end


def _called_so(path: Path) -> str:
    """What a sub-agent is called: that stands in a file beside its own."""
    if path.parent.name != "subagents":
        return ""
    try:
        with open(path.with_suffix(".meta.json"), "rb", opener=regular) as file:
            return str(json.loads(file.read(_MOST_META)).get("agentType") or "")
    except (OSError, ValueError, AttributeError, RecursionError):  # an older client writes none
        return ""


def _session_file(path: Path) -> str:
    """A sub-agent's file lies below its session's."""
    return str(path.parents[1].with_suffix(".jsonl") if path.parent.name == "subagents" else path)


class ClaudeCodeLogs(Logs):
    def open(self, path: Path) -> Reading:
        return Reading(path)

    def is_one(self, beginning: bytes) -> bool:
        return beginning.lstrip().startswith(b"{") and _SESSION.search(beginning) is not None

    def folder(self, environ: Mapping[str, str], user: Path) -> Path:
        return Path(environ.get("CLAUDE_CONFIG_DIR") or user / ".claude").absolute() / "projects"

    def parts(self, path: Path) -> list[Path]:
        return sorted(file for file in path.with_suffix("").glob("subagents/*.jsonl") if status(file))

    def is_part(self, path: Path) -> bool:
        return path.parent.name == "subagents" and path.parents[1].with_suffix(".jsonl").is_file()

    def of_same_project(self, path: Path) -> list[Path]:
        """The client has a folder for each project."""
        return list(path.parent.glob("*.jsonl")) if path.parent.is_dir() else []

    def settings(self, transcript: str) -> str:
        """`<settings>/projects/<folder>/<session>.jsonl`."""
        return str(Path(transcript).parents[2]) if transcript.count("/") > 2 else ""


_SESSION = re.compile(rb'(?<!\\)"sessionId":\s?"')
LOGS = ClaudeCodeLogs()
