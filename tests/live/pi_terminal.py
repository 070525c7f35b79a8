"""Pi as a person has it: in a terminal, with typed prompts. The terminal is a pseudo-terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time
from typing import Self

from tests.live.openai_chat_server import MODEL
from tests.live.pi import Pi, node, program
from tests.live.processes import end_with_children

PATIENCE = 40.0
ENTER, ESCAPE, END = "\r", "\x1b", "\x04"


class PiTerminal:
    """One interactive session, from start to end."""

    def __init__(self, pi: Pi) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self._process = subprocess.Popen(
            [node(), str(program(pi.version)), "--model", f"scripted/{MODEL}"],
            cwd=pi.project,
            env={**pi.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._master = master
        self._seen = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.sees("scripted")

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, key.encode())
            time.sleep(0.3)  # what comes together counts as pasted

    def types(self, prompt: str, answer: str) -> None:
        """A prompt, and the answer that it waits for."""
        self._seen = ""
        self.press(prompt, ENTER)
        self.sees(answer)

    def sees(self, text: str) -> None:
        until = time.monotonic() + PATIENCE
        while text not in self._seen:
            assert time.monotonic() < until, f"{text!r} was never seen in {self._seen[-3000:]!r}"
            assert self._process.poll() is None, f"it has ended: {self._seen[-3000:]!r}"
            time.sleep(0.05)

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the other side is closed when it ends
            while piece := os.read(self._master, 65536):
                self._seen += piece.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self.press(END)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            end_with_children(self._process.pid)
            raise
        finally:
            os.close(self._master)
