"""Logs of tools that are no clients: SWE-agent's trajectories and aider's chat history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients import past_sessions
from hardwon.clients.aider import transcript as aider_log
from hardwon.clients.plain_output import failed_status
from hardwon.clients.swe_agent import transcript as swe_agent_log
from hardwon.event import Event, EventType

FAILED, FINISHED, PROMPTED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED, EventType.PROMPT_SUBMITTED


def outline(events: list[Event]) -> list[tuple[EventType, str, str, int | None]]:
    return [(event.type, event.tool, event.target or event.text, event.exit_status) for event in events]


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("collected 3 items\n\n=== 1 failed, 2 passed in 0.1s ===", 1),
        ("=== 3 passed in 0.1s ===", None),
        ("=== 3 passed, 0 failed in 0.1s ===", None),
        ("Traceback (most recent call last):\n  File \"x\", line 1\nKeyError: 'a'", 1),
        ("bash: foo: command not found", 1),
        ("error[E0382]: use of moved value", 1),
        ("src/a.c:3:5: error: expected ';'", 1),
        ("a.py:200:41: F821 undefined name 'key'", 1),
        ("FAILED (failures=2)", 1),
        ("npm ERR! missing script: build", 1),
        ("FAILED tests/test_a.py::test_b\nexit code: 2", 2),
        ("exit code: 0\nno error: all fine", None),
        ("def on_error(): pass", None),
        ("the word error: in a sentence", None),
        ("", None),
    ],
)
def test_an_output_tells_of_its_failure(output: str, status: int | None) -> None:
    """Only what a program that gave up writes; the word alone is none."""
    assert failed_status(output) == status


STEPS: list[dict[str, Any]] = [
    {"action": "ls -F\n", "observation": "a.py\n", "response": "Let me look", "state": '{"working_dir": "/repo"}'},
    {"action": "pytest -q", "observation": "FAILED tests/test_a.py::test_b\nexit code: 1"},
    {"action": "open src/a.py 10", "observation": "[File: src/a.py (90 lines)]"},
    {"action": "str_replace_editor str_replace /repo/src/a.py --old_str 'x' --new_str 'y'", "observation": "edited"},
    {"action": "edit 3:4\nfoo(\nend_of_edit", "observation": "Your proposed edit has introduced new syntax error(s).",
     "state": {"open_file": "/repo/src/b.py", "working_dir": "/repo"}},
    {"action": "pytest -q", "observation": "2 passed"},
    {"action": "submit", "observation": "diff --git"},
    {"action": None, "observation": "odd"},
]  # fmt: skip


def trajectory(path: Path, steps: list[dict[str, Any]] = STEPS) -> Path:
    path.write_text(json.dumps({"environment": "swe_main", "trajectory": steps, "history": [], "info": {}}, indent=1))
    return path


def test_a_trajectory_of_swe_agent(tmp_path: Path) -> None:
    """Actions as calls, files from the root of the container's project, no user's words; ids stay the same."""
    path = trajectory(tmp_path / "shop-12.traj")
    reading = swe_agent_log.Reading(path)
    (events,) = reading.portions()
    assert outline(events) == [
        (FINISHED, "Bash", "ls -F", None),
        (FAILED, "Bash", "pytest -q", 1),
        (FINISHED, "Read", "src/a.py", None),
        (FINISHED, "Edit", "src/a.py", None),
        (FAILED, "Edit", "src/b.py", 1),
        (FINISHED, "Bash", "pytest -q", None),
    ]
    assert [event.at for event in events] == sorted({event.at for event in events})
    assert reading.end == path.stat().st_size
    assert list(swe_agent_log.Reading(path).portions(reading.end)) == []
    copy = trajectory(tmp_path / "sub.traj".replace("sub", "shop-12-copy"))
    assert [event.session.rpartition("-")[2] for event in next(swe_agent_log.Reading(copy).portions())] == [
        event.session.rpartition("-")[2] for event in events
    ]


@pytest.mark.parametrize("content", ["{}", "[]", "not JSON", '{"trajectory": 7}', '{"trajectory": [1, null]}', ""])
def test_what_is_no_trajectory_has_no_events(tmp_path: Path, content: str) -> None:
    """And is no error: a folder may hold anything."""
    path = tmp_path / "x.traj"
    path.write_text(content)
    assert [event for portion in swe_agent_log.Reading(path).portions() for event in portion] == []


CHAT = """
# aider chat started at 2026-10-02 12:00:00

> Aider v0.86.2
> Git repo: .git with 12 files

#### rename the field, and
#### use a default
Here is the change:

src/a.py
```python
<<<<<<< SEARCH
row["field"]
=======
row.get("field")
>>>>>>> REPLACE
```

