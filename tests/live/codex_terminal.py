"""Codex as a person has it: in a terminal, with its questions and typed prompts. The terminal is a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

from tests.live.codex import Codex, program
from tests.live.processes import end_with_children

PATIENCE = 40.0
ENTER, ESCAPE = "\r", "\x1b"
_CONTROL = re.compile(
    r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78MP]|[\x00-\x1f]"
)
_QUESTIONS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x07",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x07",
}
"""What it asks a terminal before it begins, and what one answers."""


class CodexTerminal:
    """One interactive session, from start to end. Without the server in the background that would outlive it."""

    def __init__(self, codex: Codex, *flags: str) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self._process = subprocess.Popen(
            [str(program()), "--no-alt-screen", *(flags or ("--no-daemon",))],
            cwd=codex.project,
            env={**codex.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._master = master
        self._seen = ""
        self._from = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._master, 65_536)
            except OSError:
                return
            if not piece:
                return
            for question, answer in _QUESTIONS.items():
                if question in piece:
                    os.write(self._master, answer)
            self._seen += piece.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """What has appeared since the last keys, without blanks: some are only moves of the cursor."""
        return "".join(_CONTROL.sub("", self._seen[self._from :]).split())

    def see(self, text: str, seconds: float = PATIENCE) -> None:
        wanted, until = "".join(text.split()), time.monotonic() + seconds
        while wanted not in self.shown:
            assert time.monotonic() < until, f"never saw {text!r}: {self.shown[-2000:]}"
            time.sleep(0.05)

    def answer(self, question: str, *keys: str) -> None:
        self.see(question)
        time.sleep(0.5)  # it is drawn before it listens
        self._from = len(self._seen)
        self.press(*keys)

    def takes(self, text: str) -> bool:
        """Whether what was typed is shown; it is typed anew where the client was not listening yet."""
        self._from = len(self._seen)
        self.press(text)
        return "".join(text.split()) in self.shown

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, key.encode())
            time.sleep(0.3)  # keys that come together are a paste

    def close(self) -> None:
        if self._process.poll() is None:
            self.press("\x03", "\x03", "\x03")
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                end_with_children(self._process.pid)
                self._process.wait()
        os.close(self._master)

    def __enter__(self) -> CodexTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
