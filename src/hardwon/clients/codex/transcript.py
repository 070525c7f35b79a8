"""Codex's own record of a session, a "rollout": `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-….jsonl`.

What was done is in the `item_completed` lines, whatever model did it: commands with their exit status, changed files,
calls of MCP tools, the user's prompts. Older clients wrote other lines for the same; they are understood, too. Only a
patch that was refused is in none of these: it is a call whose output says so. A resumed session goes on in its file; a
fork and a sub-agent have files of their own, which begin with a line that tells them apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardwon import action
from hardwon.clients import reading
from hardwon.clients.claude_code.messages import text_of
from hardwon.clients.codex import patches, rollout
from hardwon.clients.codex.messages import NAME, codex_home, folder_of
from hardwon.clients.logs import Logs
from hardwon.clients.reading import milliseconds
from hardwon.clients.speech import own_words
from hardwon.event import Event, EventType

_UNWANTED = (b'"type":"world_state"', b'"type":"token_usage_record"', b'"type":"token_count"', b'"type":"reasoning"',
             b'"type":"thread_settings_applied"', b'"type":"additional_tools"', b'"type":"compacted"')  # fmt: skip
_HEAD = 240
_SHELLS = frozenset({"exec_command", "shell", "local_shell", "shell_command", "container.exec"})
_STATUS = re.compile(r"(?:Process exited with code|Exit code:) (\d{1,3})\b")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_OUTPUT = re.compile(r"^Output:\n", re.MULTILINE)
MOST_OPEN = 500


class Reading(reading.Reading):
    """One rollout that grows."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._forget()

    def _forget(self) -> None:
        self.end = 0
        self._session = self._agent = self._cwd = self._turn = self._origin = ""
        self._calls: dict[str, dict[str, Any]] = {}
        """Calls that nothing but their output would tell of."""
        self._done: dict[str, None] = {}
        """Calls that a line has told of; their output is no news."""
        self._prompts: dict[str, list[str]] = {}
        """What was said in a turn; some versions write it down twice."""

    def _events(self, line: bytes) -> Sequence[Event]:
        head = line[:_HEAD].replace(b'": "', b'":"')
        if any(mark in head for mark in _UNWANTED):
            return ()
        try:
            record = json.loads(line)
            return [event for event in self._of_record(record) if event.session]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return ()  # not a line that we know: it must not hide the others

    def _of_record(self, record: dict[str, Any]) -> Iterator[Event]:
        payload, kind = record["payload"], record["type"]
        at = milliseconds(record["timestamp"])
        if kind == "session_meta":
            self._began(payload)
        elif kind == "turn_context":
            self._cwd = payload.get("cwd") or self._cwd
            self._turn = payload.get("turn_id") or self._turn
        elif kind == "event_msg":
            yield from self._told(payload, at)
        elif kind == "response_item":
            yield from self._of_item(payload, at)

    def _began(self, meta: dict[str, Any]) -> None:
        """A fork's file has its parent's first line behind its own: the first one counts."""
        if self._session:
            return
        source = meta.get("source")
        is_agent = meta.get("thread_source") == "subagent" or (isinstance(source, dict) and "subagent" in source)
        self._session = str(meta.get("session_id") or meta["id"])
        self._agent = str(meta["id"]) if is_agent else ""
        self._cwd = meta.get("cwd") or ""
        self._origin = rollout.origin_of(source, meta.get("originator"))

    def _told(self, payload: dict[str, Any], at: int) -> Iterator[Event]:
        self._turn = payload.get("turn_id") or self._turn
        match payload.get("type"):
            case "item_completed":
                yield from self._completed(payload["item"], at)
            case "user_message":
                yield from self._prompted(str(payload.get("message") or ""), at)
            case "exec_command_end":
                yield self._command(payload, payload["call_id"], payload.get("exit_code"), at)
            case "patch_apply_end":
                succeeded = payload.get("success") is True
                yield from self._changed(payload, payload["call_id"], succeeded, at)
            case "task_complete" if payload.get("last_agent_message"):
                yield self._event(EventType.TURN_ENDED, at, text=str(payload["last_agent_message"]))

    def _completed(self, item: dict[str, Any], at: int) -> Iterator[Event]:
        match item.get("type"):
            case "UserMessage":
                yield from self._prompted(_texts(item.get("content")), at)
            case "CommandExecution":
                yield self._command(item, item["id"], item.get("exit_code"), at)
            case "FileChange":
                yield from self._changed(item, item["id"], item.get("status") == "completed", at)
            case "McpToolCall":
                yield self._tool(item, at)

    def _prompted(self, text: str, at: int) -> Iterator[Event]:
        """What another agent, or a hook, wrote is no person's."""
        words = "" if self._agent else own_words(text)
        if not words or words.startswith(("<hook_prompt", "<environment_context>", "# AGENTS.md instructions")):
            return
        said = self._prompts.setdefault(self._turn, [])
        if words in said:
            return
        prompt = f"{self._turn}+{len(said)}" if self._turn and said else self._turn
        said.append(words)
        yield self._event(EventType.PROMPT_SUBMITTED, at, text=words, prompt=prompt, origin=self._origin)

    def _command(self, item: dict[str, Any], call: str, status: Any, at: int) -> Event:
        self._settled(call)
        parts = item.get("command") or ""
        command = str(parts[-1] if isinstance(parts, list) and parts else parts)
        said = item.get("aggregated_output") or "\n".join(
            str(item[name]) for name in ("stdout", "stderr") if item.get(name)
        )
        return self._outcome(call, action.SHELL, command, str(said), status, at, cwd=folder_of(item.get("cwd")))

    def _outcome(
        self, call: str, tool: str, target: str, said: str, status: Any, at: int, *, cwd: str = "", failed: bool = False
    ) -> Event:
        """Without a status nothing says how it ended: it was declined, or interrupted."""
        about = {"call": call, "tool": tool, "target": target, "cwd": cwd or self._cwd}
        if failed or status != 0:
            known = status if isinstance(status, int) and status > 0 else None
            return self._event(EventType.TOOL_FAILED, at, **about, error=said, exit_status=known)
        return self._event(EventType.TOOL_FINISHED, at, **about, text=said)

    def _changed(self, item: dict[str, Any], call: str, succeeded: bool, at: int) -> Iterator[Event]:
        """An event for each file; the first one has the call's own id."""
        self._settled(call)
        changes = item.get("changes") or {}
        for number, (file, change) in enumerate(changes.items()):
            id = f"{call}+{number}" if number else call
            if not succeeded:
                yield self._outcome(id, action.EDIT, file, str(item.get("stderr") or ""), None, at, failed=True)
            elif change.get("type") == "add":
                yield self._outcome(id, action.WRITE, file, str(change.get("content") or ""), 0, at)
            else:
                done = (
                    patches.changed_lines(str(change.get("unified_diff") or "")) or f"{change.get('type', 'change')}d"
                )
                yield self._outcome(id, action.EDIT, file, done, 0, at)

    def _tool(self, item: dict[str, Any], at: int) -> Event:
        self._settled(item["id"])
        result = item.get("result") or {}
        said = _texts(result.get("content")) or str(item.get("error") or "")
        failed = item.get("status") == "failed" or bool(result.get("isError"))
        target = next((str(value) for value in (item.get("arguments") or {}).values() if isinstance(value, str)), "")
        name = f"mcp__{item.get('server', '')}__{item.get('tool', '')}"
        return self._outcome(item["id"], name, target, said, None if failed else 0, at, failed=failed)

    def _of_item(self, item: dict[str, Any], at: int) -> Iterator[Event]:
        """Calls and their outputs, for what no other line tells of."""
        kind = item.get("type")
        if kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._calls[item["call_id"]] = item
            while len(self._calls) > MOST_OPEN:
                self._calls.pop(next(iter(self._calls)))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            call = self._calls.pop(item["call_id"], None)
            if call and item["call_id"] not in self._done:
                yield from self._answered(call, _output(item.get("output")), at)

    def _answered(self, call: dict[str, Any], said: str, at: int) -> Iterator[Event]:
        name = call.get("name") or "local_shell"
        status = int(found[1]) if (found := _STATUS.search(said)) else None
        if name == "apply_patch" and status != 0:
            files = _PATCHED.findall(str(call.get("input") or call.get("arguments") or ""))
            yield self._outcome(call["call_id"], action.EDIT, files[0] if files else "", said, None, at, failed=True)
        elif name in _SHELLS and status is not None:
            body = said[match.end() :] if (match := _OUTPUT.search(said)) else said
            yield self._outcome(call["call_id"], action.SHELL, _asked(call), body, status, at)

    def _settled(self, call: str) -> None:
        self._done[call] = None
        while len(self._done) > MOST_OPEN:
            self._done.pop(next(iter(self._done)))

    def _event(self, type_: EventType, at: int, **fields: Any) -> Event:
        given = {"cwd": self._cwd, "prompt": self._turn} | fields
        return Event(type=type_, host=NAME, session=self._session, at=at, agent=self._agent, transcript=str(self.path),
                     **given)  # fmt: skip


