"""A scripted session as a transcript of Claude Code, read as the daemon reads one, into an empty memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.store import opened
from hardwon.clients.claude_code.transcript import Reading
from hardwon.learn.handover import of_events
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, take_in
from hardwon.store.tables import journal
from hardwon.text.handover import Handover

SESSION = "5e5510f0-0000-4000-8000-000000000001"
_BEGIN = datetime(2026, 11, 2, 9, tzinfo=UTC)


def play(case: Mapping[str, Any], folder: Path) -> Handover:
    project = folder / "work"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text(f"ref: refs/heads/{case.get('branch') or 'main'}\n")
    path = folder / "projects" / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    records = list(_records(case["events"], project))
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records), "utf-8")
    with opened(folder / "home") as store:
        for _ in take_in(store, Places(store), Reading(path), 0, int(_BEGIN.timestamp() * 1000), Taken()):
            pass
        return of_events(list(journal.of_session(store, "claude-code", SESSION)))


def _records(events: list[dict[str, Any]], project: Path) -> Iterator[dict[str, Any]]:
    prompt, tasks = "", 0
    for number, event in enumerate(events):
        at = (_BEGIN + timedelta(seconds=20 * number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        common = {
            "sessionId": SESSION,
            "cwd": str(project),
            "timestamp": at,
            "isSidechain": False,
            "userType": "external",
        }
        if "prompt" in event:
            prompt = f"prompt-{number:04}-of-this-session"
        common["promptId"] = prompt
        if "prompt" in event:
            message = {"role": "user", "content": event["prompt"]}
            yield {"type": "user", "message": message, "promptSource": "typed", "turnOrigin": "human", **common}
        elif "agent" in event:
            reason = "end_turn" if event.get("ends") else "tool_use"
            block = {"type": "text", "text": event["agent"]}
            yield {
                "type": "assistant",
                "message": {"role": "assistant", "content": [block], "stop_reason": reason},
                **common,
            }
        elif "call" in event:
            yield from _call(number, event["call"], project, common)
        elif "todos" in event:
            given = {
                "tool": "TodoWrite",
                "input": {"todos": event["todos"]},
                "result": "Todos have been modified successfully.",
            }
            yield from _call(number, given, project, common)
        elif "task" in event:
            tasks += "subject" in event["task"]
            yield from _call(number, _task(event["task"], tasks), project, common)
        elif "plan" in event:
            yield from _call(
                number,
                {"tool": "ExitPlanMode", "input": {"plan": event["plan"]}, "result": "approved"},
                project,
                common,
            )


def _task(task: Mapping[str, Any], number: int) -> dict[str, Any]:
    if "subject" in task:
        said = f"Task #{number} created successfully: {task['subject']}"
        return {"tool": "TaskCreate", "input": dict(task), "result": said}
    given = {"taskId": str(task["id"]), "status": task["status"]}
    return {"tool": "TaskUpdate", "input": given, "result": f"Updated task #{task['id']} status"}


def _call(number: int, call: Mapping[str, Any], project: Path, common: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    id, given = f"toolu_{number:024}", dict(call["input"])
    for name in ("file_path", "notebook_path"):
        if given.get(name) and not str(given[name]).startswith("/"):
            given[name] = str(project / given[name])
    status, said = call.get("status") or 0, str(call.get("error") or call.get("result") or "")
    failed = bool(status or call.get("error"))
    if status:
        said = f"Exit code {status}\n{said}"
    use = {"type": "tool_use", "id": id, "name": call["tool"], "input": given}
    back = {"type": "tool_result", "tool_use_id": id, "content": said, "is_error": failed}
    result = f"Error: {said}" if failed else {"stdout": said, "stderr": ""} if call["tool"] == "Bash" else said
    yield {"type": "assistant", "message": {"role": "assistant", "content": [use], "stop_reason": "tool_use"}, **common}
    yield {"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": result, **common}
