"""keys.py KEYS COMMAND...: runs it at a person's terminal and types KEYS, with escapes such as \\x03, at each question.

Prints the exit status and the output as JSON, as tests/person.py does.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import person
from tests.setup import answer

READING = 0.3
"""Seconds. A signal that comes in the instant before Python reads is noticed after it; nobody presses a key so soon."""


def run(command: list[str]) -> dict[str, object]:
    keys, *rest = command

    def typed(_: int) -> bytes:
        time.sleep(READING)
        return keys.encode("latin-1").decode("unicode_escape").encode("latin-1")

    return answer.asked(rest, typed)


if __name__ == "__main__":
    person.run = run
    person.main(sys.argv[1:])
