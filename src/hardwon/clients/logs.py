"""The records that clients write of their sessions: what every client has the same, and what one says of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from hardwon.clients import log_lines
from hardwon.event import Event


class Log(Protocol):
    """One session's record, read a portion at a time."""

    path: Path
    end: int
    """Where the next reading goes on."""

    def portions(self, offset: int = 0) -> Iterator[list[Event]]: ...


class Logs:
    """A client's records, `LOGS` in its `transcript.py`."""

    files: tuple[str, ...] = (".jsonl",)
    """How the names of its files end."""

    def open(self, path: Path) -> Log:
        raise NotImplementedError

    def is_one(self, beginning: bytes) -> bool:
        """Whether a file that begins like this is one of its sessions."""
        raise NotImplementedError

    def folder(self, environ: Mapping[str, str], user: Path) -> Path | None:  # noqa: ARG002
        """Where it keeps its sessions; None where they lie in the projects themselves."""
        return None

    def parts(self, path: Path) -> list[Path]:  # noqa: ARG002
        """The files of a session's sub-agents, where they have files of their own."""
        return []

    def is_part(self, path: Path) -> bool:  # noqa: ARG002
        """Whether a file comes with another one's session."""
        return False

    def of_same_project(self, path: Path) -> list[Path]:  # noqa: ARG002
        """Sessions that lie beside this one, where that says that they are of one project."""
        return []

    def started_in(self, path: Path, home: str) -> str:  # noqa: ARG002
        """The folder in which a session began; empty where nothing tells of it. `home` where it ran elsewhere."""
        return log_lines.folder_named(path)

    def settings(self, transcript: str) -> str:  # noqa: ARG002
        """The client's settings folder, where a record's place tells of it: it may be elsewhere than in the home."""
        return ""

    def why_not(self, size: int) -> str | None:  # noqa: ARG002
        """Why one of this many bytes can't be read."""
        return None
