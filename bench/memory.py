"""What the daemon takes up: its resident memory after a few hundred messages, as the memory grows.

    python -m bench memory [--sizes 1000,10000,100000] [--prompts 300] [--quick]

The real daemon on a store of each size gets prompts, commands, failures and results over its socket, as the hook client
sends them; on the way it takes its daily copy. RSS is what `ps` shows, peak the most that it ever was; PSS divides the
pages of libraries among all who have loaded them; dirty is what this process alone has written. Promise: at most 60 MB
resident at any time without a vector model, and at most 120 MB with the packaged one loaded. That is measured where the
extra is installed: each memory has a vector then, made up, and what is said meanwhile gets its own. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import questions
from bench.measure import keep, ms, percentile, print_table, progress
from bench.recall import growing
from bench.store import NOW, build, opened
from bench.texts import Vocabulary, Writer, harvest
from hardwon import __version__
from hardwon.daemon import lifecycle
from hardwon.embedding import choose
from hardwon.paths import Home
from hardwon.settings.keys import Vectors
from hardwon.store import projects

MOST, MOST_LOADED = 60.0, 120.0
"""Megabytes of a million bytes: without a model at any time, with one when it has done its work."""
MODEL = "HARDWON_VECTORS_MODEL"
MOST_VECTORS = 10_000
"""Memories up to which the second is promised: what they mean is half a kilobyte of each, and has to be in memory."""
READY = 300.0
"""Seconds that the model may take for what was said."""
LIMIT = 5_000
"""Milliseconds for an answer: more than a client allows, so that none is given up half-way."""
SESSION = 10
"""Prompts of one session: later ones would be told nothing more."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Megabytes of the daemon when it has just started and afterwards, and the milliseconds of its answers."""

    at_start: float
    rss: float
    peak: float
    pss: float
    dirty: float
    p50: float
    p95: float


def main(argv: list[str]) -> int:
    options = _options(argv)
    if not Path("/proc/self/smaps_rollup").exists():
        print("not measured: this system has no /proc/PID/smaps_rollup", file=sys.stderr)
        return 0
    vocabulary, _ = harvest()
    lacking = choose.lacking(Vectors())
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        project = Path(folder, "shop")
        project.mkdir()
        taken: dict[int, Taken] = {}
        loaded: dict[int, Taken] = {}
        for size in options.sizes:
            home, writer = build_home(Path(folder, f"h{size}"), vocabulary, size, project)
            asked = asked_of(writer, size, options.prompts)
            taken[size] = measure(home, project, asked)
            if not lacking:
                loaded[size] = measure_loaded(home, project, asked)
    _report("The daemon", taken, options.prompts)
    if loaded:
        _report("The daemon with a model loaded", loaded, options.prompts)
    else:
        print(f"\nwith a model loaded: not measured, {lacking} is not installed")
    sizes = {
        what: {str(size): asdict(one) for size, one in some.items()}
        for what, some in (("sizes", taken), ("loaded", loaded))
    }
    keep("memory", {"prompts": options.prompts} | sizes)
    return _verdict(taken, loaded)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench memory", description=__doc__)
    parser.add_argument("--sizes", type=lambda text: [int(part) for part in text.split(",")], metavar="N,N")
    parser.add_argument("--prompts", type=int, help="prompts that each daemon gets, and as many commands")
    parser.add_argument("--quick", action="store_true", help="1,000 and 10,000 memories, 120 prompts")
    quick = parser.parse_args(argv).quick
    parser.set_defaults(sizes=[1_000, 10_000] if quick else [1_000, 10_000, 100_000], prompts=120 if quick else 300)
    return parser.parse_args(argv)


def build_home(root: Path, vocabulary: Vocabulary, size: int, project: Path) -> tuple[Home, Writer]:
    """A home with this many memories, nearly all of them in the project."""
    with opened(root) as store:
        _, known = projects.claim(store, project, NOW)
    writer = Writer(vocabulary, projects=[known.id])
    build(root, writer, size).close()
    return Home(root), writer


def asked_of(writer: Writer, size: int, count: int) -> list[str]:
    return [asked.question.text for asked in questions.mixed(writer, size, count)][:count]


def measure_loaded(home: Home, project: Path, prompts: Sequence[str]) -> Taken:
    """The same with the packaged model, when it has made a vector of all that was said."""
    with opened(home.root) as store:
        growing.made_up_vectors(
            store, choose.name(Vectors()), len(prompts) + store.value("select count(*) from memories")
        )
    before = os.environ.get(MODEL)
    os.environ[MODEL] = choose.PACKAGED
    try:
        return measure(home, project, prompts, _wait_until_ready)
    finally:
        os.environ.pop(MODEL)
        if before is not None:
            os.environ[MODEL] = before


