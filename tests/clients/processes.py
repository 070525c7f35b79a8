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


def living_below(folder: Path, groups: Sequence[int]) -> list[int]:
    """The processes of these groups, or at work below this folder, that do not end; they are ended now.

    A client gives each command a session of its own, so the group alone does not find it.
    """
    until = time.monotonic() + PATIENCE
    while (left := _in_groups(groups) | _working_below(folder)) and time.monotonic() < until:
        time.sleep(0.05)
    end(left)
    return sorted(left)


def end_with_children(pid: int) -> None:
    """They are stopped first, until none is new: a shell that is still running starts another one meanwhile."""
    stopped: set[int] = set()
    while new := {pid, *_descendants(pid)} - stopped:
        _send(signal.SIGSTOP, new)
        stopped |= new
        time.sleep(0.02)  # a process of many threads is not stopped at once
    end(stopped)


def end(pids: Iterable[int]) -> None:
    _send(signal.SIGKILL, pids)


def _send(sign: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)


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
    rows = _from_proc() if Path("/proc/self/stat").exists() else _from_ps()
    return [(int(pid), int(parent), int(group)) for pid, state, parent, group in rows if not state.startswith("Z")]


def _from_proc() -> Iterator[list[str]]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            yield [stat.parent.name, *stat.read_text(errors="replace").rpartition(")")[2].split()[:3]]


def _from_ps() -> list[list[str]]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,stat=,ppid=,pgid="], capture_output=True, text=True, check=True)
    return [line.split() for line in listed.stdout.splitlines()]
