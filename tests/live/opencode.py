"""OpenCode itself, or a client made of it, alone in a temporary folder, with a scripted model.

As with Claude Code, its environment holds nothing of the person's. The registry from which it would load packages is
an address where nobody listens, so whoever lets it wait for that waits in each of these tests.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live.chat_server import ChatServer
from tests.live.processes import living_below
from tests.live.session import Run, Session

PACKAGES = Path(__file__).parents[2] / "clients" / "node_modules"
WINDOW = 20_000
"""Tokens."""


@dataclass(frozen=True, slots=True)
class Made:
    """Which client it is."""

    name: str
    packages: tuple[str, ...]
    """Of each machine that it is installed for."""
    prefix: str
    """Of its variables."""

    @property
    def program(self) -> Path:
        found = [PACKAGES / package / "bin" / self.name for package in self.packages]
        return next(filter(Path.exists, found), found[0])


OPENCODE = Made(
    "opencode", ("opencode-linux-x64-baseline", "opencode-linux-arm64", "opencode-darwin-arm64"), "OPENCODE"
)
KILO = Made("kilo", ("@kilocode/cli-linux-x64",), "KILO")


def ripgrep() -> Path | None:
    """It loads a skill by it, and would fetch it from elsewhere."""
    return next((path.parent for path in PACKAGES.glob("@vscode/ripgrep-*/bin/rg")), None)


class OpenCode:
    def __init__(self, root: Path, model: ChatServer, made: Made = OPENCODE) -> None:
        self.made = made
        self.root = root.resolve()
        self.home = self.root / "home"
        self.config = self.home / ".config" / made.name
        self.project = self.root / "project"
        self.temp = Path(tempfile.mkdtemp(prefix="opencode-", dir="/tmp"))
        path = [Path(sys.executable).parent, *filter(None, [ripgrep()]), os.environ.get("PATH", os.defpath)]
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "SHARE", "SESSION_INGEST")
        self.environment = {
            "PATH": os.pathsep.join(map(str, path)),
            "HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "npm_config_registry": "http://127.0.0.1:9/",
            **{f"{made.prefix}_DISABLE_{name}": "1" for name in off},
        }
        self._sessions: list[Session] = []
        self.config.mkdir(parents=True)
        self.project.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, env=self.environment, check=True)
        self.settings = self.config / f"{made.name}.json"
        self.configure(model)

    def configure(self, model: ChatServer, **more: Any) -> None:
        """The person's settings."""
        limit = {"context": WINDOW, "output": 4_000}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": model.url, "apiKey": "dummy"},
            "models": {"scripted": {"tool_call": True, "limit": limit}},
        }
        named = "scripted/scripted"
        settings: dict[str, Any] = {
            "$schema": f"https://{self.made.name}.invalid/config.json",
            "model": named,
            "small_model": named,
        }
        settings |= {"enabled_providers": ["scripted"], "autoupdate": False, "share": "disabled"}
        settings |= {"permission": {"*": "allow"}, "provider": {"scripted": provider}, **more}
        self.settings.write_text(json.dumps(settings, indent=2))

    def add_skill(self, name: str, body: str) -> Path:
        path = self.config / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"---\nname: {name}\ndescription: How to {name}\n---\n{body}\n")
        return path

    def run(self, prompt: str, *flags: str, timeout: float = 60) -> Run:
        """One prompt from beginning to end."""
        return self.start(prompt, *flags).wait(timeout)

    def start(self, prompt: str, *flags: str) -> Session:
        traces = self.root / "sessions" / str(len(self._sessions))
        traces.mkdir(parents=True)
        session = Session(
            [str(self.made.program), "run", "--format", "json", *flags, prompt],
            cwd=self.project,
            env=self.environment,
            traces=traces,
        )
        self._sessions.append(session)
        return session

    def log(self) -> str:
        """What it wrote down of itself."""
        files = self.home.glob(f".local/share/{self.made.name}/log/*.log")
        return "".join(file.read_text(errors="replace") for file in files)

    def close(self) -> None:
        """End what still runs. A process that outlived its session is ended too, and is a failure."""
        for session in self._sessions:
            if session.running:
                session.kill()
        shutil.rmtree(self.temp, ignore_errors=True)
        left = living_below(self.root, [session.pid for session in self._sessions])
        assert not left, f"outlived the client and were ended now: {left}"


def missing(made: Made) -> str | None:
    """Why it can't be run here, if it can't."""
    if not made.program.exists():
        return f"{made.program} is missing: rm -rf clients && make test"
    return None if ripgrep() or shutil.which("rg") else "ripgrep is missing"
