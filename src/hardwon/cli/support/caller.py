"""Who is calling: a person at a terminal, or an agent. The place decides; no option does.

A client marks the commands it runs with variables, and it is among their ancestors; one sign of either is enough. A
call with neither a mark nor a terminal (a script, a job) can't be told from an agent and counts as one. An agent that
goes to some length can hide all of this: it runs as the user. The line is drawn against accident and against text
that talks an agent into something, see SECURITY.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardwon import clients
from hardwon.memory import Trust

_MARKS = ("AI_AGENT", "AGENT", "GEMINI_CLI", "COPILOT_CLI", "CURSOR_AGENT", "HARDWON_GUARD")
"""Variables of clients that hardwon has no folder for, and our own."""
_PROGRAMS = frozenset({"gemini", "copilot", "cursor-agent", "goose"})


def trust(environ: Mapping[str, str] = os.environ) -> Trust:
    if any(environ.get(mark) for mark in marks()) or any(name in programs() for name in _ancestors()):
        return Trust.AGENT
    return Trust.USER if _has_terminal() else Trust.AGENT


@dataclass(slots=True)
class _Place:
    """Where the command was called: here, unless this process runs it for another one."""

    above: int | None = None
    """The nearest process to be looked at."""
    has_terminal: bool | None = None


_place = _Place()


def establish(pid: int, *, has_terminal: bool) -> None:
    """From now on this process runs the command of that one; what is true of it was looked up, not told."""
    _place.above, _place.has_terminal = pid, has_terminal


def marks() -> tuple[str, ...]:
    """The variables by which a command knows that an agent's client runs it."""
    return (*_MARKS, *(name for one in clients.every() for name in (*one.marks, *one.session_variables)))


def programs() -> frozenset[str]:
    """What the processes of clients are called."""
    return _PROGRAMS | {name for one in clients.every() for name in one.programs}


def _has_terminal() -> bool:
    """Also when stdin or stdout is a pipe: the process then still belongs to a terminal."""
    if _place.has_terminal is not None:
        return _place.has_terminal
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _ancestors() -> Iterator[str]:
    """The names of the processes above the command, nearest first."""
    pid = _place.above or os.getppid()
    while pid > 1:
        name, pid = _name_and_parent(pid)
        yield name


def _name_and_parent(pid: int) -> tuple[str, int]:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            stat = file.read()
    except OSError:
        return _ask_ps(pid)
    # The name stands in brackets and may itself hold blanks and brackets.
    name = stat[stat.index("(") + 1 : stat.rindex(")")]
    return name, int(stat[stat.rindex(")") + 2 :].split()[1])


def _ask_ps(pid: int) -> tuple[str, int]:
    """macOS has no /proc."""
    import subprocess

    command = ["ps", "-o", "ppid=,comm=", "-p", str(pid)]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=2, check=True).stdout.split(None, 1)
        return answer[1].strip().rpartition("/")[2], int(answer[0])
    except (OSError, subprocess.SubprocessError, IndexError, ValueError):
        return "", 0
