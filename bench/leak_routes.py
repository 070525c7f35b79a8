"""The ways in: each sends the texts of some cases into a home of its own, and leaves the home at rest."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.commandline import HARDWON
from tests.daemon.running import Daemon, framed, place
from tests.daemon.session import Session
from tests.daemon.transcripts import call, transcript

from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry

PER_SESSION = 25
"""Cases in one session of a client: a session is learned from as a whole."""


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    kind: str
    """Its class."""
    route: str
    """Where its author saw it; it is sent through all the same."""
    text: str
    secrets: tuple[str, ...]


Feed = Callable[[Daemon, Sequence[Case]], None]


def note(daemon: Daemon, cases: Sequence[Case]) -> None:
    """`note` with an argument and from standard input, and `mark failure` with the text as what was printed."""
    for number, case in enumerate(cases):
        if number % 2:
            _hardwon(daemon, "note", "--", _argument(case.text))
        else:
            _hardwon(daemon, "note", "-", stdin=case.text)
        _hardwon(daemon, "mark", "failure", f"attempt {number} does not work", "--error", "-", stdin=case.text)


def hook(daemon: Daemon, cases: Sequence[Case]) -> None:
    """What a client tells of a session: a prompt, commands, outputs, errors, edits, an answer."""
    daemon.start()
    for number, some in enumerate(_portions(cases)):
        session = Session(daemon, f"session-{number}")
        session.start()
        for case in some:
            _tell(session, case.text)
        session.end()
    daemon.settle()
    daemon.leave()


def _tell(session: Session, text: str) -> None:
    session.prompt(text)
    session.send("PreToolUse-Bash", tool_input={"command": text}, tool_use_id="toolu_before")
    session.passed(text, "done")
    session.passed("make check", text)
    session.failed("make check", f"Exit code 2\n{text}")
    session.failed(text, "Exit code 1\nno such file or directory: config.toml")
    session.before_edit(f"{session.daemon.folder}/settings.py", "a = 1", text)
    session.edited(f"{session.daemon.folder}/settings.py", "a = 1", text)
    session.edited(f"{session.daemon.folder}/settings.py", text, "a = 1")
    session.send("Stop", last_assistant_message=text)


def read(daemon: Daemon, cases: Sequence[Case]) -> None:
    """Sessions that a client wrote down, which `hardwon learn` reads."""
    folder = Path(daemon.environ()["HOME"]) / ".claude" / "projects" / "app"
    for number, some in enumerate(_portions(cases)):
        records = [record for case in some for record in _records(case, f"{number:04}", str(daemon.folder))]
        transcript(folder / f"{number:08}-0000-4000-8000-000000000000.jsonl", f"read-{number}", daemon.folder, *records)
    _run(daemon, "learn", "--yes")


def _records(case: Case, session: str, folder: str) -> Iterator[dict[str, Any]]:
    calls = (f"toolu_{session}{case.id}{number}" for number in range(9))
    prompt = {"promptId": f"prompt-{case.id}", "promptSource": "typed", "turnOrigin": "human"}
    yield {"type": "user", "message": {"role": "user", "content": case.text}, **prompt}
    yield from call(next(calls), "Bash", {"command": case.text}, "done")
    yield from call(next(calls), "Bash", {"command": "make check"}, case.text)
    yield from call(next(calls), "Bash", {"command": "make check"}, f"Exit code 2\n{case.text}", wrong=True)
    yield from call(next(calls), "Bash", {"command": case.text}, "Exit code 1\nno such file: config.toml", wrong=True)
    change = {"file_path": f"{folder}/settings.py", "old_string": "a = 1", "new_string": case.text}
    yield from call(next(calls), "Edit", change, "updated")
    said = [{"type": "text", "text": case.text}]
    yield {"type": "assistant", "message": {"role": "assistant", "stop_reason": "end_turn", "content": said}}


def take_in(daemon: Daemon, cases: Sequence[Case]) -> None:
    """`import`: records of another home, lines written by hand, a markdown file; and a file of the mirror."""
    lines = [line for number, case in enumerate(cases) for line in _lines(case, number)]
    export = daemon.folder.parent / "export.jsonl"
    export.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    _run(daemon, "import", str(export), codes=(0, 1))
    knowledge = daemon.folder.parent / "KNOWLEDGE.md"
    entries = [Entry(case.text.strip(), date="2026-03") for case in cases if case.text.strip()]
    knowledge.write_text("# Lessons\n\n" + "".join(map(knowledge_entries.written, entries)), "utf-8")
    _run(daemon, "import", str(knowledge), "--skill", "deploy", "--yes", codes=(0, 1))


def _lines(case: Case, number: int) -> Iterator[dict[str, Any]]:
    yield {"body": case.text, "title": "by hand"}
    yield {"body": f"by hand {number}", "title": case.text[:500], "because": case.text}
    payload = {
        "kind": "decision", "project": "*", "trust": "agent", "source": "agent", "status": "active", "created_at": 1,
        "body": f"decided {number}", "because": case.text, "rejected": [[case.text, case.text]],
        "anchors": [["command", case.text], ["error", case.text]], "evidence": [case.text],
    }  # fmt: skip
    yield {
        "type": "record", "device": "feed", "sequence": number + 1, "clock": (1_790_000_000_000 + number) << 16,
        "memory": f"018bcfe5-6800-7000-8000-{number:012x}", "operation": "create", "action": 1, "payload": payload,
    }  # fmt: skip


def mcp(daemon: Daemon, cases: Sequence[Case]) -> None:
    """`note`, `mark`, `check` and `recall` as an agent's calls."""
    daemon.start()
    for number, case in enumerate(cases):
        _ask(daemon, "note", text=case.text[:4000])
        _ask(daemon, "note", text=f"why {number} is so", intent=case.text, because=case.text, kind="decision")
        _ask(daemon, "mark", kind="failure", text=f"trial {number} fails", error=case.text, command=case.text)
        _ask(daemon, "mark", kind="decision", text=f"choice {number}", rejected=[case.text], because=case.text,
             subject=case.text)  # fmt: skip
        _ask(daemon, "check", command=case.text, error=case.text)
        _ask(daemon, "recall", query=case.text)
    daemon.leave()


