"""audited.py LOG [-E -I -P -S] (-m MODULE | -c CODE | FILE) ARGUMENTS...: runs it, and writes down what it reaches for.

The interpreter itself tells of every socket that is made, connected or bound, every name that is looked up and every
program that is started, also from C code. What is started in its turn is watched too: `sys.executable` and the base
interpreter are replaced by a script that comes back here.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
from pathlib import Path

SOCKETS = ("socket.__new__", "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
NAMES = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo")
PROGRAMS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn")
MINOR = f"python{sys.version_info.major}.{sys.version_info.minor}"


def wrapper(folder: Path, log: Path) -> Path:
    """An interpreter that watches itself, below this folder."""
    script = folder / "bin" / MINOR
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).resolve()}" "{log}" "$@"\n')
    script.chmod(0o700)
    return script


def watch(log: str) -> None:
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(event: str, *words: object) -> None:
        line = json.dumps([os.getpid(), event, *words], default=_plain)
        os.write(file, line.encode() + b"\n")

    def hear(event: str, given: tuple[object, ...]) -> None:
        if event == "socket.__new__":
            write(event, given[1])
        elif event in SOCKETS and isinstance(given[0], socket.SocketType):
            write(event, given[0].family, given[1])
        elif event in NAMES or event in PROGRAMS:
            write(event, *given[:2])

    write("runs", *sys.argv[2:])
    sys.addaudithook(hear)


def _plain(value: object) -> object:
    if isinstance(value, bytes | os.PathLike):
        return os.fsdecode(value)
    return list(value) if isinstance(value, tuple) else repr(value)


def main(log: str, *words: str) -> None:
    watch(log)
    root = Path(log).parent
    sys.executable = str(root / "bin" / MINOR)
    sys.base_prefix, sys._base_executable = str(root), None  # type: ignore[attr-defined]
    given = list(words)
    while given[0] in ("-E", "-I", "-P", "-S"):
        given.pop(0)
    sys.path[0] = ""
    if given[0] == "-m":
        sys.argv = given[1:]
        runpy.run_module(given[1], run_name="__main__", alter_sys=True)
    elif given[0] == "-c":
        sys.argv = ["-c", *given[2:]]
        exec(given[1], {"__name__": "__main__"})
    else:
        sys.argv = given
        runpy.run_path(given[0], run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