> Tokens: 4.1k sent, 345 received.
> Applied edit to src/a.py
> Commit abc1234 fix: use a default

#### /add src/b.py
> Added src/b.py to the chat

#### /run pytest -q
> Add command output to the chat? (Y)es/(N)o [Yes]: y
> Added 3 lines of output to the chat.

#### I ran this command:
####
#### pytest -q
####
#### And got this output:
####
#### 1 failed
#### exit code: 1
I see, the default is wrong.

> ## Running: flake8 src/a.py
>
> src/a.py:2:1: F821 undefined name 'key'

#### no, use 0 as the default
Sure.

# aider chat started at 2026-10-03 09:30:00

#### thanks
You're welcome.
"""


def test_a_chat_history_of_aider(tmp_path: Path) -> None:
    """A person's words, edits, commands with their output; commands of aider's own and its messages are none."""
    path = tmp_path / aider_log.FILE
    path.write_text(CHAT)
    events = aider_log.Reading(path).after(0)
    assert outline(events) == [
        (PROMPTED, "", "rename the field, and\nuse a default", None),
        (FINISHED, "Edit", "src/a.py", None),
        (FAILED, "Bash", "pytest -q", 1),
        (FAILED, "Bash", "flake8 src/a.py", 1),
        (PROMPTED, "", "no, use 0 as the default", None),
        (PROMPTED, "", "thanks", None),
    ]
    assert 'row.get("field")' in events[1].text
    assert len({event.session for event in events}) == 2
    assert len({event.key for event in events}) == len(events)
    assert {event.cwd for event in events} == {str(tmp_path)}


def test_a_history_that_grows_is_read_on(tmp_path: Path) -> None:
    """From every line at which a reading can end; ids are the same as when it is read at once."""
    path = tmp_path / aider_log.FILE
    path.write_text(CHAT)
    whole = [event.key for event in aider_log.Reading(path).after(0)]
    lines = CHAT.splitlines(keepends=True)
    seen: list[str] = []
    offset = 0
    for cut in range(1, len(lines) + 1):
        path.write_text("".join(lines[:cut]))
        reading = aider_log.Reading(path)
        seen += [event.key for event in reading.after(offset)]
        offset = reading.end
    assert seen == whole


def chat(tmp_path: Path, text: str) -> list[Event]:
    """What is read of a history with this text; aider ends each line of its own with two blanks."""
    path = tmp_path / aider_log.FILE
    lines = [f"{line}  " if line.startswith((">", "#### ")) else line for line in text.splitlines()]
    path.write_text("\n".join(("", "# aider chat started at 2026-10-02 12:00:00", "", *lines, "", "")))
    return aider_log.Reading(path).after(0)


WRITTEN = [
    # What the model proposes: the output is not written down, and what follows is aider's own.
    ("""
> make check
> Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: y
> Running make check
> Add command output to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: y
> Added 12 lines of output to the chat.
> You can use /undo to undo and discard each aider commit.

#### go on
""", [(PROMPTED, "", "go on", None)]),
    # Two at once, on lines of which only the first is marked.
    ("""
> chmod +x run.sh
./run.sh
> Run shell commands? (Y)es/(N)o/(D)on't ask again [Yes]: y
> Running chmod +x run.sh
> Running ./run.sh
> Add command output to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: n

""", []),
    # Typed, as it is now: the output goes to the model and is not written down.
    ("""
#### /run make check
> Add 1.3k tokens of command output to the chat? (Y)es/(N)o [Yes]: y
> Added 55 lines of output to the chat.
> Initial repo scan can be slow in larger repos, but only happens once.

#### still failing
""", [(PROMPTED, "", "still failing", None)]),
    # Typed, as it was: its first line is marked, and all of it comes again when it was added.
    ("""
#### /run python plot.py
> Traceback (most recent call last):
  File "plot.py", line 33, in <module>
TypeError: must be str, not date
> Add the output to the chat? y
> Traceback (most recent call last):
> File "plot.py", line 33, in <module>
> TypeError: must be str, not date

The field is a date already.

""", [(FAILED, "Bash", "python plot.py", 1)]),
    # The same, not added: of a part nobody can tell that it passed.
    ("""
#### /run python plot.py
> reading data
ValueError: no such column
> Add the output to the chat? n

#### hm
""", [(PROMPTED, "", "hm", None)]),
    # Typed, as it was at first: every line is marked.
    ("""
#### /run pytest tests/test_io.py

> ```
> collected 2 items
>
> ============ 2 passed in 0.10s ============
> ```
>
> Add the output to the chat? [y/n] (y): y

Good.

