"""Commands in the background: only started when the client says so, and ended when its own notice says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.claude_code.transcript import read
from hardwon.event import EventType, is_in_background
from tests.clients import sessions

STARTED = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b7k"}
NOTICE = """<task-notification>
<task-id>b7k</task-id>
<tool-use-id>call_serve</tool-use-id>
<output-file>/tmp/b7k.output</output-file>
<status>{status}</status>
<summary>Background command "Serve" {how}</summary>
</task-notification>"""


def launched() -> list[dict[str, Any]]:
    given = {"command": "make serve", "run_in_background": True}
    answer = sessions.answered("call_serve", "Command running in background with ID: b7k. Output is written to a file.")
    return [sessions.called("call_serve", "Bash", given), answer | {"toolUseResult": STARTED}]


@pytest.mark.parametrize(
    ("status", "how", "passes"),
    [
        ("completed", "completed (exit code 0)", True),
        ("failed", "failed with exit code 1", False),
        ("completed", "failed with exit code 2", False),
        ("killed", "was stopped", False),
    ],
)
def test_what_its_end_says(tmp_path: Path, status: str, how: str, passes: bool) -> None:
    """The launch proves nothing, the notice of a good end is the pass; it is nobody's prompt."""
    notice = {"type": "user", "message": {"content": NOTICE.format(status=status, how=how)}}
    path = sessions.claude(tmp_path / "s.jsonl", "s1", tmp_path, *launched(), notice)
    first, *more = read(path)[0]
    assert (first.type, first.target, is_in_background(first)) == (EventType.TOOL_FINISHED, "make serve", True)
    assert [(one.type, one.target, is_in_background(one)) for one in more] == [
        (EventType.TOOL_FINISHED, "make serve", False)
    ] * passes


@pytest.mark.parametrize(
    ("command", "background"),
    [
        ("make serve &", True),
        ("nohup make serve > log 2>&1 &", True),
        ("make a && make b", False),
        ("make a 2>&1", False),
    ],
)
def test_what_the_shell_only_starts(tmp_path: Path, command: str, background: bool) -> None:
    path = sessions.claude(tmp_path / "s.jsonl", "s1", tmp_path, *sessions.passed("c1", command))
    (event,) = read(path)[0]
    assert is_in_background(event) is background
