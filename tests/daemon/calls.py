"""One call of each kind as the hooks tell of it, and what the journal keeps of them."""

from __future__ import annotations

from typing import Any

from hardwon.event import EventType
from tests.daemon.running import Daemon
from tests.daemon.session import Session

FAILED, FINISHED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED
SECRET = "ghp_" + "x7Kq2" * 7 + "a"
Message = tuple[str, dict[str, Any]]
"""A recorded message's name, and what is different in it."""

LOST_EDIT = "<tool_use_error>String to replace not found in file.\nString: NOT THERE</tool_use_error>"
DENIAL = "Permission to use Bash with command rm -rf build has been denied."


def one_of_each() -> list[Message]:
    """A failing command, a rejected edit, an MCP error, a denied call, one that passed: as the client tells of them."""
    run, edit, mcp, denied, passed = (f"toolu_{name}" for name in ("run", "edit", "mcp", "denied", "passed"))
    test = {"command": "make test"}
    change = {"file_path": "calc.py", "old_string": "NOT THERE", "new_string": "x"}
    remove, look = {"command": "rm -rf build"}, {"command": "make lint"}
    error = "Exit code 2\nmake: *** [test] Error 1"
    blocks = [{"type": "text", "text": "BOOM-ERR"}]
    return [
        ("PreToolUse-Bash", {"tool_input": test, "tool_use_id": run}),
        ("PostToolUseFailure-Bash", {"tool_input": test, "tool_use_id": run, "error": error}),
        ("PostToolBatch-Bash", {"tool_calls": [told(run, "Bash", test, error)]}),
        ("PostToolBatch-Edit-error", {"tool_calls": [told(edit, "Edit", change, LOST_EDIT)]}),
        ("PreToolUse-mcp__mem__boom", {"tool_use_id": mcp}),
        ("PostToolUseFailure-mcp__mem__boom", {"tool_use_id": mcp}),
        ("PostToolBatch-mcp__mem__boom", {"tool_calls": [told(mcp, "mcp__mem__boom", {}, blocks)]}),
        ("PreToolUse-Bash", {"tool_input": remove, "tool_use_id": denied}),
        ("PostToolBatch-Bash", {"tool_calls": [told(denied, "Bash", remove, DENIAL)]}),
        ("PreToolUse-Bash", {"tool_input": look, "tool_use_id": passed}),
        ("PostToolUse-Bash", {"tool_input": look, "tool_use_id": passed, "tool_response": {"stdout": "fine"}}),
        ("PostToolBatch-Bash", {"tool_calls": [told(passed, "Bash", look, "fine")]}),
    ]  # fmt: skip


def told(call: str, tool: str, given: dict[str, Any], response: Any) -> dict[str, Any]:
    return {"tool_use_id": call, "tool_name": tool, "tool_input": given, "tool_response": response}


KEPT = {
    ("toolu_run", FAILED, "make test", "Exit code 2\nmake: *** [test] Error 1", 2),
    ("toolu_edit", FAILED, "calc.py", LOST_EDIT, None),
    ("toolu_mcp", FAILED, "", "BOOM-ERR", None),
    ("toolu_denied", FAILED, "rm -rf build", DENIAL, None),
    ("toolu_passed", FINISHED, "make lint", "", None),
}


def kept(daemon: Daemon, session: str = "s1") -> list[tuple[str, EventType, str, str, int | None]]:
    events = [event for event in daemon.journal(session) if event.type in (FAILED, FINISHED)]
    return [(event.call, event.type, event.target, event.error, event.exit_status) for event in events]


def send_all(session: Session, messages: list[Message]) -> None:
    for name, fields in messages:
        session.send(name, **fields)
