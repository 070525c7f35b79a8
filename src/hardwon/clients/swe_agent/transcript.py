"""Trajectories of SWE-agent (`<instance>.traj`): one JSON object with the steps, each an action and what was seen.

The task comes from a benchmark, so no person speaks in it, and the steps have no times: they are counted back from the
file's. What stands for the project is a folder of the container it ran in; files are told from there.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.clients.logs import Logs
from hardwon.clients.plain_output import failed_status
from hardwon.clients.reading import MOST_EVENTS
from hardwon.event import Event, EventType
from hardwon.regular_file import regular

NAME = "swe-agent"
LARGEST = 200_000_000
"""Bytes: it has to be read as a whole."""
_EDITOR = re.compile(r"\s*str_replace_editor\s+(\w+)\s+(\S+)")
_OPEN = re.compile(r"\s*(?:open|create|view)\s+['\"]?([^\s'\"]+)")
_EDIT = re.compile(r"\s*(?:edit|insert|append)(?:\s|$)")
_SHOWN = re.compile(r"^\[File: (\S+) \(", re.MULTILINE)
"""How its editor shows a file, before and after a change."""
_LOOKS = re.compile(r"\s*(?:goto|scroll_up|scroll_down|search_dir|search_file|find_file|filemap)\b")
_ENDS = re.compile(r"\s*(?:submit|exit_\w+|skip)\b")
_REFUSED = (
    "Your proposed edit has introduced new syntax error",
    "Your edit was not applied",
    "No replacement was performed",
    "Invalid `",
)


class Reading:
    """One trajectory: there is nothing new in it until it was written anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = 0

    def portions(self, offset: int = 0) -> Iterator[list[Event]]:
        size = self.path.stat().st_size
        if size == offset or size > LARGEST:
            self.end = size
            return
        events = list(self._events())
        for start in range(0, len(events), MOST_EVENTS):
            self.end = size if start + MOST_EVENTS >= len(events) else offset
            yield events[start : start + MOST_EVENTS]
        self.end = size

    def _events(self) -> Iterator[Event]:
        steps = steps_of(self.path)
        if not steps:
            return
        written = int(self.path.stat().st_mtime * 1000)
        root = _state(steps[0]).get("working_dir") or "/"
        name = f"{self.path.name.partition('.')[0]}-{_mark(steps[0])}"
        for number, step in enumerate(steps):
            at = written - (len(steps) - number) * 1000
            if event := _event(step, name, number, at, root):
                yield event


def steps_of(path: Path) -> list[dict[str, Any]]:
    """The steps that have an action; none where the file is something else."""
    try:
        with open(path, "rb", opener=regular) as file:
            steps = json.load(file)["trajectory"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    found = steps if isinstance(steps, list) else []
    return [step for step in found if isinstance(step, dict) and isinstance(step.get("action"), str)]


def _event(step: dict[str, Any], session: str, number: int, at: int, root: str) -> Event | None:
    # Newer versions keep the line ends of the terminal that they read.
    action, seen = step["action"].strip(), str(step.get("observation") or "").replace("\r\n", "\n")
    if not action or _ENDS.match(action):
        return None
    tool, target = _call(action, _state(step), seen)
    call = f"{session}:{number}"
    target = _from_root(target, root) if tool in ("Edit", "Write", "Read") else target
    status = 1 if seen.lstrip().startswith(_REFUSED) else failed_status(seen) if tool == "Bash" else None
    if status:
        return Event(EventType.TOOL_FAILED, NAME, session, at, call=call, tool=tool, target=target, error=seen,
                     exit_status=status)  # fmt: skip
    text = action if tool in ("Edit", "Write") else "" if tool == "Read" else seen
    return Event(EventType.TOOL_FINISHED, NAME, session, at, call=call, tool=tool, target=target, text=text)


def _call(action: str, state: dict[str, Any], seen: str) -> tuple[str, str]:
    """The action as a call of one of the tools that everybody has."""
    if found := _EDITOR.match(action):
        return {"view": "Read", "create": "Write"}.get(found[1], "Edit"), found[2]
    if _EDIT.match(action):
        return "Edit", _open_file(state, seen)
    if found := _OPEN.match(action):
        return ("Write" if action.startswith("create") else "Read"), found[1]
    return ("Read" if _LOOKS.match(action) else "Bash"), action


def _open_file(state: dict[str, Any], seen: str) -> str:
    """The file that an edit without a name is about: `n/a` says that none was open yet."""
    known = str(state.get("open_file") or "n/a")
    shown = _SHOWN.search(seen)
    return shown[1] if known == "n/a" and shown else known.removeprefix("n/a")


def _state(step: dict[str, Any]) -> dict[str, Any]:
    """Older versions wrote it as a text."""
    state = step.get("state")
    if isinstance(state, str):
        try:
            state = json.loads(state)
        except ValueError:
            return {}
    return state if isinstance(state, dict) else {}


def _from_root(file: str, root: str) -> str:
    below = posixpath.relpath(file, root) if file.startswith("/") else file
    return file if below.startswith("..") else below


def _mark(step: dict[str, Any]) -> str:
    """Two runs of one task are told apart by what they did first."""
    first = f"{step.get('response')}{step['action']}{step.get('observation')}"
    return hashlib.blake2b(first.encode("utf-8", "replace"), digest_size=6).hexdigest()


class SweAgentLogs(Logs):
    files = (".traj",)

    def open(self, path: Path) -> Reading:
        return Reading(path)

    def is_one(self, beginning: bytes) -> bool:
        return beginning.lstrip().startswith(b"{") and _SESSION.search(beginning[:4_000]) is not None

    def started_in(self, path: Path, home: str) -> str:
        return home or str(path.parent)

    def why_not(self, size: int) -> str | None:
        if size > LARGEST:
            return f"a trajectory of more than {LARGEST // 1_000_000} MB can't be read"
        return None


_SESSION = re.compile(rb'"(?:trajectory|environment)":\s')
LOGS = SweAgentLogs()
