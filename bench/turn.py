"""What a user feels: a turn of the real Claude Code with one prompt and ten tool calls, with hardwon and without.

    python -m bench.turn [--rounds 12] [--quick]

The same scripted model answers both; the two take turns. Once on the machine as it is, once with both cores busy.
Goal: at most 100 ms more per such turn on a quiet machine.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.clients.claude_code import ClaudeCode, client_missing
from tests.clients.live import Live
from tests.clients.messages_server import ModelServer
from tests.clients.steps import bash, say, use

from bench.measure import keep, percentile, print_table, progress
from hardwon.daemon import lifecycle

CALLS = 10


def main(argv: list[str]) -> int:
    options = _options(argv)
    if (reason := client_missing()) is not None:
        print(f"not measured: {reason}", file=sys.stderr)
        return 0
    rows: list[list[str]] = []
    figures: dict[str, float] = {}
    for load in ("quiet", "busy"):
        with _busy() if load == "busy" else contextlib.nullcontext():
            without, with_hooks, hooks = _measured(options.rounds)
        added = percentile(with_hooks, 0.5) - percentile(without, 0.5)
        figures[f"{load}_added_ms"] = added
        cells = [percentile(without, 0.5), percentile(with_hooks, 0.5), added]
        rows.append([load, *(f"{cell:.0f}" for cell in cells), f"{hooks}"])
    print_table(
        f"One prompt and {CALLS} commands, ms (median of {options.rounds})",
        ["machine", "without", "with hardwon", "added", "hook processes"],
        rows,
    )
    keep("turn", figures)
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.turn")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="4 rounds")
    options = parser.parse_args(argv)
    if options.quick:
        options.rounds = 4
    return options


def _measured(rounds: int) -> tuple[list[float], list[float], int]:
    """Milliseconds per turn without and with hardwon, and how many hooks ran in one."""
    without: list[float] = []
    with_hooks: list[float] = []
    hooks = 0
    with tempfile.TemporaryDirectory(prefix="hardwon-turn-") as folder, ModelServer() as model:
        plain, wired = (ClaudeCode(_made(Path(folder) / name), model) for name in ("plain", "wired"))
        live = Live(wired)
        try:
            lifecycle.start(live.home)
            for number in range(rounds + 1):
                progress(f"turn {number} of {rounds}")
                for client, taken in ((plain, without), (wired, with_hooks)):
                    model.script(*(use(bash(f"echo {call}")) for call in range(CALLS)), say("done"))
                    run = client.run("run them all")
                    assert run.result == "done", run.stderr
                    if number:  # the first one warms up
                        taken.append(run.seconds * 1000)
                    hooks = len(run.hooks) if client is wired else hooks
            progress("")
        finally:
            live.close()
            plain.close()
            wired.close()
    return without, with_hooks, hooks


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    """As many busy processes as there are cores."""
    spinning = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(spinning) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
