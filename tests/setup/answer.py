"""answer.py ANSWERS COMMAND...: runs it at a person's terminal and types an answer, `y` or `n`, at each question.

Prints the exit status and the output as JSON, as tests/person.py does.
"""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import person

QUESTION = b"[y/N] "


def run(command: list[str]) -> dict[str, object]:
    answers, *rest = command
    return asked(rest, lambda number: f"{answers[number]}\n".encode() if number < len(answers) else b"")


def asked(command: list[str], typed: Callable[[int], bytes]) -> dict[str, object]:
    """`typed` says what is typed at each question; it is called when the question stands there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    output, count = b"", 0
    while piece := _read(terminal):
        output += piece
        while count < output.count(QUESTION):
            os.write(terminal, typed(count))
            count += 1
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
