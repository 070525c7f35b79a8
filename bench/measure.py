"""How everything here is measured: side by side, in one run, as ratios.

A machine that does other things meanwhile makes every millisecond a guess, but it slows down all variants alike when
they take turns. So each round runs each variant once, in random order, and what counts is the ratio to a variant of
the same run.
"""

from __future__ import annotations

import json
import platform
import random
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

OUT = Path(__file__).parent / "out"


@dataclass(frozen=True, slots=True)
class Times:
    """What one variant took, in milliseconds."""

    all: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.all)

    @property
    def p50(self) -> float:
        return percentile(self.all, 0.50)

    @property
    def p95(self) -> float:
        return percentile(self.all, 0.95)

    def as_json(self) -> dict[str, float]:
        return {"n": len(self.all), "min": self.least, "p50": self.p50, "p95": self.p95}


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def interleaved(variants: Mapping[str, Callable[[int], object]], rounds: int, seed: int = 1) -> dict[str, Times]:
    """Run each variant once per round, in random order; a variant is given the number of the round."""
    chance = random.Random(seed)
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(rounds):
        for name in chance.sample(list(variants), len(variants)):
            taken[name].append(timed(lambda run=variants[name]: run(number)))  # type: ignore[misc]
    return {name: Times(tuple(times)) for name, times in taken.items()}


def timed(run: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - began) / 1_000_000


def ratio(value: float, base: float) -> str:
    return f"{value / base:.1f}×"


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
    return "| " + " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)) + " |"


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
