"""Codex itself, alone in a temporary folder, with a scripted model for its only correspondent.

    def test_it(codex: Codex, model: ResponsesServer) -> None:
        model.script(use(shell("ls")), say("done"))
        run = codex.run("look around")

Its environment holds nothing of the person's. Where hooks have to run, the test agrees to them in the place of a
person, in this CODEX_HOME only, by writing down what the client itself would.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from hardwon.clients.codex import trust
from hardwon.clients.codex.recipe import SIGN
from tests.live.processes import living_below
from tests.live.responses_server import ResponsesServer
from tests.live.session import Run, Session

PACKAGES = Path(__file__).parents[2] / "clients" / "node_modules" / "@openai"
SETTINGS = """\
# what the tests' Codex needs
model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "{url}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""


def program() -> Path:
    """The native client, where `make test` installs it."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    package = PACKAGES / f"codex-{sys.platform}-{machine}"
    return next(package.glob("vendor/*/bin/codex"), package / "codex")


def client_missing() -> str | None:
    """Why Codex can't be run here, if it can't."""
    if program().exists():
        return None
    if shutil.which("npm") is None:
        return "npm is missing, so Codex is not installed"
    return f"{program()} is missing: rm -rf clients && make test"


class Codex:
    def __init__(self, root: Path, model: ResponsesServer) -> None:
        self.root = root.resolve()
        self.home = self.root / "home"
        self.config = self.home / ".codex"
        self.project = self.root / "project"
        self.environment = {
            "PATH": f"{program().parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.home),
            "OPENAI_API_KEY": "dummy",
        }
        """All that it is given; a test may add to it."""
        self._sessions: list[Session] = []
        self.config.mkdir(parents=True)
        self.project.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, env=self.environment, check=True)
        self.settings.write_text(SETTINGS.format(url=model.url))

    @property
    def settings(self) -> Path:
        return self.config / "config.toml"

    def agree(self) -> None:
        """To the hooks of ours that stand in the user's file, as a person does at the terminal."""
        lines = [
            f"\n[hooks.state.{json.dumps(one.key)}]\ntrusted_hash = {json.dumps(one.hash)}\n"
            for one in trust.entries(self.config / "hooks.json", SIGN)
        ]
        assert lines
        with self.settings.open("a") as file:
            file.writelines(lines)

    def add_skill(self, name: str, body: str) -> Path:
        """A skill of the project; its SKILL.md."""
        path = self.project / ".agents" / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"---\nname: {name}\ndescription: How to {name}\n---\n{body}\n")
        return path

    def run(self, prompt: str, *flags: str, resume: str | None = None, timeout: float = 60) -> Run:
        """One prompt from beginning to end: a new session, or a known one gone on with."""
        return self.start(prompt, *flags, resume=resume).wait(timeout)

    def start(self, prompt: str, *flags: str, resume: str | None = None) -> Session:
        """The same in the background."""
        traces = self.root / "sessions" / str(len(self._sessions))
        traces.mkdir(parents=True)
        going_on = ["resume", resume] if resume else []
        command = [str(program()), "exec", "--json", *(flags or FREELY), *going_on, prompt]
        session = Session(command, cwd=self.project, env=self.environment, traces=traces)
        self._sessions.append(session)
        return session

    def rollouts(self) -> list[Path]:
        return sorted(self.config.glob("sessions/*/*/*/rollout-*.jsonl"))

    def close(self) -> None:
        """End what still runs. A process that outlived its session is ended too, and is a failure."""
        for session in self._sessions:
            if session.running:
                session.kill()
        left = living_below(self.root, [session.pid for session in self._sessions])
        assert not left, f"outlived the client and were ended now: {left}"


FREELY = ("--sandbox", "danger-full-access")
"""Where a test needs files to be written: there is no sandbox inside of a container."""


def session_of(run: Run) -> str:
    return next(str(event["thread_id"]) for event in run.events if event["type"] == "thread.started")


def complaints(run: Run) -> list[str]:
    """What it told its user besides the work."""
    items = [event["item"] for event in run.events if event["type"] == "item.completed"]
    told = [str(item.get("message")) for item in items if item["type"] == "error"]
    failed = [str(event) for event in run.events if event["type"] in ("error", "turn.failed")]
    return told + failed + [line for line in run.stderr.splitlines() if "hook" in line.lower()]
