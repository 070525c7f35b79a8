"""person.py COMMAND...: runs it as a person's terminal would, and prints its exit status and output as JSON.

The command gets a pseudo-terminal, and its starter is orphaned first, so that whatever runs these tests is not among
its ancestors.
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
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
        lead(command)
    output = b""
    while not (end := _END.search(output)):
        output += os.read(terminal, 65536)
    os.close(terminal)
    os.waitpid(pid, 0)
    return {"code": int(end[1]), "output": output[: end.start()].decode(errors="replace")}


def lead(command: list[str]) -> None:
    """Lead the session until everything was read: when its leader leaves, a terminal throws away what is on its way."""
    child = os.fork()
    if child == 0:
        os.execv(command[0], command)
    _, status = os.waitpid(child, 0)
    os.write(1, b"\0%d\0" % os.waitstatus_to_exitcode(status))
    while True:
        signal.pause()


_END = re.compile(rb"\0(-?\d+)\0$")


if __name__ == "__main__":
    main(sys.argv[1:])
