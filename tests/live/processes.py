"""Which processes a client left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

PATIENCE = 5.0
"""Seconds in which a process may end of its own: a client does not wait for a hook in the background."""


def living_below(folder: Path, groups: Sequence[int]) -> list[str]:
    """The processes of these groups, or at work below this folder, that do not end, with what they run; they are ended
    now.

    A client gives each command a session of its own, so the group alone does not find it.
    """
    until = time.monotonic() + PATIENCE
    while (left := _in_groups(groups) | _working_below(folder)) and time.monotonic() < until:
        time.sleep(0.05)
    named = [f"{pid} {_command(pid)}" for pid in sorted(left)]
    end(left)
    return named


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


def end_with_children(pid: int) -> None:
    """They are stopped first, until all have stopped and none is new: a shell that still runs, on a busy machine for a
    while, starts another one meanwhile."""
    told: set[int] = set()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        new = {pid, *_descendants(pid)} - told
        _send(signal.SIGSTOP, new)
        told |= new
        if not new and not _running(told):
            break
        time.sleep(0.02)
    end(told)


def end(pids: Iterable[int]) -> None:
    _send(signal.SIGKILL, pids)


def _send(sign: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)


def _running(pids: Iterable[int]) -> set[int]:
    states = {int(pid): state for pid, state, *_ in _listed()}
    return {pid for pid in pids if pid in states and not states[pid].startswith(("T", "Z"))}


def _descendants(pid: int) -> list[int]:
    parents = {child: parent for child, parent, _ in _all()}
    found = [pid]
    for known in found:
        found.extend(child for child, parent in parents.items() if parent == known)
    return found[1:]


def _in_groups(groups: Sequence[int]) -> set[int]:
    return {pid for pid, _, group in _all() if group in groups}


def _working_below(folder: Path) -> set[int]:
    """Only Linux tells where a process is at work."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if link.readlink().is_relative_to(folder):
                found.add(int(link.parent.name))
    return found


def _all() -> list[tuple[int, int, int]]:
    """Every process with its parent and its group, but for those that have ended."""
    return [(int(pid), int(parent), int(group)) for pid, state, parent, group in _listed() if not state.startswith("Z")]


def _listed() -> Iterable[list[str]]:
    """Process, state, parent, group."""
    return _from_proc() if Path("/proc/self/stat").exists() else _from_ps()


def _from_proc() -> Iterator[list[str]]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            yield [stat.parent.name, *stat.read_text(errors="replace").rpartition(")")[2].split()[:3]]


def _from_ps() -> list[list[str]]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,stat=,ppid=,pgid="], capture_output=True, text=True, check=True)
    return [line.split() for line in listed.stdout.splitlines()]