def measure(home: Home, project: Path, prompts: Sequence[str], wait: Callable[[Home], None] = lambda _: None) -> Taken:
    """Drive the home's daemon and look at it; it is stopped in the end."""
    running = lifecycle.start(home)
    assert running is not None, f"no daemon came up for {home.root}"
    try:
        at_start = _megabytes(running["pid"])["Rss"]
        times = []
        progress(f"asking the daemon of {home.root.name} {len(prompts)} times")
        for number, prompt in enumerate(prompts):
            for event, payload in _messages(number, prompt, project):
                began = time.perf_counter()
                _exchange(home, event, payload)
                times.append((time.perf_counter() - began) * 1000)
        _wait_until_kept(home)
        wait(home)
        progress("")
        now = _megabytes(running["pid"])
        used = (now["Rss"], now["VmHWM"], now["Pss"], now["Private_Dirty"])
        return Taken(at_start, *used, percentile(times, 0.5), percentile(times, 0.95))
    finally:
        lifecycle.stop(home)


def _messages(number: int, prompt: str, project: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """One prompt, and what the agent does then: a command, now and then one that fails, now and then a new session."""
    wire: dict[str, object] = {
        "session_id": f"bench-{number // SESSION}",
        "transcript_path": str(project / "none.jsonl"),
        "cwd": str(project),
        "prompt_id": f"p{number}",
    }
    if number % SESSION == 0:
        yield "SessionStart", wire | {"source": "startup"}
    yield "UserPromptSubmit", wire | {"prompt": prompt}
    command = {"command": f"make step-{number % 50}"}
    call = {"tool_name": "Bash", "tool_use_id": f"toolu_{number}", "tool_input": command}
    yield "PreToolUse", wire | call
    if number % 5 == 0:
        yield "PostToolUseFailure", wire | call | {"error": f"Exit code 2\n{prompt}\nmake: *** [step] Error 2"}
    else:
        yield "PostToolUse", wire | call | {"tool_response": {"stdout": f"{prompt}\n" * 20, "stderr": ""}}
    if number % SESSION == SESSION - 1:
        yield "Stop", wire


def _exchange(home: Home, event: str, payload: dict[str, object]) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(str(home.socket))
        header = f"1 {__version__} claude-code {event} {LIMIT}\n"
        connection.sendall(header.encode() + json.dumps({"hook_event_name": event, **payload}).encode())
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def _wait_until_kept(home: Home) -> None:
    until = time.monotonic() + 60
    while (lifecycle.status(home) or {}).get("waiting"):
        assert time.monotonic() < until, "the daemon did not keep everything within a minute"
        time.sleep(0.05)


def _wait_until_ready(home: Home) -> None:
    until = time.monotonic() + READY
    while (found := (lifecycle.status(home) or {}).get("vectors", {})).get("state") != "ready" or found["missing"]:
        assert time.monotonic() < until, f"the model was not done within {READY:.0f} seconds: {found}"
        time.sleep(0.5)


def _megabytes(pid: int) -> dict[str, float]:
    """What /proc says of a process, by its names."""
    files = (Path(f"/proc/{pid}/{name}").read_text() for name in ("smaps_rollup", "status"))
    pairs = (line.split() for text in files for line in text.splitlines() if line.endswith(" kB"))
    return {name.rstrip(":"): int(value) * 1024 / 1_000_000 for name, value, _ in pairs}


def _report(what: str, taken: dict[int, Taken], prompts: int) -> None:
    rows = [
        [f"{size:,}", *(f"{value:.0f}" for value in used), ms(one.p50), ms(one.p95)]
        for size, one in taken.items()
        for used in [(one.at_start, one.rss, one.peak, one.pss, one.dirty)]
    ]
    print_table(
        f"{what} after {prompts} prompts and as many commands, MB; the last two are ms per message",
        ["memories", "RSS at start", "RSS", "peak", "PSS", "dirty", "p50", "p95"],
        rows,
    )


def _verdict(taken: dict[int, Taken], loaded: dict[int, Taken]) -> int:
    found = [("without a model", MOST, max(one.peak for one in taken.values()))]
    if some := [one.rss for size, one in loaded.items() if size <= MOST_VECTORS]:
        found.append((f"with one loaded, up to {MOST_VECTORS:,} memories,", MOST_LOADED, max(some)))
    print()
    for what, promised, most in found:
        kept = "kept" if most <= promised else "MISSED"
        print(f"{what} at most {promised:.0f} MB is promised, the most was {most:.0f} MB: {kept}")
    return int(any(most > promised for _, promised, most in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
