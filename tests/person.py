"""person.py COMMAND...: runs it as a person's terminal would, and prints its exit status and output as JSON.

The command gets a pseudo-terminal, and its starter is orphaned first, so that whatever runs these tests is not among
its ancestors.
"""

from __future__ import annotations

import json
import os
import pty
import sys
import time


def main(command: list[str]) -> None:
    answer, report = os.pipe()
    if os.fork() == 0:
        os.setsid()
        between = os.getpid()
        if os.fork() == 0:
            os.close(answer)
            while os.getppid() == between:
                time.sleep(0.001)
            os.write(report, json.dumps(run(command)).encode())
        os._exit(0)
    os.close(report)
    os.wait()
    with os.fdopen(answer, "rb") as pipe:
        sys.stdout.buffer.write(pipe.read())


def run(command: list[str]) -> dict[str, object]:
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # Linux says so when the last process at the terminal has left
            break
        if not piece:
            break
        output += piece
    _, status = os.waitpid(pid, 0)
    return {"code": os.waitstatus_to_exitcode(status), "output": output.decode(errors="replace")}


if __name__ == "__main__":
    main(sys.argv[1:])
