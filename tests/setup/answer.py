"""answer.py ANSWERS COMMAND...: runs it at a person's terminal and types an answer, `y` or `n`, at each question.

Prints the exit status and the output as JSON, as tests/person.py does.
"""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import person

QUESTION = b"[y/N] "


def run(command: list[str]) -> dict[str, object]:
    answers, *rest = command
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(rest[0], rest)
    output, asked = b"", 0
    while piece := _read(terminal):
        output += piece
        while asked < min(output.count(QUESTION), len(answers)):
            os.write(terminal, f"{answers[asked]}\n".encode())
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
