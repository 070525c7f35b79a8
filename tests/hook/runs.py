"""The hook client as it is installed, run by a shell; and what is promised of every run."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from hardwon.clients.client import Hook
from hardwon.hook import install
from tests.daemon.running import Daemon
from tests.daemon.session import Session

MARGIN = 0.6
"""Seconds above the limit on a noisy machine."""
LIMITS = [0, 250]


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    """Until it had exited and nobody held its output any more: so long the client waits."""


def run(command: str, payload: bytes = b"{}", **env: str) -> Done:
    began = time.perf_counter()
    done = subprocess.run(
        ["sh", "-c", command], input=payload, capture_output=True, timeout=60, check=False,
        env={"PATH": os.defpath, "HOME": "/nonexistent", **env},
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, time.perf_counter() - began)


def installed(daemon: Daemon, event: str = "UserPromptSubmit", limit: int = 250) -> str:
    """The command that a client is given."""
    install.refresh(daemon.home)
    return install.command(daemon.home, "claude-code", Hook(event, limit))


def loud(command: str) -> str:
    """The same, with what it says on stderr and with its own exit status."""
    return command.removesuffix(" 2>/dev/null || :")


def bare() -> str:
    return f"{shlex.quote(install.base_python())} -I -S -c pass"


def prompt(daemon: Daemon, text: str = "hello", **fields: Any) -> bytes:
    return json.dumps(Session(daemon).message("UserPromptSubmit", prompt=text, **fields)).encode()


def silent(done: Done, limit: int) -> None:
    """What is promised of every run."""
    assert (done.code, done.stderr) == (0, b"")
    assert done.stdout == b""
    assert done.seconds < (limit or 250) / 1_000 + MARGIN + run(bare()).seconds
