"""Claude Code itself, alone in a temporary folder, with a scripted model for its only correspondent.

    def test_it(claude: ClaudeCode, model: ModelServer) -> None:
        model.script(use(bash("ls")), say("done"))
        run = claude.run("look around")

Its environment holds nothing of the person's: a home, a configuration and a project of its own, a key that opens
nothing, an address on this machine. It may run every tool unasked.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.live.messages_server import ModelServer
from tests.live.processes import living_below
from tests.live.session import Run, Session

PACKAGES = Path(__file__).parents[2] / "clients" / "node_modules" / "@anthropic-ai"


def program() -> Path:
    """The native client, where `make test` installs it. The script in .bin is a stub: it wants an install script."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    names = [f"claude-code-{sys.platform}-{machine}{libc}" for libc in ("", "-musl")]
    return next(filter(Path.exists, [PACKAGES / name / "claude" for name in names]), PACKAGES / names[0] / "claude")


def client_missing() -> str | None:
    """Why Claude Code can't be run here, if it can't."""
    if program().exists():
        return None
    if shutil.which("npm") is None:
        return "npm is missing, so Claude Code is not installed"
    return f"{program()} is missing: rm -rf clients && make test"


def must_be_here() -> bool:
    """In CI a missing client is a failure, except where it can't be installed."""
    return os.environ.get("CI") == "true" and shutil.which("npm") is not None


class ClaudeCode:
    def __init__(self, root: Path, model: ModelServer) -> None:
        self.root = root.resolve()
        self.home = self.root / "home"
        self.config = self.home / ".claude"
        self.project = self.root / "project"
        """Where it is started: an empty git repository."""
        self.temp = Path(tempfile.mkdtemp(prefix="claude-", dir="/tmp"))
        """Not below the root: the path of a socket must be short, or it goes where other sessions have theirs."""
        self.plugin_dir: Path | None = None
        """Loaded for each session, when set."""
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "dummy",
            "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
        }
        """All that it is given; a test may add to it."""
        self._sessions: list[Session] = []
        self.config.mkdir(parents=True)
        self.project.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, env=self.environment, check=True)

    def settings(self, settings: Mapping[str, Any]) -> None:
        """Replace the user's settings: hooks, permissions."""
        (self.config / "settings.json").write_text(json.dumps(settings, indent=2))

    def add_skill(
        self, name: str, body: str, frontmatter: Mapping[str, Any] | None = None, *, project: bool = False
    ) -> Path:
        """A skill of the user, or of the project; its SKILL.md."""
        head = {"name": name, "description": f"How to {name}", **(frontmatter or {})}
        path = (self.project / ".claude" if project else self.config) / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        lines = [f"{key}: {json.dumps(value)}" for key, value in head.items()]  # JSON is YAML too
        path.write_text("\n".join(["---", *lines, "---", body, ""]))
        return path

    def run(
        self,
        prompt: str,
        *flags: str,
        resume: str | None = None,
        fork: bool = False,
        cwd: Path | None = None,
        timeout: float = 60,
    ) -> Run:
        """One prompt from beginning to end: a new session, a known one gone on with, or a fork of it."""
        return self.start(prompt, *flags, resume=resume, fork=fork, cwd=cwd).wait(timeout)

    def start(
        self, prompt: str, *flags: str, resume: str | None = None, fork: bool = False, cwd: Path | None = None
    ) -> Session:
        """The same in the background."""
        traces = self.root / "sessions" / str(len(self._sessions))
        traces.mkdir(parents=True)
        going_on = [] if resume is None else ["--resume", resume, *(["--fork-session"] if fork else [])]
        plugin = [] if self.plugin_dir is None else ["--plugin-dir", str(self.plugin_dir)]
        session = Session(
            [str(program()), "-p", prompt, *_ALWAYS, "--debug-file", str(traces / "debug"), *going_on, *plugin, *flags],
            cwd=cwd or self.project,
            env=self.environment,
            traces=traces,
        )
        self._sessions.append(session)
        return session

    def compact(self, session_id: str, *flags: str) -> Run:
        """What a person does with /compact; ModelServer.summary says what the model makes of it."""
        return self.run("/compact", *flags, resume=session_id)

    def transcript(self, session_id: str) -> list[dict[str, Any]]:
        """Everything that it wrote down of a session."""
        (path,) = self.config.glob(f"projects/*/{session_id}.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def close(self) -> None:
        """End what still runs. A process that outlived its session is ended too, and is a failure."""
        for session in self._sessions:
            if session.running:
                session.kill()
        shutil.rmtree(self.temp, ignore_errors=True)
        left = living_below(self.root, [session.pid for session in self._sessions])
        assert not left, f"outlived the client and were ended now: {left}"


_ALWAYS = [
    *("--output-format", "stream-json", "--verbose", "--include-hook-events"),
    *("--permission-mode", "bypassPermissions"),
]
