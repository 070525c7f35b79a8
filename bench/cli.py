"""How long a command takes from start to end, beside a bare interpreter that does nothing.

Every command is a process of its own with a clean environment (so that bytecode is cached as it is for a user), in a
folder with a project of its own, against a home with ten thousand memories or one that does not exist yet.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from bench.measure import Times, interleaved, keep, ms, print_table, progress, ratio
from bench.store import NOW, build, opened
from bench.texts import Writer, harvest
from hardwon.store import projects

BARE = "python -c pass"
HARDWON = Path(sys.executable).with_name("hardwon")
QUESTION = "why does the import of a module fail with a missing attribute?"
WARM = 3
"""Runs before the measured ones: they write the bytecode and take the copy that is due after so many notes."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as name, contextlib.chdir(_project(Path(name))):
        folder = Path(name)
        _build_home(folder / "full", options.size)
        if options.imports:
            return _print_imports(folder)
        variants = _variants(folder)
        interleaved(variants, WARM)
        progress(f"{len(variants)} commands, {options.rounds} times each")
        taken = interleaved({what: partial(_later, run) for what, run in variants.items()}, options.rounds)
        progress("")
    _report(taken)
    keep("cli", {"memories": options.size, "times": {what: asdict(times) for what, times in taken.items()}})
    return 0


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


def _variants(folder: Path) -> dict[str, Callable[[int], None]]:
    hardwon, full = str(HARDWON), folder / "full"
    return {
        "/bin/true": lambda _: _run(["/bin/true"], full),
        BARE: lambda _: _run([sys.executable, "-c", "pass"], full),
        "hardwon --version": lambda _: _run([hardwon, "--version"], full),
        "hardwon note": lambda number: _run([hardwon, "note", _text(number)], full),
        "hardwon recall": lambda _: _run([hardwon, "recall", QUESTION], full),
        "hardwon list": lambda _: _run([hardwon, "list"], full),
        "hardwon note, the first in a new home": lambda number: _run(
            [hardwon, "note", _text(number)], folder / f"new-{number}"
        ),
        "hardwon recall, no home yet": lambda _: _run([hardwon, "recall", QUESTION], folder / "none"),
    }


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
    bare = taken[BARE]
    print_table(
        f"Commands from start to end; the ratios are to `{BARE}` of the same interpreter and run",
        ["command", "p50", "p95", "processor p50", "p50 ms", "p95 ms", "min ms"],
        [
            [
                what,
                ratio(times.wall.p50, bare.wall.p50),
                ratio(times.wall.p95, bare.wall.p95),
                ratio(times.cpu.p50, bare.cpu.p50),
                ms(times.wall.p50),
                ms(times.wall.p95),
                ms(times.wall.least),
            ]
            for what, times in taken.items()
        ],
    )


_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| ( *)(\S+)")


def _print_imports(folder: Path) -> int:
    command = [sys.executable, "-X", "importtime", str(HARDWON), "note", f"{_text(0)} {time.time()}"]
    _run(command, folder / "full")
    told = subprocess.run(command, env=_environment(folder / "full"), capture_output=True, text=True, check=True).stderr
    found = [(int(own), int(total), name) for own, total, _, name in _IMPORT.findall(told)]
    print_table(
        f"What `hardwon note` imports: {len(found)} modules, {sum(own for own, _, _ in found) / 1000:.1f} ms",
        ["module", "own ms", "with what it imports"],
        [[name, ms(own / 1000), ms(total / 1000)] for own, total, name in sorted(found, reverse=True)[:40]],
    )
    return 0
