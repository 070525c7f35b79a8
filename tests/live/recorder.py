"""Hooks that note everything a client tells them, and answer what a test wants."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("recording_hook.py")

EVENTS = [
    *("SessionStart", "UserPromptSubmit", "UserPromptExpansion"),
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
    *("SubagentStart", "SubagentStop", "PreCompact", "PostCompact"),
    *("Stop", "StopFailure", "SessionEnd"),
]


class Recorder:
    def __init__(self, file: Path) -> None:
        self.file = file

    def hook(self, reply: Mapping[str, Any] | None = None, *, delay: float = 0, **options: Any) -> dict[str, Any]:
        """One entry of a hooks list; options are those of the client: timeout, async."""
        answer = "" if reply is None else json.dumps(reply)
        command = ["-I", "-S", str(SCRIPT), str(self.file), answer, str(delay)]
        return {"hooks": [{"type": "command", "command": sys.executable, "args": command, **options}]}

    def hooks(self, replies: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
        """Settings that send every event here; those named are answered."""
        return {"hooks": {event: [self.hook((replies or {}).get(event))] for event in EVENTS}}

    def events(self, name: str | None = None) -> list[dict[str, Any]]:
        """What was sent so far, in order of arrival."""
        lines = self.file.read_bytes().splitlines() if self.file.exists() else []
        return [event for event in map(json.loads, lines) if name in (None, event["hook_event_name"])]

    def wait_for(self, name: str, count: int = 1, timeout: float = 20) -> list[dict[str, Any]]:
        """The same, when so many of this name are there."""
        until = time.monotonic() + timeout
        while len(found := self.events(name)) < count:
            assert time.monotonic() < until, f"no {count} {name} after {timeout} s, only {self.names()}"
            time.sleep(0.02)
        return found

    def names(self) -> list[str]:
        return [str(event["hook_event_name"]) for event in self.events()]


def context(event: str, text: str) -> dict[str, Any]:
    """The answer that puts a text before the model."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def deny(reason: str) -> dict[str, Any]:
    """The answer of PreToolUse that keeps a call from being made."""
    decision = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}
