"""Pi's tools: what each of its calls did, in the words of `action.py`. The same from a message and from a file."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from hardwon import action

_ACTIONS = {
    "bash": action.SHELL,
    "powershell": action.SHELL,
    "read": action.READ,
    "edit": action.EDIT,
    "write": action.WRITE,
    "grep": action.SEARCH,
    "find": action.FIND,
    "ls": action.LIST,
}
_TARGET = ("command", "path", "pattern", "url", "query", "name", "description")
_WHERE = ("path", "glob")
_STATUS = re.compile(r"(?:\n\n|\A)Command exited with code (\d{1,3})\s*\Z")
_SHORTENED = re.compile(
    r"\n\n\[Showing (?:lines \d+-\d+ of|last [\w.]+ of line) [^\[\]\n]{1,200}Full output: [^\[\]\n]*\]\Z"
)
_NOTHING = "(no output)"
_STOPPED = re.compile(r"(?:\n\n|\A)(?:Command aborted|Operation aborted)\s*\Z")


def tool_of(name: str) -> str:
    """A tool of another extension, or of a server, keeps its name."""
    return _ACTIONS.get(name, name)


def target_of(name: str, given: dict[str, Any], cwd: str) -> str:
    """What a call is pointed at; of a server's tool all that it was given: nobody knows what matters there."""
    if name.startswith("mcp__"):
        return json.dumps(given, ensure_ascii=False) if given else ""
    if tool_of(name) in action.FILES:
        return file_of(str(given.get("path") or ""), cwd)
    if given.get("pattern") and any(given.get(where) for where in _WHERE):
        return "|".join(str(given.get(name) or "") for name in ("pattern", *_WHERE))
    return next((str(given[name]) for name in _TARGET if given.get(name)), "")


def file_of(path: str, cwd: str) -> str:
    """A file as Pi finds it: from the working folder, also with `~` or an `@` before it."""
    bare = os.path.expanduser(path.removeprefix("@"))  # noqa: PTH111
    return os.path.normpath(os.path.join(cwd, bare)) if bare else ""  # noqa: PTH118


def change_of(name: str, given: dict[str, Any]) -> str:
    """What a call would do to its file."""
    if name == "write":
        return str(given.get("content") or "")
    if name != "edit":
        return ""
    edits = given.get("edits")
    listed = [one for one in edits if isinstance(one, dict)] if isinstance(edits, list) else [given]
    return "\n".join(f"- {one.get('oldText', '')}\n+ {one.get('newText', '')}" for one in listed)


def outcome_of(name: str, given: dict[str, Any], said: str) -> str:
    """What a successful call did, in short."""
    if name == "read":
        return ""
    return change_of(name, given) or ("" if said == _NOTHING else _SHORTENED.sub("", said))


def failure_of(said: str) -> tuple[str, int | None]:
    """What a program said, without what Pi puts behind it, and the status that it ended with."""
    found = _STATUS.search(said)
    bare = _SHORTENED.sub("", said[: found.start()] if found else said)
    return bare or said, int(found[1]) if found else None


def is_stopped(said: str) -> bool:
    """Esc is no failure of the command."""
    return _STOPPED.search(said) is not None


def text_of(content: Any) -> str:
    """A text, or the texts of a list of blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(one.get("text", "")) for one in blocks if isinstance(one, dict) and one.get("type") == "text")