""", [(FINISHED, "Bash", "pytest tests/test_io.py", None)]),
    # A linter is told of when it found something, whatever that looks like; the quoted lines are not its output.
    ("""
> Applied edit to src/a.ts
>
> # Fix any errors below, if possible.
>
> ## Running: tsc --noEmit src/a.ts
>
> src/a.ts(3,1): TS2304 Cannot find name 'key'.
>
> ## See relevant line below marked with █.
>
> src/a.ts:
> 3█key()
>
> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y

Of course.

""", [(FINISHED, "Edit", "src/a.ts", None), (FAILED, "Bash", "tsc --noEmit src/a.ts", 1)]),
    # An empty line ends what was typed; a question to the model is a person's words.
    ("""
#### <blank>

#### <blank>

#### use tabs here

Fine.

#### /ask why tabs?

Because.

#### /add src/b.py
> Added src/b.py to the chat

""", [(PROMPTED, "", "use tabs here", None), (PROMPTED, "", "why tabs?", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "events"), WRITTEN)
def test_a_history_as_aider_writes_it(
    tmp_path: Path, text: str, events: list[tuple[EventType, str, str, int | None]]
) -> None:
    """In the forms of its versions: what it says of itself is no output, and what nobody wrote down did not pass."""
    assert outline(chat(tmp_path, text)) == events


def test_a_file_that_aider_was_given_whole(tmp_path: Path) -> None:
    """Its change is what stands in the fence, not the talk after it."""
    (edit,) = chat(tmp_path, "src/a.py\n```\nVALUE = 1\n```\n\nThat is all.\n\n> Applied edit to src/a.py\n")
    assert edit.text == "VALUE = 1"


NEWER: list[dict[str, Any]] = [
    {"action": "create try.py", "observation": "[File: try.py (1 lines total)]\r\n1:", "response": "First",
     "thought": "First", "execution_time": 0.2, "state": {"open_file": "/testbed/try.py", "working_dir": "/testbed"}},
    {"action": "insert 'import shop\nprint(shop.total())'", "observation": "[File: /testbed/try.py (3 lines total)]",
     "state": {"open_file": "n/a", "working_dir": "/testbed"}},
    {"action": "python try.py",
     "observation": "Traceback (most recent call last):\r\n  File \"try.py\", line 2\r\nKeyError: 'sum'",
     "state": {"open_file": "/testbed/try.py", "working_dir": "/testbed"}},
    {"action": "edit 'return a' 'return b' False",
     "observation": "Your edit was not applied (file not modified): Text 'return a' not found in displayed lines.",
     "state": {"open_file": "/testbed/src/shop.py", "working_dir": "/testbed"}},
    {"action": "edit 'return a' 'return b'", "observation": "Text replaced. Please review the changes.\r\n",
     "state": {"open_file": "/testbed/src/shop.py", "working_dir": "/testbed"}},
    {"action": "python try.py", "observation": "8.2", "state": {}},
    {"action": "submit", "observation": "\r\ndiff --git a/src/shop.py b/src/shop.py", "state": {}},
]  # fmt: skip


def test_a_trajectory_of_a_newer_swe_agent(tmp_path: Path) -> None:
    """With the line ends of its terminal, edits of the file that is open, and edits that were refused."""
    (events,) = swe_agent_log.Reading(trajectory(tmp_path / "shop-13.traj", NEWER)).portions()
    assert outline(events) == [
        (FINISHED, "Write", "try.py", None),
        (FINISHED, "Edit", "try.py", None),
        (FAILED, "Bash", "python try.py", 1),
        (FAILED, "Edit", "src/shop.py", 1),
        (FINISHED, "Edit", "src/shop.py", None),
        (FINISHED, "Bash", "python try.py", None),
    ]
    assert "\r" not in events[2].error


@pytest.mark.parametrize(
    ("beginning", "client"),
    [
        (b'{"type":"queue-operation","sessionId":"1"}\n', "claude-code"),
        (b'{"parentUuid": null, "sessionId": "1", "cwd": "/x"}\n', "claude-code"),
        (b'{"timestamp":"2026","type":"session_meta","payload":{}}\n', "codex"),
        (b'{\n  "environment": "swe_main",\n  "trajectory": []', "swe-agent"),
        (b"\n# aider chat started at 2026-10-02 12:00:00\n", "aider"),
        (b'{"body": "an export"}\n', None),
        (b"# Notes\n", None),
        (b"", None),
        (b"\x00\x01\x02", None),
    ],
)
def test_a_files_kind_is_known_by_its_content(beginning: bytes, client: str | None) -> None:
    """Whatever it is called."""
    assert past_sessions.client_of(beginning) == client
