"""The installed command, run as a user runs it: a real process, a clean environment, a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HARDWON = str(Path(sys.executable).with_name("hardwon"))
PERSON = str(Path(__file__).with_name("person.py"))


@dataclass(frozen=True, slots=True)
class Cli:
    home: Path
    folder: Path
    """Where the commands are run."""

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        return {
            "PATH": os.defpath,
            "HOME": str(self.home.parent),
            "HARDWON_HOME": str(self.home),
            "LANG": "C.UTF-8",
            "HARDWON_STRICT_BORDERS": "1",
            **(more or {}),
        }

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        code: int | None = 0,
    ) -> subprocess.CompletedProcess[str]:
        """Run it as an agent would: no terminal. The exit status is checked, unless any will do."""
        done = subprocess.run(
            [HARDWON, *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd or self.folder,
            env=self.environment(env),
            timeout=120,
            start_new_session=True,
            check=False,
        )
        result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
        assert code is None or result.returncode == code, result
        return result

    def json(self, *arguments: str, **options: Any) -> Any:
        return json.loads(self.run(*arguments, "--json", **options).stdout)

    def person(self, *arguments: str, env: dict[str, str] | None = None, code: int = 0) -> str:
        """Run it at a terminal of its own, with nothing above it that could be an agent; what it printed."""
        done = subprocess.run(
            [sys.executable, PERSON, HARDWON, *arguments],
            capture_output=True,
            cwd=self.folder,
            env=self.environment(env),
            timeout=120,
            check=True,
        )
        answer = json.loads(done.stdout)
        assert answer["code"] == code, answer
        return str(answer["output"])

    def elsewhere(self, home: Path) -> Cli:
        return Cli(home, self.folder)
