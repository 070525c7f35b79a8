"""What the real Claude Code sent and wrote, recorded from 2.1.325; its paths were made neutral."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("claude_code")
PAYLOADS = {path.stem: path for path in sorted((FOLDER / "payloads").glob("*.json"))}
TOOLS = FOLDER / "transcripts" / "tools-errors-skill-subagent.jsonl"
"""Calls that passed, failed and were rejected, a skill, a sub-agent."""
SUBAGENT = FOLDER / "transcripts" / TOOLS.stem / "subagents" / "agent-a95580ec862761da2.jsonl"
CORRECTION = FOLDER / "transcripts" / "correction-resume-compact.jsonl"
"""A failure, a correction by the user, a resumed session, a compaction."""


def payload(name: str, **changed: Any) -> dict[str, Any]:
    """A recorded message, with other values where a test needs them; None takes a field away."""
    recorded: dict[str, Any] = json.loads(PAYLOADS[name].read_text("utf-8"))
    return {key: value for key, value in (recorded | changed).items() if value is not None}


def event_name(name: str) -> str:
    """`PostToolUse` of `PostToolUse-Bash-subagent`."""
    return name.partition("-")[0]
