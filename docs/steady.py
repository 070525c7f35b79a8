"""`hardwon`, with a clock and chance that repeat: what the pages show must not change from one run to the next.

Each command of a page happens a minute after the one before (`STEP`), on a Monday morning. Chance depends on the
command's own words only, so that a command added to a page leaves the ids of the others alone.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
import time
from collections.abc import Callable

MONDAY = 1_772_442_000  # 2026-03-02 09:00 UTC


def main() -> None:
    now = float(MONDAY + 60 * int(os.environ.pop("STEP", "0")))
    real_gmtime = time.gmtime
    time.time = lambda: now
    time.gmtime = lambda seconds=now: real_gmtime(seconds)
    os.urandom = _chance("\0".join(sys.argv[1:]))

    from hardwon.cli import main
    from hardwon.cli.support import caller

    caller._ancestors = lambda: iter(())  # whoever runs `make docs` is not part of the page
    main()


def _chance(words: str) -> Callable[[int], bytes]:
    numbers = itertools.count()

    def bytes_of_chance(size: int) -> bytes:
        return hashlib.shake_256(f"{next(numbers)}\0{words}".encode()).digest(size)

    return bytes_of_chance


if __name__ == "__main__":
    main()