def _texts(content: Any) -> str:
    """The texts of a list of blocks."""
    return text_of([block for block in content or [] if isinstance(block, dict) and "text" in block])


def _output(output: Any) -> str:
    """Older clients wrapped it into JSON, with the status beside it."""
    text = _texts(output) if isinstance(output, list) else str(output or "")
    if text.startswith('{"output"'):
        found = json.loads(text)
        status = (found.get("metadata") or {}).get("exit_code")
        return f"Exit code: {status}\nOutput:\n{found['output']}" if status is not None else str(found["output"])
    return text


def _asked(call: dict[str, Any]) -> str:
    """The command of a call: a text, or the arguments of a shell."""
    action = call.get("action")
    given = action if isinstance(action, dict) else json.loads(call.get("arguments") or "{}")
    command = given.get("cmd") or given.get("command") or ""
    return str(command[-1] if isinstance(command, list) and command else command)


class CodexLogs(Logs):
    """They lie by their day, with their time in their names; a sub-agent's beside its session's."""

    def open(self, path: Path) -> Reading:
        return Reading(path)

    def is_one(self, beginning: bytes) -> bool:
        return beginning.lstrip().startswith(b"{") and _SESSION.search(beginning[:4_000]) is not None

    def folder(self, environ: Mapping[str, str], user: Path) -> Path:
        return Path(environ.get("CODEX_HOME") or user / ".codex").absolute() / "sessions"

    def parts(self, path: Path) -> list[Path]:
        session = rollout.named(str(path), "session_id")
        if not session or session != rollout.named(str(path), "id"):
            return []
        return [file for file in _later(path) if rollout.named(str(file), "session_id") == session]

    def is_part(self, path: Path) -> bool:
        """Where its session's own is beside it; else it is read for itself."""
        session = rollout.named(str(path), "session_id")
        if not session or session == rollout.named(str(path), "id"):
            return False
        return any(path.parents[2].glob(f"*/*/rollout-*-{session}.jsonl"))

    def of_same_project(self, path: Path) -> list[Path]:
        """Those of the same days that were begun in the same folder."""
        cwd = rollout.named(str(path), "cwd")
        beside = [file for day in _days(path)[-DAYS:] for file in sorted(day.glob("rollout-*.jsonl"))[-MOST_BESIDE:]]
        return [file for file in beside if cwd and rollout.named(str(file), "cwd") == cwd and not self.is_part(file)]

    def settings(self, transcript: str) -> str:
        return codex_home(transcript)


def _later(path: Path) -> list[Path]:
    """What was begun after it, on its day or on the next one on which anything was."""
    days = [day for day in _days(path) if day >= path.parent][:2]
    found = [file for day in days for file in sorted(day.glob("rollout-*.jsonl")) if file.name > path.name]
    return found[:MOST_BESIDE]


def _days(path: Path) -> list[Path]:
    """`sessions/2026/11/19`: the folders with sessions of this month and its neighbours, in order."""
    root = path.parents[3] if len(path.parents) > 3 and path.parents[2].name.isdigit() else None
    return sorted(root.glob("[0-9]*/[0-9]*/[0-9]*")) if root else [path.parent]


DAYS, MOST_BESIDE = 3, 200

_SESSION = re.compile(rb'"type":\s?"session_meta"')
LOGS = CodexLogs()
