"""The daemon, and how often each of our functions was called in it: `traced.py FILE hardwon.daemon HOME run`.

Written down when it leaves: a line for each, its file below `hardwon/`, its name, and the number.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import hardwon

SOURCE = str(Path(hardwon.__file__).parent) + os.sep
CALLED: Counter[CodeType] = Counter()


def note(frame: FrameType, what: str, _: Any) -> None:
    if what == "call" and frame.f_code.co_filename.startswith(SOURCE):
        CALLED[frame.f_code] += 1


def main(file: str, _: str, root: str, what: str) -> None:
    threading.setprofile(note)
    sys.setprofile(note)
    from hardwon.daemon.__main__ import main as run

    try:
        run(root, what)
    finally:
        sys.setprofile(None)
        lines = [f"{code.co_filename.removeprefix(SOURCE)}: {code.co_qualname} {n}" for code, n in CALLED.items()]
        Path(file).write_text("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
