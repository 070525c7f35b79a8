"""Transcripts as the client writes them: a file, and the two lines of a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def transcript(path: Path, session: str, folder: Path, *records: dict[str, Any]) -> None:
    """Lines as the client writes them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, record in enumerate(records):
        at = f"2026-11-15T08:59:{number:02}.000Z"
        common = {"sessionId": session, "cwd": str(folder), "timestamp": at, "isSidechain": False}
        lines.append(json.dumps(common | record, separators=(",", ":")))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def call(id: str, tool: str, given: dict[str, Any], result: str, *, wrong: bool = False) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": id, "name": tool, "input": given}
    back = {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": wrong}
    structured = f"Error: {result}" if wrong else {"stdout": result, "stderr": ""}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
        {"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": structured},
    ]
