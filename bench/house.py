"""What the repository weighs and how it is put together, this checkout or another.

    python -m bench house [--tree PATH] [--no-build] [--test] [--json]

Counted are tracked files, so two commits are compared by the same script: a worktree of each, and `--tree`. Wheel and
sdist are built in a temporary folder, from a copy of what is tracked; `--no-build` does without, `--test` runs
`make test` there and tells how long it takes.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from bench.measure import keep, print_table

HERE = Path(__file__).resolve().parent.parent
PACKAGE = PurePosixPath("src/hardwon")
PARTS = ("src", "tests", "bench", "docs")
SHOWN = 12
"""Of a long list the first ones are printed; `--json` has all."""


class Unusable(RuntimeError):
    """A tree that can't be measured; says which, and what to do."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench house", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tree", type=Path, default=HERE, metavar="PATH", help="another checkout (default: this one)")
    parser.add_argument("--no-build", action="store_true", help="without the sizes of wheel and sdist")
    parser.add_argument("--test", action="store_true", help="run `make test` there, and tell how long it takes")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(argv)
    try:
        figures = measured(options.tree)
        if not options.no_build:
            figures |= built(options.tree)
        if options.test:
            figures |= tested(options.tree)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 1
    keep("house", figures)
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        show(figures)
    return 0


def measured(tree: Path) -> dict[str, Any]:
    files = tracked(tree)
    python = {file: (tree / file).read_text("utf-8") for file in files if file.suffix == ".py"}
    package = {file: text for file, text in python.items() if file.is_relative_to(PACKAGE)}
    folder, beside = largest_folder(files)
    return {
        "files": len(files),
        "tracked bytes": sum((tree / file).stat().st_size for file in files),
        "python lines": sum(map(lines, python.values())),
        "python lines by part": {
            part: sum(lines(text) for file, text in python.items() if file.parts[0] == part) for part in PARTS
        },
        "largest folder": folder,
        "files in it": beside,
        "names defined twice": defined_twice(package),
        "imports between layers": between_layers(package),
    }


def lines(text: str) -> int:
    return len(text.splitlines())


def tracked(tree: Path) -> list[PurePosixPath]:
    """What git has in its index and is there; a link counts as the file that it leads to."""
    try:
        done = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Unusable("git is not installed: it says which files are tracked.") from error
    if done.returncode:
        raise Unusable(f"{tree} is no git checkout ({done.stderr.strip()}): --tree takes the folder of one.")
    return [PurePosixPath(name) for name in done.stdout.split("\0") if name and (tree / name).is_file()]


def largest_folder(files: Iterable[PurePosixPath]) -> tuple[str, int]:
    """By the files that stand side by side in it."""
    counted = Counter(str(file.parent) for file in files)
    return min(counted.items(), key=lambda one: (-one[1], one[0]), default=("", 0))


def defined_twice(package: Mapping[PurePosixPath, str]) -> dict[str, list[str]]:
    """Public classes and functions at the top of two or more modules, with these."""
    modules: dict[str, list[str]] = defaultdict(list)
    for file, text in package.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                modules[node.name].append(str(file.relative_to(PACKAGE)))
    twice = {name: sorted(set(where)) for name, where in sorted(modules.items()) if len(set(where)) > 1}
    return dict(sorted(twice.items(), key=lambda one: (-len(one[1]), one[0])))


def between_layers(package: Mapping[PurePosixPath, str]) -> dict[str, int]:
    """How many import statements of one layer name another, for each pair; a layer is what stands first below the
    package."""
    counted: Counter[str] = Counter()
    for file, text in package.items():
        here = layer(file.relative_to(PACKAGE).parts[0])
        counted.update(f"{here} -> {there}" for there in imported(text, file) if there != here)
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


def imported(text: str, file: PurePosixPath) -> Iterator[str]:
    """The layer that each import statement names, wherever it stands."""
    for node in ast.walk(ast.parse(text, str(file))):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == PACKAGE.name:
            named = [f"{PACKAGE.name}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            named = [node.module or ""]
        else:
            continue
        yield from {layer(name.split(".")[1]) for name in named if name.startswith(f"{PACKAGE.name}.")}


def layer(first: str) -> str:
    return first.removesuffix(".py")


def built(tree: Path) -> dict[str, Any]:
    """The bytes of a wheel and an sdist of what is tracked."""
    with tempfile.TemporaryDirectory(prefix="hardwon-house-") as folder:
        copy, out = Path(folder, "copy"), Path(folder, "out")
        for file in tracked(tree):
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / file, copy / file)
        command = [builder(copy, Path(folder, "venv")), "-m", "hatchling", "build", "-d", str(out)]
        run(command, copy, "the package can't be built")
        sizes = {file.suffix: file.stat().st_size for file in out.iterdir()}
    return {"wheel bytes": sizes[".whl"], "sdist bytes": sizes[".gz"]}


def builder(tree: Path, folder: Path) -> str:
    """A Python that has what builds the package: this one, or a new one in the folder."""
    if find_spec("hatchling"):
        return sys.executable
    wanted = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    run([python, "-m", "pip", "install", "--quiet", *wanted], tree, f"{', '.join(wanted)} can't be installed")
    return python


def tested(tree: Path) -> dict[str, Any]:
    began = time.monotonic()
    done = subprocess.run(["make", "test"], cwd=tree, stdout=sys.stderr)
    return {"make test seconds": round(time.monotonic() - began), "make test passed": done.returncode == 0}


def run(command: Sequence[str], folder: Path, problem: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no reason given")
        raise Unusable(f"{problem} ({last.strip()}): `--no-build` does without wheel and sdist.")


def show(figures: Mapping[str, Any]) -> None:
    plain = [[name, _shown(value)] for name, value in figures.items() if not isinstance(value, dict)]
    twice, pairs = figures["names defined twice"], figures["imports between layers"]
    parts = figures["python lines by part"].items()
    rows = [*plain, *([f"python lines, {part}", _shown(count)] for part, count in parts)]
    print_table("The house", ["what", "figure"], [*rows, ["names defined twice", _shown(len(twice))]])
    print_table(
        "Names defined in most modules",
        ["name", "modules"],
        [[name, ", ".join(modules)] for name, modules in list(twice.items())[:SHOWN]],
    )
    print_table(
        f"Imports between layers: {sum(pairs.values()):,}, in {len(pairs)} pairs",
        ["layers", "imports"],
        [[pair, _shown(count)] for pair, count in list(pairs.items())[:SHOWN]],
    )


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
