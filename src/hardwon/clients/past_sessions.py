"""The sessions of the past that clients have left on the disk, and which client a given file is of.

What a file is, is known by what is in it: it may have been moved, renamed, or fetched from another machine.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwon.clients.aider import transcript as aider_log
from hardwon.clients.claude_code import messages as claude_code
from hardwon.clients.claude_code import transcript as claude_code_transcript
from hardwon.clients.codex import transcript as codex_transcript
from hardwon.clients.log_lines import head
from hardwon.clients.swe_agent import transcript as swe_agent_log
from hardwon.paths import user_folder
from hardwon.regular_file import status

Reading = claude_code_transcript.Reading | codex_transcript.Reading | swe_agent_log.Reading | aider_log.Reading

_READINGS: dict[str, type[Reading]] = {
    claude_code.NAME: claude_code_transcript.Reading,
    codex_transcript.NAME: codex_transcript.Reading,
    swe_agent_log.NAME: swe_agent_log.Reading,
    aider_log.NAME: aider_log.Reading,
}
CLIENTS = tuple(_READINGS)
_NAMES = (".jsonl", ".traj", aider_log.FILE)
_CWD = re.compile(rb'"cwd":\s?("(?:[^"\\]|\\.){1,4000}")')
_CLAUDE = re.compile(rb'"sessionId":\s?"')
_CODEX = re.compile(rb'"type":\s?"session_meta"')
_TRAJECTORY = re.compile(rb'"(?:trajectory|environment)":\s')


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


def opened(client: str, path: Path) -> Reading:
    return _READINGS[client](path)


def folders(environ: Mapping[str, str]) -> dict[str, Path]:
    """Where each installed client keeps its sessions."""
    user = user_folder(environ) or Path("/")
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or user / ".claude").absolute()
    codex = Path(environ.get("CODEX_HOME") or user / ".codex").absolute()
    found = {claude_code.NAME: claude / "projects", codex_transcript.NAME: codex / "sessions"}
    return {client: folder for client, folder in found.items() if folder.is_dir()}


def of_clients(environ: Mapping[str, str]) -> Iterator[Log]:
    """Every past session of every client that is here."""
    for folder in folders(environ).values():
        yield from below(folder)


def below(folder: Path) -> Iterator[Log]:
    """Every session below a folder; links are not followed."""
    for place, names, files in os.walk(folder):
        names.sort()
        for file in sorted(files):
            path = Path(place, file)
            if file.endswith(_NAMES) and not _has_session(path) and (log := of_file(path)):
                yield log


def _has_session(path: Path) -> bool:
    """A sub-agent's file comes with its session's."""
    return path.parent.name == "subagents" and path.parents[1].with_suffix(".jsonl").is_file()


def of_file(path: Path) -> Log | None:
    """What a file is; None where it is nobody's session, or can't be read."""
    path = Path(os.path.abspath(path))  # noqa: PTH100  a link stays one: the client names the file by it
    try:
        client = client_of(head(path))
    except OSError:
        return None
    if client is None:
        return None
    agents = claude_code_transcript.sub_agents(path) if client == claude_code.NAME else ()
    return Log(client, path, tuple(agents))


def client_of(beginning: bytes) -> str | None:
    """The client that writes files which begin like this."""
    if b"\n" + aider_log.STARTED in b"\n" + beginning:
        return aider_log.NAME
    if not beginning.lstrip().startswith(b"{"):
        return None
    if _CODEX.search(beginning[:4_000]):
        return codex_transcript.NAME
    if _CLAUDE.search(beginning):
        return claude_code.NAME
    return swe_agent_log.NAME if _TRAJECTORY.search(beginning[:4_000]) else None


def folder_of(log: Log, home: str = "") -> str:
    """The folder in which a session began; empty where nothing tells of it. `home` is for those that ran elsewhere."""
    if log.client == aider_log.NAME:
        return str(log.path.parent)
    if log.client == swe_agent_log.NAME:
        return home or str(log.path.parent)
    try:
        found = _CWD.search(head(log.path, 262_144))
        return str(json.loads(found[1])) if found else ""
    except (OSError, ValueError):
        return ""


def why_not(log: Log) -> str | None:
    """Why a log can't be read."""
    if (found := status(log.path)) is None:
        return "they are gone, or can't be read"
    if log.client == swe_agent_log.NAME and found.st_size > swe_agent_log.LARGEST:
        return f"a trajectory of more than {swe_agent_log.LARGEST // 1_000_000} MB can't be read"
    return None


def is_within(path: Path, places: Sequence[Path]) -> bool:
    real = path.resolve()
    return any(real.is_relative_to(place.resolve()) for place in places)
