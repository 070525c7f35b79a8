"""What an agent writes down of what it means to do, but for `claude_code_tasks`: plans, and other clients' lists."""

from __future__ import annotations

from typing import Any

LISTS = {"todowrite": "todos", "write_todos": "todos", "update_plan": "plan"}
_STATES = {"completed": "x", "done": "x", "in_progress": "~", "cancelled": "-", "deleted": "-"}
MOST = 60


def told(tool: str, given: dict[str, Any], response: Any) -> str | None:  # noqa: ARG001
    """`[x] done`, `[~] begun`, `[ ] open`, a line each. None for another tool."""
    if name := LISTS.get(tool):
        items = given.get(name)
        return "\n".join(filter(None, map(_item, items[:MOST]))) if isinstance(items, list) else ""
    return str(given.get("plan") or "") if tool == "ExitPlanMode" else None


def _item(one: Any) -> str:
    if not isinstance(one, dict):
        return ""
    words = " ".join(str(one.get("content") or one.get("step") or one.get("description") or "").split())
    return f"[{_STATES.get(str(one.get('status')), ' ')}] {words}" if words else ""
