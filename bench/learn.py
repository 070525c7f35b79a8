"""Learning from past sessions: speed, memory, what a live session feels meanwhile, look-ups as failures grow.

    python -m bench learn [--sizes 10,100,1000] [--runs 3] [--failures 1000,10000,100000] [--hooks 300] [--quick]

Made transcripts of so many MB are learned from with `hardwon learn`, as a process of its own, with every redaction rule
on; beside it a plain `json.loads` of every line of the same files. *Kept text* is what goes into the journal: prompts,
commands, outputs, errors, edits, before each is cut to its length. What `hardwon learn` takes with nothing to read is
taken off, the shortest of each. From 60 MB on, with a processor free, it reads in a second process: the rate by
processor time counts both, and the memory is that of the larger one. Then the same size as one single session. Targets:
≥ 10 MB/s of kept text, memory within 1.5 × of the smallest size, hooks of a live session p95 within 2 × of before,
look-ups 3 ×.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import transcripts
from bench.measure import Times, interleaved, keep, ms, percentile, print_table, progress, ratio
from bench.store import NOW
from hardwon.clients import past_sessions
from hardwon.clients.claude_code.messages import HOOKS
from hardwon.daemon import lifecycle
from hardwon.hook import install
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, take_in
from hardwon.memories import likeness, moments
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, LinkKind, Scope, Trust
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store import changes, projects
from hardwon.store.connection import Store, open_store
from hardwon.text import errors
from hardwon.text.likeness import trouble

HARDWON = str(Path(sys.executable).with_name("hardwon"))
MB = 1_000_000
SMALL, TINY = 100, 20
"""MB that are read several times, and eight times as often: there, most of the time is starting, which is taken off."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        root = Path(folder)
        (root / "shop").mkdir()
        speed = {size: _speed(root / f"s{size}", size, root / "shop", options.runs) for size in options.sizes}
        hooks = _hooks(root / "live", root / "shop", options.hooks, max(options.sizes[0], 50))
        stores = {size: _failures(root / f"f{size}", size) for size in options.failures}
        looked = {name: _lookups(stores, look, options.rounds) for name, look in _LOOKS.items()}
    _report(speed, hooks, looked)
    figures = {"speed": speed, "hooks_ms": hooks, "lookups_p50_ms": {n: _p50(t) for n, t in looked.items()}}
    keep("learn", figures)
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench learn", description=__doc__)
    parser.add_argument("--sizes", type=_numbers, default=[10, 100, 1000], metavar="MB,MB")
    parser.add_argument("--failures", type=_numbers, default=[1_000, 10_000, 100_000], metavar="N,N")
    parser.add_argument("--hooks", type=int, default=300, help="calls of a live session, before and meanwhile")
    parser.add_argument(
        "--runs", type=int, default=3, help="of up to 100 MB, of up to 20 MB eight times as many; the best counts"
    )
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="10 and 40 MB, 1,000 and 5,000 failures, 60 calls")
    options = parser.parse_args(argv)
    if options.quick:
        options.sizes, options.failures, options.hooks, options.rounds = [10, 40], [1_000, 5_000], 60, 50
    return options


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


# ---- speed and memory


def _speed(root: Path, size: int, shop: Path, runs: int) -> dict[str, float]:
    """Figures for one size: the best of some runs, each beside a plain parse of the same files."""
    progress(f"writing {size} MB of transcripts")
    files = transcripts.write(_sessions(root), size * MB, shop)
    parses, tried = [], []
    for number in range(8 * runs if size <= TINY else runs if size <= SMALL else 1):
        progress(f"{size} MB: parsing every line, then hardwon learn ({number + 1})")
        parses.append(_child("parse", *map(str, files)))
        tried.append(_started_and_learned(root / f"home{number}", root / "claude"))
    learn = _without_start(tried)
    progress(f"{size} MB: into the journal")
    journal = _child("journal", str(root / "journal"), str(root / "claude"))
    for path in files:
        path.unlink()
    (path,) = transcripts.write(_sessions(root / "one"), size * MB, shop, one_file=True)
    progress(f"{size} MB: hardwon learn, as one session")
    one = _without_start([_started_and_learned(root / "one" / "home", root / "one" / "claude")])
    path.unlink()
    return {
        "file_mb": size,
        "text_mb": journal["text"] / MB,
        "events": learn["events"],
        "learned": learn["new"],
        "parse_s": min(parse["cpu"] for parse in parses),
        "journal_s": journal["cpu"],
        "learn_s": learn["cpu"],
        "learn_wall_s": learn["wall"],
        "learn_rss_mb": learn["rss"],
        "learn_all_rss_mb": learn["all_rss"],
        "one_session_wall_s": one["wall"],
        "one_session_rss_mb": one["rss"],
    }


def _sessions(root: Path) -> Path:
    folder = root / "claude" / "projects" / "shop"
    folder.mkdir(parents=True)
    return folder


