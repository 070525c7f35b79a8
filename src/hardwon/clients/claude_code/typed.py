"""Who wrote the last prompts of a session of Claude Code, and what in them was pasted: read when an agent quotes them.

Both stand only in the client's own files: the author in the session's transcript, a paste that the terminal shows as
"[Pasted text #1]" in the history of what was typed. Their ends are enough, and they are only read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code.answers import origin_of, to_call
from hardwon.clients.speech import without_ours
from hardwon.regular_file import regular

TAIL = 3_000_000
"""Bytes of a file that are read."""


def authors(transcript: str) -> dict[str, str]:
    """By the client's id of a prompt: `typed` or `program`."""
    found: dict[str, str] = {}
    for record in _records(Path(transcript), b'"promptId"'):
        if record.get("type") == "user" and not record.get("isSidechain") and record.get("turnOrigin"):
            found.setdefault(str(record.get("promptId") or record.get("uuid")), origin_of(record))
    return found


def pasted(transcript: str, session: str) -> list[str]:
    """The texts that were pasted in this session, as far as the client tells."""
    parents = Path(transcript).parents
    if len(parents) < 3:
        return []
    found: list[str] = []
    for record in _records(parents[2] / "history.jsonl", b'"pastedContents"'):
        if record.get("sessionId") == session and isinstance(record.get("pastedContents"), dict):
            for one in record["pastedContents"].values():
                if isinstance(one, dict) and isinstance(one.get("content"), str):
                    found.append(one["content"])
    return found


def of_others(transcript: str, prompt: str, word: str = "") -> Iterator[tuple[bool, str]]:
    """The texts that this session held before a prompt and that no person wrote, and whether the agent did. With a word
    only lines that have it are read. What came with the prompt (a file by `@`) counts, what hardwon said does not."""
    before = True
    for record in _records(Path(transcript), word.encode()):
        if _is_prompt(record, prompt):
            before = False
        elif record.get("type") == "attachment":
            told = record.get("attachment")
            if isinstance(told, dict) and not str(told.get("type", "")).startswith("hook"):
                yield from ((False, text) for text in _strings(told))
        elif before and record.get("type") in ("user", "assistant"):
            yield from _of_message(record)


def _is_prompt(record: dict[str, Any], prompt: str) -> bool:
    return record.get("type") == "user" and record.get("promptId") == prompt and bool(record.get("turnOrigin"))


def _of_message(record: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    """What an agent said, what a call came back with, what the client put in."""
    content = (record.get("message") or {}).get("content")
    agent = record["type"] == "assistant"
    if isinstance(content, str):
        if record.get("isMeta") or record.get("isSidechain"):
            yield False, without_ours(content)
        return
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and (agent or _is_a_tools(record, block) or record.get("isMeta")):
            told = block.get("text") if agent else block
            yield from ((agent, without_ours(text)) for text in _strings(told))


def _is_a_tools(record: dict[str, Any], block: dict[str, Any]) -> bool:
    """A result, but for those that hold a person's own answer."""
    return block.get("type") == "tool_result" and to_call(record, block)[0] not in ("refused", "chosen", "hearsay")


def _strings(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict | list):
        for one in given.values() if isinstance(given, dict) else given:
            yield from _strings(one)


def _records(path: Path, sign: bytes) -> Iterator[dict[str, Any]]:
    try:
        with open(path, "rb", opener=regular) as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - TAIL))
            lines = file.read(TAIL).splitlines()
    except (OSError, ValueError):  # there is none yet
        return
    for line in lines:
        if sign in line:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record
