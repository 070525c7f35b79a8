"""Claude Code as a person has it: in a terminal, with dialogs and typed prompts. The terminal is a pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

from tests.live.claude_code import ClaudeCode, program
from tests.live.processes import end_with_children

PATIENCE = 40.0
ENTER, ESCAPE, UP, DOWN, TAB = "\r", "\x1b", "\x1b[A", "\x1b[B", "\t"
_CONTROL = re.compile(
    r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78MP]|[\x00-\x1f]"
)


class Terminal:
    """One interactive session, from start to end."""

    def __init__(self, claude: ClaudeCode, *flags: str) -> None:
        self.claude = claude
        self._trust()
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        plugin = [] if claude.plugin_dir is None else ["--plugin-dir", str(claude.plugin_dir)]
        self._process = subprocess.Popen(
            [str(program()), "--permission-mode", "default", *plugin, *flags],
            cwd=claude.project,
            env={**claude.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
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
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._pass_by("auto mode", DOWN + ENTER)

    def _trust(self) -> None:
        """What a person has answered long ago: the theme, the folder, the key."""
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 5,
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
            "projects": {str(self.claude.project): project},
        }
        path = self.claude.config / ".claude.json"
        before = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**before, **known}))

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._master, 65_536)
            except OSError:
                return
            if not piece:
                return
            self._seen += piece.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """What has appeared since the last prompt, without blanks: some are only moves of the cursor."""
        return "".join(_CONTROL.sub("", self._seen[self._from :]).split())

    def see(self, text: str, seconds: float = PATIENCE) -> None:
        wanted, until = "".join(text.split()), time.monotonic() + seconds
        while wanted not in self.shown:
            assert time.monotonic() < until, f"never saw {text!r}: {self.shown[-2000:]}"
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, key.encode())
            time.sleep(0.25)  # keys that come together are a paste

    def types(self, prompt: str, until: str) -> None:
        """A prompt, and the answer to wait for."""
        self._from = len(self._seen)
        self.press(prompt, ENTER)
        self.see(until)

    def _pass_by(self, dialog: str, keys: str) -> None:
        """A question that comes before everything else, if it comes."""
        until = time.monotonic() + PATIENCE
        while "shortcuts" not in self.shown and time.monotonic() < until:
            if "".join(dialog.split()) in self.shown and "keepmanual" in self.shown:
                time.sleep(0.3)
                self.press(*([keys] if len(keys) == 1 else [DOWN, ENTER]))
                self._from = len(self._seen)
                time.sleep(1)
                return
            time.sleep(0.05)

    def close(self) -> None:
        if self._process.poll() is None:
            self.press("\x03", "\x03")
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                end_with_children(self._process.pid)
                self._process.wait()
        os.close(self._master)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
