"""Pi itself, alone in a temporary folder, with a scripted model for its only correspondent; and hardwon in it.

    def test_it(pi: Pi, chat: ChatServer) -> None:
        chat.script(use(tool("bash", command="ls")), say("done"))
        run = pi.run("look around")

Its environment holds nothing of the person's: a home and a project of its own, a key that opens nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardwon.paths import Home, make
from tests.commandline import Cli
from tests.live.live import Live
from tests.live.openai_chat_server import MODEL, ChatServer
from tests.live.processes import living_below
from tests.live.session import Run, Session

PACKAGES = Path(__file__).parents[2] / "clients" / "pi" / "node_modules"
VERSIONS = ("0.73", "0.87", "0.99")
NEWEST = VERSIONS[-1]


def node() -> str:
    """Node 22, where `make test` installs it: Pi wants nothing older since 0.74."""
    return next((str(found) for found in PACKAGES.glob("node-*/bin/node")), shutil.which("node") or "node")


def program(version: str) -> Path:
    package = PACKAGES / f"pi-{version}"
    described = package / "package.json"
    return package / json.loads(described.read_text())["bin"]["pi"] if described.exists() else package / "missing"


def client_missing(version: str) -> str | None:
    """Why this Pi can't be run here, if it can't."""
    if program(version).exists():
        return None
    if shutil.which("npm") is None:
        return "npm is missing, so Pi is not installed"
    return f"{program(version)} is missing: rm -rf clients && make test"


class Pi:
    def __init__(self, root: Path, model: ChatServer, version: str = NEWEST) -> None:
        self.root = root.resolve()
        self.version = version
        self.home = self.root / "home"
        self.config = self.home / ".pi" / "agent"
        self.project = self.root / "project"
        """Where it is started: an empty git repository."""
        self.temp = Path(tempfile.mkdtemp(prefix="pi-", dir="/tmp"))
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "PI_OFFLINE": "1",
            "PI_SKIP_VERSION_CHECK": "1",
            "PI_TELEMETRY": "0",
        }
        """All that it is given; a test may add to it."""
        self._sessions: list[Session] = []
        self.config.mkdir(parents=True)
        self.project.mkdir()
        models = [{"id": MODEL, "contextWindow": 40_000, "maxTokens": 4_000}]
        provider = {"baseUrl": model.url, "api": "openai-completions", "apiKey": "dummy", "models": models}
        (self.config / "models.json").write_text(json.dumps({"providers": {"scripted": provider}}))
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, env=self.environment, check=True)

    def add_skill(self, name: str, body: str, frontmatter: Mapping[str, Any] | None = None) -> Path:
        """A skill of the user; its SKILL.md."""
        head = {"name": name, "description": f"How to {name}", **(frontmatter or {})}
        path = self.config / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        lines = [f"{key}: {json.dumps(value)}" for key, value in head.items()]  # JSON is YAML too
        path.write_text("\n".join(["---", *lines, "---", body, ""]))
        return path

    def run(self, *prompts: str, flags: tuple[str, ...] = (), timeout: float = 60) -> Run:
        """These prompts, one turn after the other, from the beginning of a session to its end."""
        return self.start(*prompts, flags=flags).wait(timeout)

    def start(self, *prompts: str, flags: tuple[str, ...] = ()) -> Session:
        """The same in the background."""
        traces = self.root / "sessions" / str(len(self._sessions))
        traces.mkdir(parents=True)
        always = ["--model", f"scripted/{MODEL}", "--mode", "json", "-p"]
        command = [node(), str(program(self.version)), *always, *flags, *prompts]
        self._sessions.append(Session(command, cwd=self.project, env=self.environment, traces=traces))
        return self._sessions[-1]

    def files(self) -> list[Path]:
        """What it wrote down of its sessions, the oldest first."""
        return sorted(self.config.glob("sessions/*/*.jsonl"))

    def close(self) -> None:
        """End what still runs. A process that outlived its session is ended too, and is a failure."""
        for session in self._sessions:
            if session.running:
                session.kill()
        shutil.rmtree(self.temp, ignore_errors=True)
        left = living_below(self.root, [session.pid for session in self._sessions])
        assert not left, f"outlived the client and were ended now: {left}"


class PiLive(Live):
    """One home of hardwon, set up in Pi by its own command."""

    def __init__(self, pi: Pi) -> None:
        self.pi = pi
        self.home = Home(pi.home / ".hardwon")
        make(self.home)
        self.cli = Cli(self.home.root, pi.project)
        self.home.settings.write_text('[vectors]\nmodel = "off"\n')
        self.hardwon("setup", "pi", "--yes")

    def hardwon(self, *arguments: str, code: int = 0) -> str:
        return self.cli.run(*arguments, env={"HOME": str(self.pi.home)}, code=code).stdout
