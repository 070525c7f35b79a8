"""What the MCP server of a session costs: until it has introduced itself, per call, and in memory.

    python -m bench.mcp [--rounds 100] [--quick]

Beside a bare interpreter, taking turns. Targets: `initialize` answered within 3 × the bare interpreter's start, 25 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.hook import _home
from bench.measure import interleaved, keep, ms, print_table, ratio
from hardwon.daemon import lifecycle
from hardwon.hook import install
from hardwon.paths import Home

BARE = "bare interpreter, start to end"
INTRODUCED = "server, start to its introduction"
MOST_TIMES = 3.0
MOST_MEGABYTES = 25.0


def main(argv: list[str]) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        project = Path(folder) / "shop"
        project.mkdir()
        home = _home(Path(folder) / "h", 1_000, project)
        server = _started(home, project)
        try:
            lifecycle.start(home)
            taken = interleaved(_variants(home, project, server), options.rounds)
            megabytes = _resident(server.pid)
        finally:
            server.communicate()
            lifecycle.stop(home)
    bare = taken[BARE].wall.p50
    rows = [[name, ms(one.wall.p50), ms(one.wall.p95), ratio(one.wall.p50, bare)] for name, one in taken.items()]
    print_table("The MCP server, ms", ["what", "p50", "p95", "× bare interpreter"], rows)
    print(f"\nMemory after {options.rounds} calls of each tool: {megabytes:.1f} MB (target {MOST_MEGABYTES:.0f})")
    times = taken[INTRODUCED].wall.p50 / bare
    keep("mcp", {"introduced_times_bare": times, "megabytes": megabytes})
    return 0 if options.quick or (times <= MOST_TIMES and megabytes <= MOST_MEGABYTES) else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.mcp")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="20 rounds")
    options = parser.parse_args(argv)
    if options.quick:
        options.rounds = 20
    return options


def _variants(home: Home, project: Path, server: subprocess.Popen[bytes]) -> dict[str, Callable[[int], object]]:
    bare = [install.base_python(), "-I", "-S", "-c", "pass"]
    return {
        BARE: lambda _: subprocess.run(bare, check=True),
        INTRODUCED: lambda _: _introduced(home, project),
        "recall": lambda _: _call(server, "recall", {"query": "why does the deploy fail with a certificate error?"}),
        "note": lambda number: _call(server, "note", {"text": f"Fact {number} is worth keeping"}),
    }


def _started(home: Home, project: Path) -> subprocess.Popen[bytes]:
    command = [str(install.mcp_server(home)), "claude-code"]
    return subprocess.Popen(command, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _introduced(home: Home, project: Path) -> None:
    server = _started(home, project)
    _ask(server, "initialize", {"protocolVersion": "2025-11-25"})
    server.kill()
    server.communicate()


def _call(server: subprocess.Popen[bytes], tool: str, arguments: dict[str, Any]) -> None:
    answer = _ask(server, "tools/call", {"name": tool, "arguments": arguments})
    assert not answer["result"]["isError"], answer


def _ask(server: subprocess.Popen[bytes], method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin
    assert server.stdout
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    server.stdin.flush()
    answer: dict[str, Any] = json.loads(server.stdout.readline())
    return answer


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1_000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
