"""What a user feels: a turn of the real Claude Code with one prompt and ten commands, with hardwon and without.

    python -m bench.turn [--rounds 20] [--quick]

Two sessions are open, one wired and one not; the same scripted model answers both, and they take turns. Beside it, what
a session costs once: one with a single prompt, from start to end. On the machine as it is, and with both cores busy.
Goal: at most 100 ms more per such turn on a quiet machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.live.claude_code import ClaudeCode, client_missing, program
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import bash, say, use

from bench.measure import keep, percentile, print_table, progress
from hardwon.daemon import lifecycle

CALLS = 10
MOST_ADDED = 100.0


def main(argv: list[str]) -> int:
    options = _options(argv)
    if (reason := client_missing()) is not None:
        print(f"not measured: {reason}", file=sys.stderr)
        return 0
    rows: list[list[str]] = []
    figures: dict[str, float] = {}
    for load in ("quiet", "busy"):
        with _busy() if load == "busy" else contextlib.nullcontext():
            turns, sessions, processes = _measured(options.rounds)
        for what, (without, wired) in (("turn", turns), ("session", sessions)):
            added = percentile(wired, 0.5) - percentile(without, 0.5)
            figures[f"{load}_{what}_added_ms"] = added
            cells = [percentile(without, 0.5), percentile(wired, 0.5), added]
            rows.append([load, what, *(f"{cell:.0f}" for cell in cells), str(processes[what])])
    print_table(
        f"A turn: one prompt and {CALLS} commands. A session: its start, one prompt, its end. "
        f"ms, median of {options.rounds}",
        ["machine", "what", "without", "with hardwon", "added", "processes"],
        rows,
    )
    keep("turn", figures)
    return 0 if options.quick or figures["quiet_turn_added_ms"] <= MOST_ADDED else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.turn")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="5 rounds")
    options = parser.parse_args(argv)
    if options.quick:
        options.rounds = 5
    return options


class Dialogue:
    """One session of the client that goes on from prompt to prompt, as a person's does."""

    def __init__(self, client: ClaudeCode) -> None:
        self.log = client.root / "debug"
        flags = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        flags += ["--permission-mode", "bypassPermissions", "--debug-file", str(self.log)]
        self.process = subprocess.Popen(
            [str(program()), "-p", *flags],
            cwd=client.project,
            env=client.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def turn(self, prompt: str) -> float:
        """Milliseconds from the prompt to the end of the answer."""
        assert self.process.stdin
        assert self.process.stdout
        began = time.perf_counter()
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if '"type":"result"' in line:
                return (time.perf_counter() - began) * 1000
        raise AssertionError("the client ended before it had answered")

    @property
    def processes(self) -> int:
        """How many hooks were processes so far."""
        return self.log.read_text().count("hook/client.py")

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(30)


Pair = tuple[list[float], list[float]]


def _measured(rounds: int) -> tuple[Pair, Pair, dict[str, int]]:
    """Milliseconds per turn and per session, each without and with hardwon, and the processes of one of each."""
    with tempfile.TemporaryDirectory(prefix="hardwon-turn-") as folder, ModelServer() as model:
        clients = [ClaudeCode(_made(Path(folder) / name), model) for name in ("plain", "wired")]
        live = Live(clients[1])
        try:
            lifecycle.start(live.home)
            turns, hooks = _turns(clients, model, rounds)
            sessions = _sessions(clients, model, rounds)
            # Start, prompt, Stop and end of a session, and its MCP server.
            return turns, sessions, {"turn": hooks, "session": 5}
        finally:
            live.close()
            for client in clients:
                client.close()


def _turns(clients: list[ClaudeCode], model: ModelServer, rounds: int) -> tuple[Pair, int]:
    taken: Pair = ([], [])
    open_now = [Dialogue(client) for client in clients]
    hooks = 0
    for number in range(rounds + 1):
        progress(f"turn {number} of {rounds}")
        for which in random.sample((0, 1), 2):
            model.script(*(use(bash(f"echo {call}")) for call in range(CALLS)), say("done"))
            before = open_now[1].processes if which and number else 0
            milliseconds = open_now[which].turn("run them all")
            if number:  # the first one warms up
                taken[which].append(milliseconds)
                hooks = max(hooks, open_now[1].processes - before) if which else hooks
    progress("")
    for dialogue in open_now:
        dialogue.close()
    return taken, hooks


def _sessions(clients: list[ClaudeCode], model: ModelServer, rounds: int) -> Pair:
    taken: Pair = ([], [])
    for number in range(rounds):
        progress(f"session {number} of {rounds}")
        for which in random.sample((0, 1), 2):
            model.script(say("done"))
            run = clients[which].run("say it")
            assert run.result == "done", run.stderr
            taken[which].append(run.seconds * 1000)
    progress("")
    return taken


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
