"""The toy's record of a session, `~/.toy/runs/RUN/session.toylog`: a head, then blocks, each ended by a line `---`.

toylog 1
run: r1
dir: /app
---
kind: broke
step: c1
tool: shell.run
line: make test
code: 2
<TAB>what it gave, each line behind a tab
---
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hardwon.clients.logs import Log, Logs
from hardwon.clients.reading import MOST_EVENTS
from hardwon.event import Event
from tests.clients.toy import messages

BEGINS = b"toylog 1\n"


class Record:
    """One session. It is small, so each reading begins at the head, without which no block means anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = 0

    def portions(self, offset: int = 0) -> Iterator[list[Event]]:
        found: list[Event] = []
        head: dict[str, str] = {}
        for end, block in _blocks(self.path):
            if not head:
                head = block | {"log": str(self.path)}
            elif end > offset and messages.knows(block.get("kind", "")):
                found += _events(head, block)
            self.end = end
            if len(found) >= MOST_EVENTS:
                yield found
                found = []
        if found or self.end > offset:
            yield found


def _events(head: Mapping[str, str], block: Mapping[str, str]) -> list[Event]:
    """Nothing of a damaged block: the rest is read all the same."""
    try:
        return [messages.happened(block["kind"], {**head, **block, "with": block})]
    except (KeyError, ValueError):
        return []


def _blocks(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Each block that was written whole, and where the next one begins."""
    fields: dict[str, str] = {}
    end = 0
    with path.open("rb") as file:
        for raw in file:
            end += len(raw)
            line = raw.decode(errors="replace").rstrip("\n")
            if raw == b"---\n":
                yield end, fields
                fields = {}
            elif line.startswith("\t"):
                fields["gave"] = f"{fields['gave']}\n{line[1:]}" if "gave" in fields else line[1:]
            else:
                name, _, value = line.partition(": ")
                fields[name] = value


class ToyLogs(Logs):
    files = (".toylog",)

    def open(self, path: Path) -> Log:
        return Record(path)

    def is_one(self, beginning: bytes) -> bool:
        return beginning.startswith(BEGINS)

    def folder(self, environ: Mapping[str, str], user: Path) -> Path | None:  # noqa: ARG002
        return user / ".toy" / "runs"

    def started_in(self, path: Path, home: str) -> str:  # noqa: ARG002
        return next((head.get("dir", "") for _, head in _blocks(path)), "")


LOGS = ToyLogs()
