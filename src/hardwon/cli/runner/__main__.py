"""python -E -P -m hardwon.cli.runner HOME: the process that waits, and a child of it for each command.

The daemon starts it, with a pipe as standard input: when that ends the daemon has gone, and so does this. One that was
not needed for a while leaves, too. It has one thread and no open file of the store, so that a fork of it is a fresh
process which has everything loaded; what a command does, its child does, with the same functions as without a runner.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

from hardwon.cli.runner.client import RUNNER

IDLE = 900.0
"""Seconds without a command after which it leaves: 40 MB are not held for nobody."""


def main(root: str) -> None:
    from hardwon.cli.runner import loaded, work  # noqa: F401  for the children

    os.chdir("/")
    os.umask(0o077)
    gc.set_threshold(100_000)  # as `hardwon.cli.main` does
    loaded.load()
    gc.collect()  # no connection of the store is left when children are made
    gc.freeze()
    path = Path(root, RUNNER)
    listening = _listening(path)
    inode = path.stat().st_ino
    try:
        _serve(listening, root)
    finally:
        with contextlib.suppress(OSError):
            if path.stat().st_ino == inode:
                path.unlink()


def _listening(path: Path) -> socket.socket:
    """Under its name only when it listens; what stands there is of one that has gone, or is about to."""
    draft = path.with_name(f".cli-{os.getpid() % 10_000}")
    draft.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(draft))
    listening.listen(64)
    draft.replace(path)
    return listening


def _serve(listening: socket.socket, root: str) -> None:
    """A child is there before it is needed; when it has a command, the next one is made."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks for their status
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        taken, taking = os.pipe()
        if (child := os.fork()) == 0:
            os.close(taken)
            _wait(listening, taking, root)
        os.close(taking)
        ready, _, _ = select.select([taken, 0], [], [], IDLE)
        if taken not in ready:  # the daemon has gone, or nobody needs us
            os.kill(child, signal.SIGTERM)
            return
        if not os.read(taken, 1):  # it ended without a command
            return
        os.close(taken)


def _wait(listening: socket.socket, taking: int, root: str) -> NoReturn:
    """In a child: for a command, or for the daemon's end."""
    from hardwon.cli.runner import work

    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if listening.fileno() in ready:
            connection, _ = listening.accept()
            os.write(taking, b"t")
            os.close(taking)
            listening.close()
            work.run(connection, root)
    finally:
        os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
