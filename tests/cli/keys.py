"""keys.py KEYS COMMAND...: runs it at a person's terminal and types KEYS, with escapes such as \\x03, at each question.

Prints the exit status and the output as JSON, as tests/person.py does.
"""

from __future__ import annotations

import os
import pty
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import person

QUESTION = b"[y/N] "
READING = 0.3
"""Seconds. A signal that comes in the instant before Python reads is noticed after it; nobody presses a key so soon."""


def run(command: list[str]) -> dict[str, object]:
    keys, *rest = command
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(rest[0], rest)
    output, asked = b"", 0
    while piece := _read(terminal):
        output += piece
        while asked < output.count(QUESTION):
            time.sleep(READING)
            os.write(terminal, keys.encode("latin-1").decode("unicode_escape").encode("latin-1"))
            asked += 1
    _, status = os.waitpid(pid, 0)
    return {"code": os.waitstatus_to_exitcode(status), "output": output.decode(errors="replace")}


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the last process at the terminal has left
        return b""


if __name__ == "__main__":
    person.run = run
    person.main(sys.argv[1:])