def _started_and_learned(home: Path, client: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `hardwon learn` takes with nothing to read, and what it took and found with these."""
    nothing = client.parent / "nothing"
    start = _run([HARDWON, "learn", "--yes", "--json"], _environment(home, nothing))
    learn = _run([HARDWON, "learn", "--yes", "--json"], _environment(home, client))
    answer = json.loads(learn["out"])
    assert answer["events"], answer
    return start, {**learn, "events": answer["events"], "new": answer["new"]}


def _without_start(tried: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    """The shortest run, less the shortest with nothing to read: no difference of two that other work made longer."""
    taken = {
        name: min(learn[name] for _, learn in tried) - min(start[name] for start, _ in tried)
        for name in ("cpu", "wall")
    }
    return {**tried[0][1], **taken}


def _child(what: str, *arguments: str) -> dict[str, Any]:
    """One thing in a process of its own; what it says about itself, and what it took."""
    done = _run([sys.executable, "-m", "bench.learn", "--child", what, *arguments], dict(os.environ))
    return {**done, **json.loads(done["out"])}


def _run(command: Sequence[str], environment: dict[str, str]) -> dict[str, Any]:
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    memory = _Memory(process.pid)
    memory.start()
    assert process.stdout
    out = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    memory.join()
    assert process.returncode == 0, (command, out)
    taken = {"cpu": used.ru_utime + used.ru_stime, "wall": wall, "rss": used.ru_maxrss / 1024, "all_rss": memory.most}
    return taken | {"out": out}


class _Memory(threading.Thread):
    """The most MB that a process and its children held together, asked for fifty times a second. Linux only."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.most = 0.0

    def run(self) -> None:
        while held := sum(map(_held, [self._pid, *_children(self._pid)])):
            self.most = max(self.most, held)
            time.sleep(0.02)


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _held(pid: int) -> float:
    """MB; 0 for a process that is gone, or has ended and only waits to be asked how."""
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _environment(home: Path, client: Path) -> dict[str, str]:
    return {"PATH": os.defpath, "HOME": str(home.parent), "HARDWON_HOME": str(home), "CLAUDE_CONFIG_DIR": str(client),
            "LANG": "C.UTF-8"}  # fmt: skip


def _parse(*files: str) -> dict[str, float]:
    for path in files:
        with Path(path).open("rb") as file:
            for line in file:
                json.loads(line)
    return {}


def _journal(home: str, client: str) -> dict[str, float]:
    taken = Taken()
    with open_store(Home(Path(home)), DEFAULTS) as store:
        places = Places(store)
        for log in past_sessions.of_clients({"CLAUDE_CONFIG_DIR": client, "HOME": home}):
            for _ in take_in(store, places, past_sessions.opened(log.client, log.path), 0, NOW, taken):
                pass
    return {"text": taken.text, "kept": taken.kept}


_CHILDREN: dict[str, Callable[..., dict[str, float]]] = {"parse": _parse, "journal": _journal}


# ---- a live session meanwhile


def _hooks(root: Path, shop: Path, calls: int, size: int) -> dict[str, dict[str, float]]:
    """Milliseconds of the installed hook before a command, alone and while `hardwon learn` reads."""
    client, home = root / "claude", Home(root / "home")
    sessions = client / "projects" / "shop"
    sessions.mkdir(parents=True)
    transcripts.write(sessions, size * MB, shop)
    make(home)
    home.hook.mkdir(mode=0o700)
    install.refresh(home)
    assert lifecycle.start(home) is not None
    hook = next(one for one in HOOKS if one.event == "PreToolUse")
    command, payload = install.command(home, "claude-code", hook), _payload(shop)
    environment = _environment(home.root, client)
    try:
        list(_timed_calls(command, payload, 20))
        alone = list(_timed_calls(command, payload, calls))
        meanwhile: list[float] = []
        while len(meanwhile) < calls:
            learner = subprocess.Popen([HARDWON, "learn", "--yes", "--again"], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            while learner.poll() is None and len(meanwhile) < calls:
                meanwhile += _timed_calls(command, payload, 1)
            learner.terminate()
            learner.wait()
    finally:
        lifecycle.stop(home)
    return {name: {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95)}
            for name, taken in (("alone", alone), ("meanwhile", meanwhile))}  # fmt: skip


def _timed_calls(command: str, payload: bytes, calls: int) -> Iterator[float]:
    for _ in range(calls):
        began = time.perf_counter()
        subprocess.run(["/bin/sh", "-c", command], input=payload, capture_output=True, check=True)
        yield (time.perf_counter() - began) * 1000


def _payload(shop: Path) -> bytes:
    wire = {"session_id": "bench-live", "transcript_path": str(shop / "none.jsonl"), "cwd": str(shop),
            "hook_event_name": "PreToolUse", "prompt_id": "p1", "tool_name": "Bash", "tool_use_id": "toolu_live",
            "tool_input": {"command": "make test"}}  # fmt: skip
    return json.dumps(wire).encode()


# ---- look-ups


def _failures(folder: Path, size: int) -> Store:
    """A home with so many failures, each with its command, its error and a fix for every tenth."""
    store = open_store(Home(folder), DEFAULTS)
    (folder / "shop").mkdir()
    _, project = projects.claim(store, folder / "shop", NOW)
    for start in range(0, size, 1_000):
        progress(f"a home of {size:,} failures: {start:,}")
        with store.transaction():
            for number in range(start, min(size, start + 1_000)):
                noted = changes.note(store, _failure(number, project.id), NOW + number)
                if noted.id and not number % 10:
                    fix = changes.note(store, _fix(number, project.id), NOW + number)
                    assert fix.id
                    changes.link(store, fix.id, LinkKind.FIXES, noted.id, NOW + number)
    return store


def _failure(number: int, project: str) -> Draft:
    anchors = (_command(number), Anchor(AnchorKind.ERROR, errors.signature(_error(number))))
    body = f"`pytest tests/test_{number}.py` failed: KeyError: 'field_{number}'"
    return Draft(kind=Kind.FAILURE, body=body, scope=Scope(project), trust=Trust.VERIFIED, source="session",
                 anchors=anchors, origin_key=f"bench:{number}:failure")  # fmt: skip


def _fix(number: int, project: str) -> Draft:
    body = f"`pytest tests/test_{number}.py` works after: edited src/{number}.py"
    return Draft(kind=Kind.FIX, subtype="worked", body=body, scope=Scope(project), trust=Trust.VERIFIED,
                 source="session", anchors=(_command(number),), origin_key=f"bench:{number}:fix")  # fmt: skip


def _command(number: int) -> Anchor:
    return Anchor(AnchorKind.COMMAND, f"pytest tests/test_{number}.py")


def _error(number: int) -> str:
    return f"Exit code 1\nKeyError: 'field_{number}'"


def _project(store: Store) -> str:
    return projects.named(store, "shop").id


def _before(store: Store, number: int) -> object:
    return moments.about(store, _command(number), _project(store), NOW)


def _after(store: Store, number: int) -> object:
    return likeness.look_up(store, trouble(_command(number).value, _error(number)), _project(store), NOW)


_LOOKS: dict[str, Callable[[Store, int], object]] = {"before a command": _before, "after a failure": _after}


def _lookups(stores: dict[int, Store], look: Callable[[Store, int], object], rounds: int) -> dict[int, Times]:
    def asking(store: Store) -> Callable[[int], object]:
        return lambda number: look(store, number * 10 % 1_000)

    return interleaved({size: asking(store) for size, store in stores.items()}, rounds)


def _p50(taken: dict[int, Times]) -> dict[int, float]:
    return {size: times.wall.p50 for size, times in taken.items()}


# ---- report


def _report(
    speed: dict[int, dict[str, float]], hooks: dict[str, dict[str, float]], looked: dict[str, dict[int, Times]]
) -> None:
    rows = [[f"{size:,} MB", f"{one['text_mb']:.1f}", _rate(one["text_mb"], one["learn_wall_s"]),
             _rate(one["text_mb"], one["learn_s"]), _rate(one["text_mb"], one["journal_s"]),
             _rate(one["file_mb"], one["parse_s"]), ratio(one["learn_s"], one["parse_s"]),
             f"{one['learn_rss_mb']:.0f} ({one['learn_all_rss_mb']:.0f})", f"{one['one_session_rss_mb']:.0f}"]
            for size, one in speed.items()]  # fmt: skip
    headings = ["transcripts", "kept text, MB", "learned, MB/s of it", "by processor time", "only the journal",
                "plain JSON, MB/s of file", "learning : JSON", "memory, MB (in all)", "one session, MB"]  # fmt: skip
    print_table("Learning (target: ≥ 10 MB/s of kept text)", headings, rows)
    sizes = list(speed)
    first, last = speed[sizes[0]], speed[sizes[-1]]
    for name, what in (("learn_rss_mb", "memory"), ("one_session_rss_mb", "memory with one session")):
        print(f"\n{what} at {sizes[-1]:,} MB: {ratio(last[name], first[name])} that at {sizes[0]:,} MB (target ≤ 1.5×)")
    alone, meanwhile = hooks["alone"], hooks["meanwhile"]
    print_table("Hook before a command, ms", ["", "p50", "p95"],
                [[name, ms(one["p50"]), ms(one["p95"])] for name, one in hooks.items()])  # fmt: skip
    print(f"\np95 meanwhile: {ratio(meanwhile['p95'], alone['p95'])} of alone (target ≤ 2×)")
    counts = list(next(iter(looked.values())))
    table = []
    for name, times in looked.items():
        grown = ratio(times[counts[-1]].wall.p50, times[counts[0]].wall.p50)
        table.append([name, *(ms(times[count].wall.p50) for count in counts), grown])
    print_table("Look-ups, ms (target ≤ 3×)", ["", *(f"{count:,} failures" for count in counts), "grown"], table)


def _rate(size: float, seconds: float) -> str:
    return f"{size / seconds:.1f}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        spent = time.process_time()  # without what it takes to begin
        told = _CHILDREN[sys.argv[2]](*sys.argv[3:])
        print(json.dumps(told | {"cpu": time.process_time() - spent}))
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
