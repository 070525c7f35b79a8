"""Transcripts as Claude Code writes them, of any size, the same ones for the same seed.

Two thirds of the bytes are the client's bookkeeping, as in recorded files. The rest is a day's work: source files that
are read, edits, test runs and server logs, tests that fail and pass after an edit; every so often somebody's key.
"""

from __future__ import annotations

import datetime
import itertools
import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.texts import source_files

SESSION = 25_000_000
"""Bytes of a session: a long day's."""
START = 1_790_000_000
_PACKAGES = ("parser", "billing", "shop", "auth", "search", "mailer", "reports", "queue")


def write(folder: Path, size: int, cwd: Path, *, one_file: bool = False) -> list[Path]:
    """Files of together this many bytes; each a session, or all of it in one."""
    made: list[Path] = []
    left, sources = size, _sources()
    while left > 0:
        session = str(uuid.UUID(int=random.Random(len(made)).getrandbits(128)))
        path = folder / f"{session}.jsonl"
        left -= _write(path, Day(session, str(cwd), sources), left if one_file else min(left, SESSION))
        made.append(path)
    return made


def _write(path: Path, day: Day, size: int) -> int:
    written = 0
    with path.open("wb") as file:
        for record in day.records():
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            file.write(line)
            written += len(line)
            if written >= size:
                return written
    return written


def _sources() -> list[str]:
    return [text for _, text in itertools.islice(source_files(), 600) if len(text) > 500]


class Day:
    """One session, for ever."""

    def __init__(self, session: str, cwd: str, sources: list[str]) -> None:
        self._chance = random.Random(session)
        self._session, self._cwd, self._sources = session, cwd, sources
        self._at = START * 1000
        self._calls = 0
        self._prompt = ""

    def records(self) -> Iterator[dict[str, Any]]:
        while True:
            self._prompt = self._id()
            yield self._record("user", message={"role": "user", "content": self._asked()}, promptId=self._prompt,
                               promptSource="typed", turnOrigin="human")  # fmt: skip
            for _ in range(self._chance.randrange(6, 20)):
                yield from self._bookkeeping()
                yield from self._chance.choices((self._look, self._run, self._edit, self._mishap), (5, 4, 3, 1))[0]()
            said = self._chance.choice(self._sources)[:400]
            yield self._record("assistant", message={"role": "assistant", "stop_reason": "end_turn",
                                                     "content": [{"type": "text", "text": said}]})  # fmt: skip

    def _bookkeeping(self) -> Iterator[dict[str, Any]]:
        """A copy of the request, what hooks did, costs."""
        sent = "".join(self._chance.choice(self._sources)[:12_000] for _ in range(2))
        yield {"type": "api-request", "requestId": self._id(), "sessionId": self._session, "body": {"messages": [sent]}}
        yield {"parentUuid": self._id(), "isSidechain": False, "attachment": {"type": "hook_success", "stdout": "",
               "exitCode": 0}, "type": "attachment", "uuid": self._id(), "sessionId": self._session}  # fmt: skip
        yield {"type": "cost-state", "sessionId": self._session, "total": self._chance.random()}

    def _look(self) -> Iterator[dict[str, Any]]:
        text = self._chance.choice(self._sources)[:20_000]
        file = f"{self._cwd}/src/{self._chance.choice(_PACKAGES)}/{self._chance.randrange(40)}.py"
        yield from self._call("Read", {"file_path": file}, text, {"type": "text", "file": {"content": text}})

    def _run(self) -> Iterator[dict[str, Any]]:
        command = f"make {self._chance.choice(_PACKAGES)}-check"
        text = "\n".join(self._log_line() for _ in range(self._chance.randrange(5, 150)))
        if not self._chance.randrange(25):
            text += f"\nexport AWS_SECRET_ACCESS_KEY={self._secret(40)}\ntoken: ghp_{self._secret(36)}"
        yield from self._call("Bash", {"command": command}, text, {"stdout": text, "stderr": "", "interrupted": False})

    def _edit(self) -> Iterator[dict[str, Any]]:
        file = f"{self._cwd}/src/{self._chance.choice(_PACKAGES)}/{self._chance.randrange(40)}.py"
        source = self._chance.choice(self._sources)
        given = {"file_path": file, "old_string": source[:600], "new_string": source[600:1500]}
        yield from self._call("Edit", given, f"The file {file} has been updated.", {"originalFile": source[:9_000]})

    def _mishap(self) -> Iterator[dict[str, Any]]:
        """A test fails, an edit, the test passes."""
        package, number = self._chance.choice(_PACKAGES), self._chance.randrange(60)
        command = f"pytest tests/{package}/test_{number}.py"
        where = f"src/{package}/{number}.py"
        trace = f'  File "{self._cwd}/{where}", line {self._chance.randrange(900)}, in load_{number}'
        error = f"KeyError: 'field_{number}'"
        said = f"Exit code 1\n{self._log_line()}\nTraceback (most recent call last):\n{trace}\n{error}"
        yield from self._call("Bash", {"command": command}, said, f"Error: {said}", failed=True)
        given = {"file_path": f"{self._cwd}/{where}", "old_string": f"row['field_{number}']",
                 "new_string": f"row.get('field_{number}')"}  # fmt: skip
        yield from self._call("Edit", given, "updated", {"originalFile": ""})
        yield from self._call("Bash", {"command": command}, "1 passed", {"stdout": "1 passed", "stderr": ""})

    def _call(self, tool: str, given: dict[str, Any], text: str, result: Any, *, failed: bool = False,
              ) -> Iterator[dict[str, Any]]:  # fmt: skip
        self._calls += 1
        id = f"toolu_{self._session[:18]}{self._calls:08}"
        use = {"type": "tool_use", "id": id, "name": tool, "input": given}
        yield self._record("assistant", message={"role": "assistant", "stop_reason": "tool_use", "content": [use]})
        back = {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
        yield self._record("user", message={"role": "user", "content": [back]}, promptId=self._prompt,
                           toolUseResult=result)  # fmt: skip

    def _record(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._at += self._chance.randrange(500, 20_000)
        whole, part = divmod(self._at, 1000)
        stamp = f"{_iso(whole)}.{part:03}Z"
        return {"parentUuid": self._id(), "isSidechain": False, "type": kind, "uuid": self._id(), "timestamp": stamp,
                "userType": "external", "cwd": self._cwd, "sessionId": self._session, "version": "2.1.325",
                **fields}  # fmt: skip

    def _asked(self) -> str:
        words = " ".join(self._chance.choice(self._sources)[:300].split())
        return f"Please look at {self._chance.choice(_PACKAGES)}: {words}"

    def _log_line(self) -> str:
        chance = self._chance
        at = f"2026-02-03T04:{chance.randrange(60):02}:{chance.randrange(60):02}Z"
        what = f"request done path=/v1/items/{chance.randrange(10**6)} ms={chance.random() * 100:.1f}"
        return f"{at} INFO worker[{chance.randrange(99)}] {what} trace={chance.getrandbits(128):032x}"

    def _secret(self, length: int) -> str:
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
        return "".join(self._chance.choices(letters, k=length))

    def _id(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))


def _iso(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
