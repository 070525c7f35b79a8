"""Sessions as clients write them down, made up for a test: short, and with the ids that the test names."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

START = datetime.datetime(2026, 11, 15, 8)


def claude(path: Path, session: str, folder: Path | str, *records: dict[str, Any]) -> Path:
    """A transcript of Claude Code; every record a second later than the one before it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(claude_lines(session, folder, *records)), "utf-8")
    return path


def claude_lines(session: str, folder: Path | str, *records: dict[str, Any]) -> list[str]:
    lines = []
    for number, record in enumerate(records):
        at = (START + datetime.timedelta(seconds=number)).isoformat() + ".000Z"
        common = {"parentUuid": None, "isSidechain": False, "sessionId": session, "cwd": str(folder), "timestamp": at}
        lines.append(json.dumps(common | record, separators=(",", ":")) + "\n")
    return lines


def said(words: Any, prompt: str) -> dict[str, Any]:
    return {"type": "user", "message": {"content": words}, "turnOrigin": "human", "promptId": prompt}


def spoke(words: str, stop: str) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": words}], "stop_reason": stop}}


def called(id: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    use = {"type": "tool_use", "id": id, "name": tool, "input": given}
    return {"type": "assistant", "message": {"role": "assistant", "content": [use]}}


def answered(id: str, result: str, *, wrong: bool = False) -> dict[str, Any]:
    back = {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": wrong}
    structured = f"Error: {result}" if wrong else {"stdout": result, "stderr": ""}
    return {"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": structured}


def call(id: str, tool: str, given: dict[str, Any], result: str, *, wrong: bool = False) -> list[dict[str, Any]]:
    return [called(id, tool, given), answered(id, result, wrong=wrong)]


def failed(id: str, command: str, error: str) -> list[dict[str, Any]]:
    return call(id, "Bash", {"command": command}, f"Exit code 1\n{error}", wrong=True)


def passed(id: str, command: str, output: str = "ok") -> list[dict[str, Any]]:
    return call(id, "Bash", {"command": command}, output)


def edited(id: str, file: str, old: str, new: str) -> list[dict[str, Any]]:
    return call(id, "Edit", {"file_path": file, "old_string": old, "new_string": new}, "updated")


def mended(mark: str, package: str = "parser") -> list[dict[str, Any]]:
    """A test fails, an edit of the configuration that it misses, the test passes; ids begin with the mark."""
    command = f"pytest tests/test_{package}.py"
    error = (
        f"Traceback (most recent call last):\n  File \"src/{package}.py\", line 7, in load\nKeyError: '{package}_id'"
    )
    return [
        *failed(f"toolu_{mark}_0123456789_failed", command, error),
        *edited(f"toolu_{mark}_0123456789_edited", f"config/{package}.toml", "id = 1", f"{package}_id = 1"),
        *passed(f"toolu_{mark}_0123456789_passed", command, "1 passed"),
    ]  # fmt: skip
