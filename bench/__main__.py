"""Run the benchmarks: `python -m bench` all of them, quickly; `python -m bench NAME --help` one, with its options."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import bench

WITHIN = {
    "recall_parts": "bench.recall.parts",
    "histories": "bench.recall.histories",
}
"""Those that have no module of their own here."""
ASKED_FOR = (
    "branch_sessions",
    "histories",
    "house",
    "leaks",
    "lessons",
    "public_sessions",
    "rehearsal",
    "rehearsal_size",
    "speech",
    "through",
)
"""Those that get or want what is measured, or build what is installed: they run only when asked for."""
WITH_VECTORS = ("recall", "replacing")
"""Those that measure what vectors bring, with the model of the settings."""


def main(argv: list[str]) -> int:
    if not argv:
        return max((run(name, ["--quick"]) for name in names() if name not in ASKED_FOR), default=0)
    if argv[0] in ("-h", "--help", "--list"):
        return _describe()
    name = argv[0].replace("-", "_")
    if name not in _modules() or not _main_of(name):
        print(f'There is no benchmark "{argv[0]}": choose one of {", ".join(map(_shown, names()))}.', file=sys.stderr)
        return 2
    return run(name, argv[1:])


def names() -> list[str]:
    """Every module here that can be run: it has a `main(argv)` that gives an exit status."""
    return [name for name in _modules() if _main_of(name)]


def _modules() -> list[str]:
    here = [found.name for found in pkgutil.iter_modules(bench.__path__) if not found.name.startswith("_")]
    return sorted([*here, *WITHIN])


def _module(name: str) -> ModuleType:
    return importlib.import_module(WITHIN.get(name, f"bench.{name}"))


def _main_of(name: str) -> Callable[[list[str]], Any] | None:
    return getattr(_module(name), "main", None)


def run(name: str, argv: list[str]) -> int:
    start = _main_of(name)
    assert start is not None, name
    # A daemon that loads a model and embeds a hundred thousand memories would be measured along with everything else.
    if name not in WITH_VECTORS:
        os.environ.setdefault("HARDWON_VECTORS_MODEL", "off")
    print(f"\n# {_shown(name)}", flush=True, file=sys.stderr if "--json" in argv else sys.stdout)
    return int(start(argv))


def _shown(name: str) -> str:
    return name.replace("_", "-")


def _describe() -> int:
    print(f"{__doc__}\n")
    for name in names():
        told = _module(name).__doc__ or ""
        print(f"  {_shown(name):<16}{told.strip().partition(chr(10))[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
