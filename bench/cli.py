"""How long a command takes from start to end, beside a bare interpreter that does nothing.

Every command is a process of its own with a clean environment (so that bytecode is cached as it is for a user), in a
folder with a project of its own, against a home with ten thousand memories, with a daemon and without, or one that does
not exist yet.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from bench.measure import Times, interleaved, keep, ms, print_table, progress, ratio
from bench.store import NOW, build, opened
from bench.texts import Writer, harvest
from hardwon.daemon import lifecycle
from hardwon.paths import Home
from hardwon.store import projects

BARE = "python -c pass"
HARDWON = Path(sys.executable).with_name("hardwon")
QUESTION = "why does the import of a module fail with a missing attribute?"
DOWN, UP = "down", "up"
"""The homes: without a daemon and with one."""
_STATE = {DOWN: "", UP: ", with a daemon"}
PATIENCE = 60.0
WARM = 3
"""Runs before the measured ones: they write the bytecode and take the copy that is due after so many notes."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory(prefix="hw-") as name, contextlib.chdir(_project(Path(name))):
        folder = Path(name)
        _build_home(folder / DOWN, options.size)
        if options.imports:
            return _print_imports(folder)
        shutil.copytree(folder / DOWN, folder / UP)
        variants = _variants(folder, _a_memory(folder / DOWN))
        with _daemon(folder / UP):
            interleaved(variants, WARM)
            progress(f"{len(variants)} commands, {options.rounds} times each")
            taken = interleaved({what: partial(_later, run) for what, run in variants.items()}, options.rounds)
        progress("")
    _report(taken)
    keep("cli", {"memories": options.size, "times": {what: asdict(times) for what, times in taken.items()}})
    return 0


@contextlib.contextmanager
def _daemon(root: Path) -> Iterator[None]:
    """A daemon for this home, and the process that runs everyday verbs, which the first command asks for."""
    home = Home(root)
    started = [sys.executable, "-E", "-P", "-m", "hardwon.daemon", str(root), "serve"]
    process = subprocess.Popen(started, env=_environment(root), start_new_session=True)
    try:
        until = time.monotonic() + PATIENCE
        while not (root / "cli.sock").exists():
            assert time.monotonic() < until, "the runner did not come up"
            _run([str(HARDWON), "list"], root)
        yield
    finally:
        lifecycle.stop(home)
        process.wait(PATIENCE)


def _a_memory(root: Path) -> str:
    command = [str(HARDWON), "list", "--limit", "1", "--json"]
    told = subprocess.run(command, env=_environment(root), capture_output=True, text=True, check=True).stdout
    return str(json.loads(told)["items"][0]["id"])


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench cli", description=__doc__)
    parser.add_argument("--rounds", type=int, help="how often each command is run")
    parser.add_argument("--size", type=int, help="memories in the full home")
    parser.add_argument("--imports", action="store_true", help="show what `hardwon note` imports instead")
    parser.add_argument("--quick", action="store_true", help="a smaller home, under a minute")
    quick = parser.parse_args(argv).quick
    parser.set_defaults(rounds=40 if quick else 100, size=2_000 if quick else 10_000)
    return parser.parse_args(argv)


def _project(folder: Path) -> Path:
    """A repository, as most folders are in which an agent works."""
    project = folder / "work"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return project


def _build_home(root: Path, size: int) -> None:
    """Twenty projects, the largest of them that of the folder we are in."""
    with opened(root) as store:
        _, here = projects.claim(store, Path.cwd(), NOW)
    writer = Writer(harvest()[0], projects=[here.id, *(f"project-{number:02}" for number in range(1, 20))])
    build(root, writer, size).close()


def _variants(folder: Path, id: str) -> dict[str, Callable[[int], None]]:
    """Each everyday command with a daemon and without, and what differs by neither."""
    hardwon, full = str(HARDWON), folder / DOWN
    found: dict[str, Callable[[int], None]] = {
        "/bin/true": lambda _: _run(["/bin/true"], full),
        BARE: lambda _: _run([sys.executable, "-c", "pass"], full),
        "hardwon --version": lambda _: _run([hardwon, "--version"], full),
        "hardwon --help": lambda _: _run([hardwon, "--help"], full),
        "hardwon note --help": lambda _: _run([hardwon, "note", "--help"], full),
    }
    everyday = {
        "note": [], "recall": [QUESTION], "check": ["make", "test"], "list": [], "show": [id], "why": [id],
        "search": ["module"], "status": [],
    }  # fmt: skip
    for verb, words in everyday.items():
        for state in (DOWN, UP):
            found[f"hardwon {verb}{_STATE[state]}"] = partial(_everyday, folder / state, verb, words)
    return found | {
        "hardwon note, the first in a new home": lambda number: _run(
            [hardwon, "note", _text(number)], folder / f"new-{number}"
        ),
        "hardwon recall, no home yet": lambda _: _run([hardwon, "recall", QUESTION], folder / "none"),
    }


def _everyday(home: Path, verb: str, words: list[str], number: int) -> None:
    _run([str(HARDWON), verb, *(words or ([_text(number)] if verb == "note" else []))], home)


def _later(run: Callable[[int], None], number: int) -> None:
    """With a number that no warming run had."""
    run(WARM + number)


def _text(number: int) -> str:
    return f"The {number}th worker needs {number * 37 % 101} seconds to start: `make worker-{number}` waits for it"


def _run(command: list[str], home: Path) -> None:
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    process = os.posix_spawn(command[0], command, _environment(home), file_actions=nowhere)
    _, status = os.waitpid(process, 0)
    assert status == 0, (command, status)


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(home.parent), "HARDWON_HOME": str(home)}


def _report(taken: dict[str, Times]) -> None:
    bare = taken[BARE].wall
    rows = []
    for what, times in taken.items():
        if what.endswith(_STATE[UP]):
            continue
        up = taken.get(f"{what}{_STATE[UP]}")
        sides = [times.wall, up.wall if up else None]
        figures = [ratio(one.p50, bare.p50) if one else "" for one in sides]
        figures += [ratio(one.p95, bare.p95) if one else "" for one in sides]
        figures += [ratio(one.least, bare.least) if one else "" for one in sides]
        rows.append([what, *figures, *(ms(one.p50) if one else "" for one in sides)])
    print_table(
        f"Commands from start to end, without a daemon and with one; the ratios are to `{BARE}` of the same "
        "interpreter and run",
        ["command", "p50", "p50 daemon", "p95", "p95 daemon", "least", "least daemon", "p50 ms", "p50 ms daemon"],
        rows,
    )


_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| ( *)(\S+)")


def _print_imports(folder: Path) -> int:
    command = [sys.executable, "-X", "importtime", str(HARDWON), "note", f"{_text(0)} {time.time()}"]
    _run(command, folder / DOWN)
    told = subprocess.run(command, env=_environment(folder / DOWN), capture_output=True, text=True, check=True).stderr
    found = [(int(own), int(total), name) for own, total, _, name in _IMPORT.findall(told)]
    print_table(
        f"What `hardwon note` imports: {len(found)} modules, {sum(own for own, _, _ in found) / 1000:.1f} ms",
        ["module", "own ms", "with what it imports"],
        [[name, ms(own / 1000), ms(total / 1000)] for own, total, name in sorted(found, reverse=True)[:40]],
    )
    return 0
