"""Who wrote the last prompts of a session of Claude Code, and what in them was pasted: read when an agent quotes them.

Both stand only in the client's own files: the author in the session's transcript, a paste that the terminal shows as
"[Pasted text #1]" in the history of what was typed. Their ends are enough, and they are only read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code.answers import origin_of
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