def _ask(daemon: Daemon, tool: str, **arguments: Any) -> None:
    asked = {"arguments": arguments, "client": "claude-code", "session": "s1", "cwd": str(daemon.folder)}
    daemon.exchange(framed(tool, json.dumps(asked).encode(), host="mcp"))


ROUTES: dict[str, Feed] = {"note": note, "hook": hook, "transcript": read, "import": take_in, "mcp": mcp}


@contextlib.contextmanager
def fed(route: str, cases: Sequence[Case]) -> Iterator[Path]:
    """A home to which these cases came by one route, when everything is at rest."""
    with place() as daemon:
        daemon.home.root.mkdir(mode=0o700)
        ROUTES[route](daemon, cases)
        yield daemon.home.root


def _portions(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
    for start in range(0, len(cases), PER_SESSION):
        yield cases[start : start + PER_SESSION]


def _argument(text: str) -> str:
    return text.replace("\0", "") or " "


def _run(daemon: Daemon, *arguments: str, codes: tuple[int, ...] = (0,)) -> None:
    done = subprocess.run(
        [HARDWON, *arguments], cwd=daemon.folder, env=daemon.environ({"HARDWON_HOME": str(daemon.home.root)}),
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode not in codes:
        raise RuntimeError(f"hardwon {arguments[0]} ended with status {done.returncode}")


def _hardwon(daemon: Daemon, *arguments: str, stdin: str = "") -> None:
    """The command line inside this process, which saves the start of Python each time. What it refuses is not kept."""
    from hardwon.cli.app import run

    was, folder, streams = dict(os.environ), Path.cwd(), (sys.stdin, sys.stdout, sys.stderr)
    os.environ.clear()
    os.environ.update(daemon.environ({"HARDWON_HOME": str(daemon.home.root)}))
    os.chdir(daemon.folder)
    nowhere = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace")
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogatepass")), "utf-8")
    sys.stdout = sys.stderr = nowhere
    try:
        with contextlib.suppress(SystemExit):
            run(list(arguments))
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(was)
