"""The sessions of the past that clients have left on the disk, and which client a given file is of.

What a file is, is known by what is in it: it may have been moved, renamed, or fetched from another machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwon import clients
from hardwon.clients.log_lines import head
from hardwon.clients.logs import Log as Record
from hardwon.clients.logs import Logs
from hardwon.paths import user_folder
from hardwon.regular_file import status

Failed = Callable[[OSError], object]


def written_by() -> tuple[str, ...]:
    """The clients whose sessions can be read."""
    return tuple(client.name for client in clients.every() if client.logs)


@dataclass(frozen=True, slots=True)
class Log:
    """One session as a client wrote it down, with those of its sub-agents; aider's has several sessions."""

    client: str
    path: Path
    sub_agents: tuple[Path, ...] = ()

    @property
    def files(self) -> tuple[Path, ...]:
        return (self.path, *self.sub_agents)

    @property
    def written_at(self) -> int:
        return max((int(found.st_mtime * 1000) for file in self.files if (found := status(file))), default=0)


def opened(client: str, path: Path) -> Record:
    return _logs(client).open(path)


def _logs(client: str) -> Logs:
    found = clients.logs(client)
    if found is None:
        raise ValueError(f"{client}: its sessions can't be read; known are {', '.join(written_by())}")
    return found


def folders(environ: Mapping[str, str]) -> dict[str, Path]:
    """Where each installed client keeps its sessions."""
    user = user_folder(environ) or Path("/")
    found = {one.name: one.logs.folder(environ, user) for one in clients.every() if one.logs}
    return {client: folder for client, folder in found.items() if folder and folder.is_dir()}


def pass_over(error: OSError) -> None:
    """A file that can't be read, or a folder: what there is besides is read all the same."""


def of_clients(environ: Mapping[str, str], failed: Failed = pass_over) -> Iterator[Log]:
    """Every past session of every client that is here."""
    for folder in folders(environ).values():
        yield from below(folder, failed)


def below(folder: Path, failed: Failed = pass_over) -> Iterator[Log]:
    """Every session below a folder; links are not followed. `failed` is told of what can't be read."""
    known = [one.logs for one in clients.every() if one.logs]
    ends = tuple({end for logs in known for end in logs.files})
    for place, names, files in os.walk(folder, onerror=failed):
        names.sort()
        for file in sorted(files):
            path = Path(place, file)
            if file.endswith(ends) and not any(logs.is_part(path) for logs in known) and (log := of_file(path, failed)):
                yield log


def of_file(path: Path, failed: Failed = pass_over) -> Log | None:
    """What a file is; None where it is nobody's session, or can't be read."""
    path = Path(os.path.abspath(path))  # noqa: PTH100  a link stays one: the client names the file by it
    try:
        client = client_of(head(path))
    except OSError as error:
        failed(error)
        return None
    if client is None:
        return None
    return Log(client, path, tuple(_logs(client).parts(path)))


def client_of(beginning: bytes) -> str | None:
    """The client that writes files which begin like this; a narrow sign is asked for before a wide one."""
    return next((one.name for one in clients.every() if one.logs and one.logs.is_one(beginning)), None)


def folder_of(log: Log, home: str = "") -> str:
    """The folder in which a session began; empty where nothing tells of it. `home` is for those that ran elsewhere."""
    return _logs(log.client).started_in(log.path, home)


def why_not(log: Log) -> str | None:
    """Why a log can't be read."""
    if (found := status(log.path)) is None:
        return "they are gone, or can't be read"
    return _logs(log.client).why_not(found.st_size)


def is_within(path: Path, places: Sequence[Path]) -> bool:
    real = path.resolve()
    return any(real.is_relative_to(place.resolve()) for place in places)
