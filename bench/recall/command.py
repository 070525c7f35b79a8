"""The benchmark as a command: the same as `hardwon bench recall`, with the figures kept where all of them are."""

from __future__ import annotations

import sys

from bench.measure import OUT
from bench.recall import sets
from hardwon.cli import app

QUICK = 40
"""Questions of each data set in the quick form, which does without vectors."""


def main(argv: list[str]) -> int:
    arguments = [word for word in argv if word != "--quick"]
    if "--quick" in argv:
        arguments += ["--most", str(QUICK), "--no-vectors"]
    elif "--write" not in argv:
        OUT.mkdir(exist_ok=True)
        arguments += ["--write", str(OUT / "recall.json")]
    try:
        app.run(["bench", "recall", *arguments])
    except SystemExit as done:
        if done.code:
            return int(done.code)
    changed = sets.unfrozen()
    print("\n".join(changed) or "The reporting half is as it was frozen.", file=sys.stderr)
    return 1 if changed else 0
