"""A daemon of one's own: a home with a short path, a real process, messages as the hook client sends them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from hardwon import __version__
from hardwon.daemon import ask
from hardwon.event import Event
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, LinkKind, Scope, Trust
from hardwon.paths import Home, remove_socket
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.tables import journal, showings
from hardwon.text import errors
from tests.support import now, opened

T = TypeVar("T")

PATIENCE = 60.0


@dataclass
class Daemon:
    home: Home
    folder: Path
    """A project: the folder that the client works in."""
    environment: dict[str, str] = field(default_factory=dict)

    def environ(self, more: dict[str, str] | None = None) -> dict[str, str]:
        return {
            "PATH": os.defpath,
            "HOME": str(self.folder.parent),
            "LANG": "C.UTF-8",
            "HARDWON_STRICT_BORDERS": "1",
            # Tests of vectors switch them on; the others need not load a model each.
            "HARDWON_VECTORS_MODEL": "off",
            **self.environment,
            **(more or {}),
        }

    def command(self, what: str = "run") -> list[str]:
        return [sys.executable, "-E", "-P", "-m", "hardwon.daemon", str(self.home.root), what]

    def spawn(self, command: list[str] | None = None, **env: str) -> subprocess.Popen[bytes]:
        nowhere = subprocess.DEVNULL
        return subprocess.Popen(
            command or self.command(), env=self.environ(env), stdin=nowhere, stdout=nowhere, stderr=nowhere,
            start_new_session=True,
        )  # fmt: skip

    def start(self, command: list[str] | None = None, **env: str) -> int:
        """Start one and wait until it answers; its process id."""
        self.reaped(self.spawn(command, **env))
        return int(until(lambda: (self.status() or {}).get("pid", 0), "the daemon came up"))

    def reaped(self, process: subprocess.Popen[bytes]) -> None:
        """Remember a child of ours: it stays a zombie in /proc until somebody asks for its status."""
        self._children.append(process)

    _children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def status(self) -> dict[str, Any] | None:
        return ask.ask_socket(self.home.socket, "status", PATIENCE)

    def leave(self) -> None:
        """Let it write everything down and wait until it is gone."""
        if self.pids():
            ask.ask_socket(self.home.socket, "leave", PATIENCE)
        until(lambda: not self.pids(), "the daemon left")

    def settle(self) -> None:
        """Wait until everything that was sent is kept."""
        until(lambda: (self.status() or {}).get("waiting") == 0, "everything was kept")

    def pids(self) -> list[int]:
        """The processes that run for this home, by what /proc says of them."""
        for child in self._children:
            child.poll()
        root = str(self.home.root)
        return [pid for pid, words in processes() if root in words and any("hardwon.daemon" in word for word in words)]

    def kill(self) -> None:
        """As a crash would: now."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not self.pids(), "the daemon died")

    def connect(self) -> socket.socket:
        """Waits for its turn, as the hook client does; only then a time-out would make it hurry."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self.home.socket))
        except OSError:
            connection.close()
            raise
        connection.settimeout(PATIENCE)
        return connection

    def exchange(self, message: bytes) -> bytes:
        """What it answers to these bytes."""
        with self.connect() as connection:
            connection.sendall(message)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def send(self, event: str, payload: dict[str, Any], limit: int = 5_000) -> dict[str, Any]:
        """A hook message; the event's own part of the answer, empty when it is silent."""
        reply = self.exchange(framed(event, json.dumps(payload).encode(), limit))
        answer: dict[str, Any] = json.loads(reply)["hookSpecificOutput"] if reply else {}
        assert answer.get("hookEventName", event) == event
        return answer

    @contextlib.contextmanager
    def store(self, *, write: bool = False) -> Iterator[Store]:
        with opened(self.home.root, write=write) as store:
            yield store

    def journal(self, session: str = "s1") -> list[Event]:
        with self.store() as store:
            return list(journal.of_session(store, "claude-code", session))

    def shown(self, session: str = "s1") -> list[showings.Showing]:
        with self.store() as store:
            return showings.of_session(store, "claude-code", session)

    @property
    def log(self) -> str:
        return self.home.log.read_text("utf-8") if self.home.log.exists() else ""

    def clean_up(self) -> None:
        """End whatever still runs for this place: a daemon, a hook client that waits for one."""
        root = str(self.folder.parent)
        for pid, words in processes():
            if any(root in word for word in words):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for child in self._children:
            child.wait(PATIENCE)
        shutil.rmtree(root, ignore_errors=True)
        remove_socket(self.home)


@contextlib.contextmanager
def place() -> Iterator[Daemon]:
    """An empty home beside a project folder; at its end no process and no file is left."""
    root = Path(tempfile.mkdtemp(prefix="hw-")).resolve()
    folder = root / "app"
    folder.mkdir()
    daemon = Daemon(Home(root / "h"), folder)
    try:
        yield daemon
    finally:
        daemon.clean_up()


def framed(event: str, payload: bytes, limit: int = 5_000, *, host: str = "claude-code", version: str = "") -> bytes:
    return f"1 {version or __version__} {host} {event} {limit}\n".encode() + payload


def processes() -> Iterator[tuple[int, list[str]]]:
    """Every process that is not a zombie, with its command line."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                if words != [""]:
                    yield int(folder.name), words


def resident(pid: int) -> int:
    """Bytes of memory that a process takes up."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) * 1_000


def handles(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children(pid: int) -> list[int]:
    """The processes that a process started and that still run."""
    found = []
    for other, _ in processes():
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{other}/stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(other)
    return found


def until(found: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """Ask again until there is an answer."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, f"after {seconds} s it was still not so that {what}"
        time.sleep(0.01)
    return answer


# What the memory knows before a session begins


def project_of(store: Store, folder: Path) -> str:
    _, project = projects.claim(store, folder, now())
    return project.id


def keep(
    store: Store, body: str, kind: Kind = Kind.LESSON, *, folder: Path | None = None, project: str = "",
    skill: str = "", trust: Trust = Trust.USER, command: str = "", file: str = "", **fields: Any,
) -> str:  # fmt: skip
    """A memory of a folder's project; its id."""
    anchors = (
        *([Anchor(AnchorKind.COMMAND, command)] if command else []),
        *([Anchor(AnchorKind.FILE, file)] if file else []),
    )
    scope = Scope(project_of(store, folder) if folder else project, skill or None)
    source = "user" if trust is Trust.USER else "session"
    draft = Draft(kind, body, scope, trust, source, anchors=(*anchors, *fields.pop("anchors", ())), **fields)
    id = changes.note(store, draft, now()).id
    assert id is not None
    return id


REFUSED = "Exit code 1\nconnect: connection refused on /var/run/pg.sock"


def keep_fixed(store: Store, folder: Path, command: str, *, times: int, file: str = "") -> tuple[str, str]:
    """A command or a file that failed so often and once worked: the ids of the failure and of the fix."""
    about = {"file": file} if file else {"command": command}
    failed = f"`{command or file}` failed: connection refused"
    signature = Anchor(AnchorKind.ERROR, errors.signature(REFUSED))
    failure = ""
    for _ in range(times):
        failure = keep(store, failed, Kind.FAILURE, folder=folder, trust=Trust.VERIFIED, anchors=(signature,), **about)
    for _ in range(times):
        fix = keep(store, "start the database first", Kind.FIX, folder=folder, trust=Trust.VERIFIED, **about)
    changes.link(store, fix, LinkKind.FIXES, failure, now())
    return failure, fix
