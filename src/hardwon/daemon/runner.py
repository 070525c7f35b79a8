"""The process that runs everyday verbs for the command line (`hardwon/cli/runner`): started here, and gone with us.

It is one of its own, so that a command takes nothing from an answer: neither the interpreter's lock nor our memory.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

from hardwon.paths import Home

PARTING = 2.0
"""Seconds for it to leave."""


class Runner:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Unless it runs. Only Linux says of a process that has connected all that has to be known of it, and only a
        home with a short path has room for its socket."""
        is_running = self._process is not None and self._process.poll() is None
        if is_running or sys.platform != "linux" or self._home.socket.parent != self._home.root:
            return
        nowhere = subprocess.DEVNULL
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-E", "-P", "-m", "hardwon.cli.runner", str(self._home.root)],
                stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, cwd="/", start_new_session=True,
            )  # fmt: skip

    def stop(self) -> None:
        """The end of its standard input tells it to leave."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(PARTING)
