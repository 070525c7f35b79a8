"""How everything here is measured: side by side, in one run, as ratios.

A machine that does other things meanwhile makes every millisecond a guess, but it slows down all variants alike when
they take turns. So each round runs each variant once, in random order, and what counts is the ratio to a variant of
the same run. Beside the time on the clock stands the processor time, children included: it leaves out the waiting, for
a disk but also for a processor that is busy with something else.
"""

from __future__ import annotations

import json
import platform
import random
import resource
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import east_asian_width

Name = TypeVar("Name", int, str)

OUT = Path(__file__).parent / "out"


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds of many runs."""

    p50: float
    p95: float
    least: float
    runs: int


@dataclass(frozen=True, slots=True)
class Times:
    """What one variant took, on the clock and of the processor."""

    wall: Spread
    cpu: Spread


def spread(values: Sequence[float]) -> Spread:
    return Spread(percentile(values, 0.50), percentile(values, 0.95), min(values), len(values))


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def interleaved(
    variants: Mapping[Name, Callable[[int], object]],
    rounds: int,
    seed: int = 1,
    before: Mapping[Name, Callable[[], object]] | None = None,
) -> dict[Name, Times]:
    """Run each variant once per round, in random order; a variant is given the number of the round.

    What stands in `before` is done before a variant, and not measured.
    """
    chance = random.Random(seed)
    taken: dict[Name, list[tuple[float, float]]] = {name: [] for name in variants}
    for number in range(rounds):
        for name in chance.sample(list(variants), len(variants)):
            if before and name in before:
                before[name]()
            taken[name].append(timed(variants[name], number))
    return {name: Times(*map(spread, zip(*times, strict=True))) for name, times in taken.items()}


def timed(run: Callable[[int], object], number: int) -> tuple[float, float]:
    """Milliseconds on the clock and of the processor."""
    began, spent = time.perf_counter(), _cpu()
    run(number)
    return (time.perf_counter() - began) * 1000, (_cpu() - spent) * 1000


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def ratio(value: float, base: float) -> str:
    times = value / base
    return f"{times:.1f}×" if times >= 1 else f"{times:.2f}×"


def ms(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def share(part: float) -> str:
    return f"{part:.0%}"


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table that can be pasted into a Markdown page."""
    cells = [list(headings), *map(list, rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(headings))]
    print(f"\n{title}\n")
    print(_line(cells[0], widths))
    print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    for row in cells[1:]:
        print(_line(row, widths))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def keep(name: str, figures: Mapping[str, Any]) -> Path:
    """Write the figures to `bench/out/`, which is not part of the repository."""
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{name}.json"
    path.write_text(json.dumps({**machine(), **figures}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def machine() -> dict[str, str]:
    import apsw

    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "sqlite": apsw.sqlite_lib_version(),
    }


def progress(text: str) -> None:
    """What is going on, on stderr; on one line where somebody watches."""
    print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, file=sys.stderr, end="" if sys.stderr.isatty() else "\n")
