"""What a hook costs: the installed command against a bare interpreter, per event, daemon up and down, as memory grows.

    python -m bench hook [--rounds 200] [--sizes 0,10000,100000] [--vectors] [--quick]

Every variant runs once per round, in random order, started the way the client starts it (`sh -c`); the bare
interpreter is started the same way, so that the ratio is what hardwon adds. Targets: daemon up ≤ 1.3 × the bare
interpreter at every size, down with no answer due ≤ 1.3 ×, daemon start to first answer ≤ 150 × `/bin/true`.

With `--vectors`, prompts and calls also go to homes whose daemon has the packaged model loaded, a vector for each
memory (made up in homes of more than a thousand) and none for the question, which differs in every round.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import Times, interleaved, keep, ms, print_table, progress, ratio
from bench.recall import growing
from bench.store import NOW, YEAR
from bench.texts import Writer, harvest
from hardwon.clients.claude_code.messages import HOOKS
from hardwon.daemon import lifecycle
from hardwon.embedding import choose
from hardwon.hook import install
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.settings.keys import Vectors
from hardwon.store import changes, projects
from hardwon.store.connection import open_store

BARE = "bare interpreter"
TRUE = "/bin/true"
DOWN = "PreCompact, daemon down"
PROMPT = "UserPromptSubmit"
EVENTS = (PROMPT, "PreToolUse", "PostToolUseFailure", "PreCompact")
BY_SERVER = ("PreToolUse", "PostToolUseFailure")
"""Which a plugin sends as calls to the MCP server of the session."""
MODEL = "HARDWON_VECTORS_MODEL"
REAL = 1_000
"""Up to so many memories get the model's own vectors."""
LOADED = 60.0
"""Seconds that a model may take to be loaded."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        root = Path(folder)
        project = root / "shop"
        project.mkdir()
        homes = {size: _home(root / f"h{size}", size, project) for size in options.sizes}
        down = _home(root / "down", 0, project)
        meaning = _with_vectors(root, options.sizes, project) if options.vectors else {}
        servers = {size: _server(home) for size, home in homes.items()}
        try:
            for home in homes.values():
                assert lifecycle.start(home) is not None
            for home in meaning.values():
                _start_with_model(home, project)
            variants = _variants(homes, servers, down, project) | _by_meaning(meaning, project)
            taken = interleaved(variants, options.rounds, before={DOWN: lambda: lifecycle.stop(down)})
            first = [_cold_start(down, project) for _ in range(5 if options.quick else 20)]
        finally:
            for server in servers.values():
                server.communicate()
            for home in (*homes.values(), *meaning.values(), down):
                lifecycle.stop(home)
    _report(taken, first)
    keep("hook", {"rounds": options.rounds, "p50_ms": {name: times.wall.p50 for name, times in taken.items()}})
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench hook")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument(
        "--sizes", type=lambda text: [int(part) for part in text.split(",")], default=[0, 10_000, 100_000]
    )
    parser.add_argument("--vectors", action="store_true", help="also to daemons that have a model loaded")
    parser.add_argument("--quick", action="store_true", help="30 rounds, 0 and 1,000 memories")
    options = parser.parse_args(argv)
    if options.vectors and (name := choose.lacking(Vectors())):
        parser.error(f"--vectors needs {name}, which is not installed: pip install 'hardwon[vectors]'")
    if options.quick:
        options.rounds, options.sizes = 30, [0, 1_000]
    return options


def _home(root: Path, size: int, project: Path) -> Home:
    """A home with this many memories in the project, as `hardwon setup` leaves it."""
    home = Home(root)
    make(home)
    home.hook.mkdir(mode=0o700)
    install.refresh(home)
    home.settings.write_text('[vectors]\nmodel = "off"\n')  # for a daemon that a hook starts; a variable goes before it
    with open_store(home, DEFAULTS) as store:
        _, known = projects.claim(store, project, NOW)
        writer = Writer(harvest()[0], projects=[known.id]) if size else None
        for start in range(0, size, 2_000):
            progress(f"building a home of {size:,} memories: {start:,}")
            with store.transaction():
                for number in range(start, min(size, start + 2_000)):
                    assert writer is not None
                    changes.note(store, writer.text(number).draft, NOW - YEAR + YEAR * number // size)
        progress("")
    return home


def _with_vectors(root: Path, sizes: Sequence[int], project: Path) -> dict[int, Home]:
    """The same homes again, each memory with its vector."""
    homes = {size: _home(root / f"v{size}", size, project) for size in sizes}
    model = choose.load(Vectors(), lambda text: text)
    for size, home in homes.items():
        progress(f"vectors for {size:,} memories")
        with open_store(home, DEFAULTS) as store:
            if size <= REAL:
                growing.real_vectors(store, model)
            else:
                growing.made_up_vectors(store, model.name, size)
    progress("")
    return homes


def _start_with_model(home: Home, project: Path) -> None:
    """A daemon loads the model when the first question would have liked one."""
    with _environment(MODEL, choose.PACKAGED):
        assert lifecycle.start(home) is not None
    until = time.monotonic() + LOADED
    while (found := (lifecycle.status(home) or {}).get("vectors", {})).get("state") != "ready":
        if time.monotonic() > until:
            raise TimeoutError(f"the daemon of {home.root} did not load its model in {LOADED:.0f} s: {found}")
        _run(_command(home, PROMPT), _payload(PROMPT, project))
        time.sleep(0.2)


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name)
        if before is not None:
            os.environ[name] = before


def _by_meaning(homes: dict[int, Home], project: Path) -> dict[str, Callable[[int], object]]:
    prompts = {f"{PROMPT}, model loaded, {size:,}": _asker(home, project) for size, home in homes.items()}
    calls = {
        f"{event}, model loaded, {size:,}": _runner(_command(home, event), _payload(event, project))
        for event in BY_SERVER
        for size, home in homes.items()
    }
    return prompts | calls


def _asker(home: Home, project: Path) -> Callable[[int], object]:
    """Each round asks something else: a daemon remembers the vectors of the last questions."""
    command = _command(home, PROMPT)
    return lambda number: _run(command, _payload(PROMPT, project, f"In build {number}, "))


def _variants(
    homes: dict[int, Home], servers: dict[int, subprocess.Popen[bytes]], down: Home, project: Path
) -> dict[str, Callable[[int], object]]:
    python = install.base_python()
    variants: dict[str, Callable[[int], object]] = {
        TRUE: lambda _: _run("/bin/true", b""),
        BARE: lambda _: _run(f"{python} -I -S -c pass 2>/dev/null || :", b""),
    }
    for event in EVENTS:
        payload = _payload(event, project)
        for size, home in homes.items():
            command = _command(home, event)
            variants[f"{event}, up, {size:,}"] = _runner(command, payload)
    for size, server in servers.items():
        for event in BY_SERVER:
            variants[f"{event}, server, {size:,}"] = _caller(server, json.loads(_payload(event, project)))
    capture = _command(down, "PreCompact")
    payload = _payload("PreCompact", project)
    variants[DOWN] = lambda _: _run(capture, payload)
    return variants


def _runner(command: str, payload: bytes) -> Callable[[int], object]:
    return lambda _: _run(command, payload)


def _command(home: Home, event: str) -> str:
    """The command as it is installed."""
    hook = next(one for one in HOOKS if one.event == event)
    return install.command(home, "claude-code", hook)


def _server(home: Home) -> subprocess.Popen[bytes]:
    """As a session keeps one open."""
    command = [str(install.mcp_server(home)), "claude-code"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _caller(server: subprocess.Popen[bytes], fields: dict[str, Any]) -> Callable[[int], object]:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "hook", "arguments": texts}}
    line = json.dumps(call).encode() + b"\n"

    def ask(_: int) -> object:
        assert server.stdin
        assert server.stdout
        server.stdin.write(line)
        server.stdin.flush()
        return server.stdout.readline()

    return ask


def _run(command: str, payload: bytes) -> bytes:
    return subprocess.run(["/bin/sh", "-c", command], input=payload, capture_output=True, check=True).stdout


def _cold_start(home: Home, project: Path) -> tuple[float, float]:
    """Milliseconds from a prompt with no daemon to its answer; and of /bin/true at the same moment."""
    lifecycle.stop(home)
    command = _command(home, "SessionStart")
    began = time.perf_counter()
    _run(command, _payload("SessionStart", project))
    taken = (time.perf_counter() - began) * 1000
    began = time.perf_counter()
    _run("/bin/true", b"")
    return taken, (time.perf_counter() - began) * 1000


def _payload(event: str, project: Path, begin: str = "") -> bytes:
    wire: dict[str, Any] = {
        "session_id": "bench",
        "transcript_path": str(project / "none.jsonl"),
        "cwd": str(project),
        "prompt_id": "p1",
        "hook_event_name": event,
        "source": "startup",
        "prompt": f"{begin}why does the deploy to staging fail with a certificate error in the worker?",
        "tool_name": "Bash",
        "tool_use_id": "toolu_bench",
        "tool_input": {"command": "make test", "description": "Run the tests"},
        "tool_response": {"stdout": "ok\n" * 800, "stderr": "", "interrupted": False},
        "error": "Exit code 2\n" + "line of output\n" * 100 + "make: *** No rule to make target 'test'. Stop.",
    }
    return json.dumps(wire).encode()


def _report(taken: dict[str, Times], first: Sequence[tuple[float, float]]) -> None:
    bare, true = taken[BARE].wall.p50, taken[TRUE].wall.p50
    rows = [
        [name, ms(times.wall.p50), ms(times.wall.p95), ratio2(times.wall.p50, bare), ratio(times.wall.p50, true)]
        for name, times in taken.items()
    ]
    print_table("Hook commands, ms", ["variant", "p50", "p95", "× bare interpreter", "× /bin/true"], rows)
    cold = sorted(pair[0] for pair in first)[len(first) // 2]
    beside = sorted(pair[1] for pair in first)[len(first) // 2]
    print(f"\nNo daemon to first answer: {ms(cold)} ms, {ratio(cold, beside)} /bin/true (target ≤ 150×)")


def ratio2(value: float, base: float) -> str:
    return f"{value / base:.2f}×"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
