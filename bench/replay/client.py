"""A client of the hooks: messages as Claude Code sends them, and the transcript that it writes beside.

Only the events that are registered are sent (`clients/claude_code/messages.py`), over the daemon's socket with the
header of `hook/client.py`, or through the installed command as a process of its own. How calls ended that did not
fail stands in the transcript alone; the daemon reads it when the turn ends.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
import socket
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardwon import __version__
from hardwon.clients.claude_code.messages import HOOKS, NAME
from hardwon.hook import install
from hardwon.paths import Home

LIMIT = 5_000
"""Milliseconds for an answer, on a machine that may be busy; how fast they are is another benchmark."""
VERSION = "2.1.325"


@dataclass
class Wire:
    home: Home
    by_process: bool = False
    """Through the installed command instead of the socket."""

    def send(self, event: str, payload: dict[str, Any]) -> dict[str, str]:
        """The event's own part of the answer; empty when it is silent or the event is not registered."""
        tool = payload.get("tool_name", "")
        hook = next((hook for hook in HOOKS if hook.event == event), None)
        if hook is None or (hook.matcher and not re.fullmatch(hook.matcher, tool)):
            return {}
        limit = LIMIT if hook.limit else 0
        message = json.dumps(payload).encode()
        if self.by_process:
            command = install.command(self.home, NAME, dataclasses.replace(hook, limit=limit))
            done = subprocess.run(["/bin/sh", "-c", command], input=message, capture_output=True, check=True)
            reply = done.stdout
        else:
            reply = self._exchange(f"1 {__version__} {NAME} {event} {limit}\n".encode() + message)
        specific: dict[str, str] = json.loads(reply).get("hookSpecificOutput", {}) if reply else {}
        return specific

    def _exchange(self, message: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.home.socket))
            connection.settimeout(LIMIT / 1000 + 5)
            connection.sendall(message)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@dataclass
class Session:
    """One session of the client in one folder."""

    wire: Wire
    folder: Path
    transcripts: Path
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    _prompt_id: str = ""
    _last: str | None = None

    @property
    def _file(self) -> Path:
        return self.transcripts / f"{self.id}.jsonl"

    def start(self) -> str:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        return self._context("SessionStart", self._send("SessionStart", source="startup"))

    def prompt(self, text: str) -> str:
        self._prompt_id = str(uuid.uuid4())
        answer = self._send("UserPromptSubmit", permission_mode="bypassPermissions", prompt=text)
        self._write("user", {"role": "user", "content": text}, turnOrigin="human", promptSource="typed")
        return self._context("UserPromptSubmit", answer)

    def before(self, tool: str, given: dict[str, Any]) -> tuple[str, str, str]:
        """The id of the call, what was said to it, and the reason when it is refused."""
        call = f"toolu_{uuid.uuid4().hex[:22]}"
        self._assistant({"type": "tool_use", "id": call, "name": tool, "input": given})
        answer = self._send("PreToolUse", **self._call(tool, given, call))
        if answer.get("permissionDecision") == "deny":
            reason = answer.get("permissionDecisionReason", "")
            self._result(call, f"PreToolUse:{tool} hook error: {reason}", failed=True)
            return call, "", reason
        return call, self._context(f"PreToolUse:{tool}", answer), ""

    def failed(self, tool: str, given: dict[str, Any], call: str, error: str) -> str:
        self._result(call, error, failed=True)
        about = self._call(tool, given, call)
        answer = self._send("PostToolUseFailure", **about, error=error, is_interrupt=False, duration_ms=312)
        return self._context(f"PostToolUseFailure:{tool}", answer)

    def passed(self, tool: str, given: dict[str, Any], call: str, shown: str, response: Any) -> str:
        self._result(call, shown, response=response)
        about = self._call(tool, given, call)
        answer = self._send("PostToolUse", **about, tool_response=response, duration_ms=40)
        return self._context(f"PostToolUse:{tool}", answer)

    def end(self) -> None:
        self._assistant({"type": "text", "text": "Done."})
        about = {"permission_mode": "bypassPermissions", "effort": {"level": "medium"}}
        last = {"stop_hook_active": False, "last_assistant_message": "Done.", "background_tasks": []}
        self._send("Stop", **about, **last)
        self.leave()

    def leave(self) -> None:
        self._send("SessionEnd", reason="prompt_input_exit")

    def _send(self, event: str, **fields: Any) -> dict[str, str]:
        own: dict[str, Any] = {
            "session_id": self.id,
            "transcript_path": str(self._file),
            "cwd": str(self.folder),
            "hook_event_name": event,
        }
        prompt = {"prompt_id": self._prompt_id} if self._prompt_id else {}
        answer = self.wire.send(event, own | prompt | fields)
        time.sleep(0.002)  # what happens later has a later time
        return answer

    def _call(self, tool: str, given: dict[str, Any], call: str) -> dict[str, Any]:
        about = {"permission_mode": "bypassPermissions", "effort": {"level": "medium"}}
        return {**about, "tool_name": tool, "tool_input": given, "tool_use_id": call}

    # The transcript

    def _assistant(self, block: dict[str, Any]) -> None:
        message = {"id": f"msg_{uuid.uuid4().hex[:22]}", "type": "message", "role": "assistant", "content": [block]}
        self._write("assistant", message, madeBy="model")

    def _result(self, call: str, shown: str, response: Any = None, *, failed: bool = False) -> None:
        block = {"tool_use_id": call, "type": "tool_result", "content": shown, "is_error": failed}
        message = {"role": "user", "content": [block]}
        self._write("user", message, toolUseResult=response if response is not None else f"Error: {shown}")

    def _context(self, hook: str, answer: dict[str, str]) -> str:
        """What was added for the model; the client writes that down too."""
        said = answer.get("additionalContext", "")
        if said:
            event = hook.partition(":")[0]
            attachment = {"type": "hook_additional_context", "content": [said], "hookName": hook, "hookEvent": event}
            self._line({"attachment": attachment, "type": "attachment"})
        return said

    def _write(self, type_: str, message: dict[str, Any], **fields: Any) -> None:
        prompt = {"promptId": self._prompt_id} if type_ == "user" else {}
        self._line({**prompt, "type": type_, "message": message, **fields})

    def _line(self, record: dict[str, Any]) -> None:
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        own = {"parentUuid": self._last, "isSidechain": False}
        self._last = str(uuid.uuid4())
        about = {"cwd": str(self.folder), "sessionId": self.id, "version": VERSION, "gitBranch": "main"}
        line = json.dumps({**own, **record, "uuid": self._last, "timestamp": now, **about}, ensure_ascii=False)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
