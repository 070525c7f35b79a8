"""Claude Code's lists of what there is to do, in one form: `[ ]` open, `[~]` begun, `[x]` done, `[-]` dropped.

`TodoWrite` gives the whole list each time; `TaskCreate` and `TaskUpdate` tell of one (`#3 [ ] write the docs`).
"""

from __future__ import annotations

from typing import Any

TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})
_MARKS = {"pending": " ", "in_progress": "~", "completed": "x", "deleted": "-"}


def outcome(tool: str, given: dict[str, Any], response: Any) -> str:
    if tool == "TodoWrite":
        todos = given.get("todos")
        listed = [one for one in todos if isinstance(one, dict)] if isinstance(todos, list) else []
        return "\n".join(f"[{_mark(one)}] {_flat(one.get('content'))}" for one in listed)
    if tool == "TaskCreate":
        task = response.get("task") if isinstance(response, dict) else None
        id = _id(task.get("id") if isinstance(task, dict) else "") or _named(response)
        return f"#{id} [ ] {_flat(given.get('subject') or given.get('description'))}" if id else ""
    id = _id(given.get("taskId"))
    if not id or not given.get("status"):
        return ""
    return f"#{id} [{_mark(given)}] {_flat(given.get('subject'))}".rstrip()


def _mark(one: dict[str, Any]) -> str:
    return _MARKS.get(str(one.get("status") or "pending"), " ")


def _named(response: Any) -> str:
    """`Task #3 created successfully: …`, as a text or as a list with one."""
    text = response[0].get("text", "") if isinstance(response, list) and response else response
    head, _, rest = str(text).partition("#")
    return _id(rest.split(" ")[0]) if head == "Task " else ""


def _id(value: Any) -> str:
    text = str(value or "")
    return text if text.isalnum() and len(text) <= 20 else ""


def _flat(value: Any) -> str:
    return " ".join(str(value or "").split())[:200]
