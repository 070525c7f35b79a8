"""What commands print, on the pages, is what they print.

In a page that has the comment `MARK`, a fenced block marked `console` is a terminal: a line that begins with `$ ` is a
command, `> ` continues it, everything else is what it printed. The commands of a page are run in order in one empty
home, at a terminal 100 columns wide, and what they print replaces what stands there. Commands in a comment
`<!-- run: ... -->` are run and not shown. `docs/steady.py` holds the clock and chance still, so that two runs give the
same ids and dates.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import shutil
import struct
import sys
import tempfile
import termios
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MARK = "<!-- The commands on this page are run by `make docs`. -->"
STEADY = Path(__file__).with_name("steady.py")
PAST = Path(__file__).with_name("past.py")
"""`made-up-past SETTINGS FOLDER`, for pages that want past sessions."""
USER = "/home/ana"
COLUMNS = 100
SECONDS = 60

_PART = re.compile(r"^```console\n(?P<block>.*?)^```$|^<!-- run: (?P<hidden>.*?) -->$", re.DOTALL | re.MULTILINE)
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# What differs from one machine to the next.
_DIFFERS = (
    (re.compile(r"Python \d+\.\d+\.\d+"), "Python 3.11.2"),
    (re.compile(r"SQLite \d+\.\d+\.\d+"), "SQLite 3.54.1"),
    (re.compile(r"\d+\.\d GB free"), "84.2 GB free"),
    (re.compile(r'"bytes": \d+'), '"bytes": 172032'),
    (re.compile(r"\.hardwon \(\d+\.\d MB\)"), ".hardwon (0.8 MB)"),
    # A model in int8 is computed a little differently on each sort of processor.
    (re.compile(r"\(cosine 0\.\d\d\)"), "(cosine 0.57)"),
)


def pages(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Every page that has the mark, as it should be."""
    wanted = [path for path in files if MARK in path.read_text("utf-8")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from zip(wanted, pool.map(page, wanted), strict=True)


def page(path: Path) -> str:
    with tempfile.TemporaryDirectory(prefix="hardwon-docs-") as folder:
        terminal = Terminal(Path(folder).resolve())
        return _PART.sub(terminal.replay, path.read_text("utf-8"))


@dataclass
class Terminal:
    """One page's machine: a user's folder, and the folder that the next command is run in."""

    folder: Path
    step: int = 0

    def __post_init__(self) -> None:
        self.home = self.folder / "ana"
        self.commands = self.folder / "bin"
        self.mark = self.folder / "cwd"
        self.cwd = self.home
        self.home.mkdir()
        self.commands.mkdir()
        self._command("hardwon", f'exec {shlex.quote(sys.executable)} -I {shlex.quote(str(STEADY))} "$@"')
        self._command("python3", f'exec {shlex.quote(sys.executable)} "$@"')
        self._command("made-up-past", f'exec {shlex.quote(sys.executable)} {shlex.quote(str(PAST))} "$@"')
        (self.commands / "git").symlink_to(shutil.which("git") or "/usr/bin/git")

    def _command(self, name: str, script: str) -> None:
        file = self.commands / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def replay(self, part: re.Match[str]) -> str:
        if part["hidden"] is not None:
            self.run(part["hidden"])
            return part[0]
        return "```console\n" + "".join(f"{shown}\n{self.run(command)}" for shown, command in _commands(part)) + "```"

    def run(self, command: str) -> str:
        """What the command prints, as it stands on the screen."""
        self.step += 1
        script = f"cd {shlex.quote(str(self.cwd))}\n{command}\npwd > {shlex.quote(str(self.mark))}"
        raw = _at_terminal(["/bin/sh", "-c", script], self._environment())
        if not self.mark.exists():
            raise RuntimeError(f"took more than {SECONDS} seconds, perhaps for it asks a question: {command}")
        self.cwd = Path(self.mark.read_text().strip())
        self.mark.unlink()
        if b"Traceback (most recent call last)" in raw:
            raise RuntimeError(f"{command}\n{_screen(raw)}")
        text = _screen(raw).replace(str(self.home), USER).replace(str(self.folder), "/tmp")
        for pattern, stand_in in _DIFFERS:
            text = pattern.sub(stand_in, text)
        return text

    def _environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": f"{self.commands}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "COLUMNS": str(COLUMNS),
            "LINES": "40",
            "EDITOR": "true",
            "STEP": str(self.step),
        }


def _commands(block: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Each command as it is shown and as it is run."""
    for found in re.finditer(r"^\$ .*(?:\n> .*)*", block["block"], re.MULTILINE):
        yield found[0], "\n".join(line[2:] for line in found[0].split("\n"))


def _at_terminal(command: list[str], environment: dict[str, str]) -> bytes:
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        os.execve(command[0], command, environment)
    output = b""
    while piece := _read(terminal):
        output += piece
    os.close(terminal)  # whoever still waits for an answer gets a hang-up
    os.waitpid(pid, 0)
    return output


def _read(terminal: int) -> bytes:
    """The next piece; nothing when all have left the terminal, or when nothing happens for too long."""
    try:
        return os.read(terminal, 65536) if select.select([terminal], [], [], SECONDS)[0] else b""
    except OSError:  # Linux says so when the last process at the terminal has left
        return b""


def _screen(raw: bytes) -> str:
    lines = _CONTROL.sub("", raw.decode("utf-8", "replace")).replace("\r\n", "\n").split("\n")
    text = "\n".join(line.rpartition("\r")[2].rstrip() for line in lines).strip("\n")
    return text + "\n" if text else ""
