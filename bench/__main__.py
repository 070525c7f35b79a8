"""Run the benchmarks: `python -m bench` all of them, quickly; `python -m bench NAME --help` one, with its options."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType

import bench


def benchmarks() -> Iterator[tuple[str, ModuleType]]:
    """Every module here that can be run: it has a `main(argv)` that gives an exit status."""
    for found in pkgutil.iter_modules(bench.__path__):
        if not found.name.startswith("_"):
            module = importlib.import_module(f"bench.{found.name}")
            if hasattr(module, "main"):
                yield found.name, module


def main(argv: list[str]) -> int:
    if not argv:
        return max((_run(name, module, ["--quick"]) for name, module in benchmarks()), default=0)
    if argv[0] in ("-h", "--help", "--list"):
        _describe()
        return 0
    known = dict(benchmarks())
    if argv[0] not in known:
        print(f'There is no benchmark "{argv[0]}": choose one of {", ".join(known)}.', file=sys.stderr)
        return 2
    return _run(argv[0], known[argv[0]], argv[1:])


def _run(name: str, module: ModuleType, argv: list[str]) -> int:
    print(f"\n# {name}", flush=True)
    return int(module.main(argv))


def _describe() -> None:
    print(f"{__doc__}\n")
    for name, module in benchmarks():
        print(f"  {name:<10}{(module.__doc__ or '').strip().splitlines()[0]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
