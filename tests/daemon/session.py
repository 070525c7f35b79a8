"""One session of Claude Code as its hooks tell of it: the recorded messages with other words in them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from tests.clients.recorded import event_name, payload
from tests.daemon.running import Daemon


@dataclass
class Session:
    daemon: Daemon
    id: str = "s1"
    agent: str = ""
    """A sub-agent's id; it shares the session."""
    cwd: str = ""
    transcript: str = ""
    calls: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    prompts: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    prompt_id: str = ""

    def message(self, name: str, **fields: Any) -> dict[str, Any]:
        """A recorded message as this session would send it."""
        own: dict[str, Any] = {
            "session_id": self.id,
            "cwd": self.cwd or str(self.daemon.folder),
            "transcript_path": self.transcript or f"{self.daemon.folder.parent}/projects/p/{self.id}.jsonl",
            "prompt_id": self.prompt_id or None,
        }
        if self.agent:
            own |= {"agent_id": self.agent, "agent_type": "general-purpose"}
        return payload(name, **own | fields)

    def send(self, name: str, **fields: Any) -> dict[str, Any]:
        return self.daemon.send(event_name(name), self.message(name, **fields))

    def says(self, name: str, **fields: Any) -> str:
        """What the model is told, empty when nothing."""
        answer = self.send(name, **fields)
        assert "permissionDecision" not in answer, answer
        return str(answer.get("additionalContext", ""))

    def next_call(self) -> str:
        return f"toolu_{self.id}{self.agent}{next(self.calls):06}"

    def start(self, source: str = "startup") -> str:
        return self.says(f"SessionStart-{source}")

    def prompt(self, text: str) -> str:
        self.prompt_id = f"prompt-{self.id}-{next(self.prompts)}"
        return self.says("UserPromptSubmit", prompt=text)

    def before(self, command: str) -> dict[str, Any]:
        return self.send("PreToolUse-Bash", tool_input={"command": command}, tool_use_id=self.next_call())

    def before_edit(self, file: str, old: str = "a", new: str = "b") -> dict[str, Any]:
        given = {"file_path": file, "old_string": old, "new_string": new}
        return self.send("PreToolUse-Edit", tool_input=given, tool_use_id=self.next_call())

    def failed(self, command: str, error: str, call: str = "") -> str:
        given = {"command": command}
        return self.says("PostToolUseFailure-Bash", tool_input=given, error=error, tool_use_id=call or self.next_call())

    def passed(self, command: str, stdout: str = "ok", call: str = "") -> str:
        response = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}
        given = {"command": command}
        call = call or self.next_call()
        return self.says("PostToolUse-Bash", tool_input=given, tool_response=response, tool_use_id=call)

    def edited(self, file: str, old: str = "a", new: str = "b") -> str:
        given = {"file_path": file, "old_string": old, "new_string": new}
        return self.says("PostToolUse-Edit", tool_input=given, tool_use_id=self.next_call())

    def batch(self, *calls: tuple[str, str, dict[str, Any], Any]) -> str:
        """(call, tool, input, what the model was told) of each."""
        told = [
            {"tool_use_id": call, "tool_name": tool, "tool_input": given, "tool_response": response}
            for call, tool, given, response in calls
        ]
        return self.says("PostToolBatch-Bash", tool_calls=told)

    def skill(self, name: str, args: str = "") -> str:
        return self.says("PostToolUse-Skill", tool_input={"skill": name, "args": args}, tool_use_id=self.next_call())

    def reads(self, path: str) -> str:
        return self.says("PostToolUse-Read-SKILLmd", tool_input={"file_path": path}, tool_use_id=self.next_call())

    def types(self, skill: str, args: str = "") -> str:
        """/skill args"""
        return self.says("UserPromptExpansion", command_name=skill, command_args=args)

    def stop(self) -> str:
        return self.says("SubagentStop" if self.agent else "Stop")

    def end(self) -> str:
        return self.says("SessionEnd-other")
