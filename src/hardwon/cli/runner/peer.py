"""Who has connected, by what the system says of it and not by what it says of itself.

The same signs as in `support/caller.py`, read for another process: its environment, the processes above it, whether it
belongs to a terminal. A process that has other rights than this one, or sees other files, is turned away: it runs its
command itself, with its own rights.
"""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import dataclass

_RIGHTS = ("Uid", "Gid", "Groups", "CapEff", "NoNewPrivs", "Seccomp")
_SPACES = ("mnt", "pid", "user")


class Stranger(Exception):
    """It can't be established who this is, or it is somebody for whom nothing is run here."""


@dataclass(frozen=True, slots=True)
class Peer:
    pid: int
    environment: dict[bytes, bytes]
    umask: int
    has_terminal: bool


def of(connection: socket.socket) -> Peer:
    """Stranger, unless it is a process of this user, with our rights, in our part of the system."""
    try:
        pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if pid <= 0 or uid != os.getuid():
            raise Stranger(f"process {pid} of user {uid}")
        status, own = _status(pid), _status(os.getpid())
        if any(status.get(name) != own.get(name) for name in _RIGHTS) or not _is_in_our_space(pid):
            raise Stranger(f"process {pid} has other rights")
        return Peer(pid, _environment(pid), int(status["Umask"], 8), _has_terminal(pid))
    except (OSError, KeyError, ValueError) as error:
        raise Stranger(str(error)) from error


def _status(pid: int) -> dict[str, str]:
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        pairs = (line.partition(":") for line in file)
        return {name: value.strip() for name, _, value in pairs}


def _is_in_our_space(pid: int) -> bool:
    if not os.path.samestat(os.stat(f"/proc/{pid}/root"), os.stat("/")):  # noqa: PTH116
        return False
    return all(os.readlink(f"/proc/{pid}/ns/{one}") == os.readlink(f"/proc/self/ns/{one}") for one in _SPACES)  # noqa: PTH115


def _environment(pid: int) -> dict[bytes, bytes]:
    """What it was started with, which is what its Python has in `os.environ`."""
    with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
        pairs = [line.partition(b"=") for line in file.read().split(b"\0") if b"=" in line]
    found: dict[bytes, bytes] = {}
    for name, _, value in pairs:
        found.setdefault(name, value)  # of two the first counts, as for getenv
    return found


def _has_terminal(pid: int) -> bool:
    """Whether it could open /dev/tty: the number of its terminal, which is 0 for none."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        stat = file.read()
    return stat[stat.rindex(")") + 2 :].split()[4] != "0"
