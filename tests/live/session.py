"""One process of a client from its start to its end, and what it printed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live.processes import end_with_children


@dataclass(frozen=True, slots=True)
class Run:
    """What is known when it has ended."""

    events: list[dict[str, Any]]
    """Its stream-json."""
    stderr: str
    code: int
    """Its exit status; the negative signal when one ended it."""
    seconds: float
    debug: str
    """Its debug log: which hook took how long, and what was wrong with an answer."""

    @property
    def session_id(self) -> str:
        return next(str(event["session_id"]) for event in reversed(self.events) if event.get("session_id"))

    @property
    def result(self) -> str:
        """The last words, or the error; empty when it was stopped before."""
        return str(self._last.get("result", ""))

    @property
    def is_error(self) -> bool:
        return bool(self._last.get("is_error", True))

    @property
    def hooks(self) -> list[dict[str, Any]]:
        """Each hook that ended: hook_event, stdout, stderr, exit_code, outcome.

        Never those of PreCompact, PostCompact, StopFailure and SessionEnd: they are in the debug log only.
        """
        return [event for event in self.events if event.get("subtype") == "hook_response"]

    @property
    def _last(self) -> dict[str, Any]:
        return next((event for event in reversed(self.events) if event["type"] == "result"), {})


class Session:
    """A client in the background. What it prints goes to files: a pipe would wait for whoever inherits it."""

    def __init__(self, command: list[str], *, cwd: Path, env: Mapping[str, str], traces: Path) -> None:
        self._traces = traces
        self._began = time.monotonic()
        self._ended = 0.0
        with (traces / "stdout").open("wb") as stdout, (traces / "stderr").open("wb") as stderr:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        self._watch = threading.Thread(target=self._await_end, name=f"session {self.pid}", daemon=True)
        self._watch.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._watch.is_alive()

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it has printed so far."""
        lines = self._read("stdout").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def wait(self, timeout: float = 60) -> Run:
        self._watch.join(timeout)
        if self.running:
            run = self.kill()
            raise AssertionError(
                f"still running after {timeout} s\n{run.stderr}\n{run.events[-3:]}\n{run.debug[-3000:]}"
            )
        return Run(
            self.events, self._read("stderr"), self._process.returncode, self._ended - self._began, self._read("debug")
        )

    def stop(self, timeout: float = 20) -> Run:
        """Ask it to end, as closing its terminal does: its last hooks run."""
        os.kill(self.pid, signal.SIGTERM)
        return self.wait(timeout)

    def kill(self) -> Run:
        """End it and all that it started, at once."""
        end_with_children(self.pid)
        return self.wait()

    def _await_end(self) -> None:
        self._process.wait()
        self._ended = time.monotonic()

    def _read(self, name: str) -> str:
        path = self._traces / name
        return path.read_text(errors="replace") if path.exists() else ""
