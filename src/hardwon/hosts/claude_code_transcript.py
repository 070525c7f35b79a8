"""Claude Code's own record of a session, read for what its hooks missed.

Two kinds of lines matter: what the user said, and what calls came back with. Most of a file's bytes are the client's
bookkeeping (copies of whole requests, which hold our own words again); such lines are skipped without being parsed.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.event import Event, EventType
from hardwon.hosts.claude_code import NAME, call_target, exit_status, outcome_of, text_of
from hardwon.hosts.speech import own_words

_WANTED = (b'"type":"user"', b'"type":"assistant"', b'"type": "user"', b'"type": "assistant"')


def read(path: Path, offset: int = 0) -> tuple[list[Event], int]:
    """Events after `offset`, and where to go on next time; a half-written last line waits."""
    events: list[Event] = []
    calls: dict[str, dict[str, Any]] = {}
    with path.open("rb") as file:
        for line in file:
            start, end = file.tell() - len(line), file.tell()
            if not line.endswith(b"\n"):
                return events, start
            if not any(mark in line for mark in _WANTED):
                continue
            try:
                # Calls are read from the beginning: a result after the offset may belong to one before it.
                found = list(_events(json.loads(line), calls, str(path)))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue  # not a line that we know: it must not hide the others
            if end > offset:
                events += found
        return events, file.tell()


def _events(record: dict[str, Any], calls: dict[str, dict[str, Any]], path: str) -> Iterator[Event]:
    message = record.get("message")
    if not isinstance(message, dict) or not isinstance(record.get("sessionId"), str):
        return
    if record.get("isMeta") or record.get("isCompactSummary"):
        return
    content = message.get("content")
    if record.get("type") == "user" and isinstance(content, str):
        if record.get("turnOrigin") in ("human", "sdk") and (words := own_words(content)):
            yield _event(record, path, EventType.PROMPT_SUBMITTED, text=words)
        return
    for block in content if isinstance(content, list) else []:
        if block.get("type") == "tool_use":
            calls[block["id"]] = block
        elif block.get("type") == "tool_result" and block.get("tool_use_id") in calls:
            yield _outcome(record, path, block, calls[block["tool_use_id"]])


def _outcome(record: dict[str, Any], path: str, block: dict[str, Any], call: dict[str, Any]) -> Event:
    given = call.get("input") or {}
    about = {"tool": call["name"], "call": call["id"], "target": call_target(given)}
    said = text_of(block.get("content"))
    if block.get("is_error"):
        status = exit_status(said)
        return _event(record, path, EventType.TOOL_FAILED, **about, error=said, exit_status=status)
    text = outcome_of(call["name"], given, record.get("toolUseResult") or block.get("content"))
    return _event(record, path, EventType.TOOL_FINISHED, **about, text=text)


def _event(record: dict[str, Any], path: str, type_: EventType, **fields: Any) -> Event:
    return Event(
        type=type_,
        host=NAME,
        session=record["sessionId"],
        at=_milliseconds(record["timestamp"]),
        cwd=record.get("cwd") or "",
        agent=record.get("agentId") or "",
        prompt=record.get("promptId") or "",
        transcript=path,
        **fields,
    )


def _milliseconds(timestamp: str) -> int:
    return int(datetime.datetime.fromisoformat(timestamp).timestamp() * 1000)
