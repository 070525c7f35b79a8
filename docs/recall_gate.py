"""The curve of the gate as a picture: of all that is said the share that is right, against how often anything is said.

    python -m docs.recall_gate [FIGURES]     from what `python -m bench recall` has written, to docs/recall-gate.svg

Each point is one place of the gate, from open at the right to shut at the left; the ring is where the settings put it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "bench" / "out" / "recall.json"
PICTURE = ROOT / "docs" / "recall-gate.svg"

LEFT, TOP, WIDTH, HEIGHT = 60, 20, 480, 300
COLOURS = ("#1f6feb", "#15803d", "#c2410c", "#7e22ce")
_TEXT = 'font-family="sans-serif" font-size="12" fill="#333"'
"""Of all that does not say otherwise."""


def main(arguments: list[str]) -> int:
    source = Path(arguments[0]) if arguments else FIGURES
    try:
        measured = json.loads(source.read_text("utf-8"))["silence"]
    except FileNotFoundError:
        print(f"{source} is not there: run `python -m bench recall` first.", file=sys.stderr)
        return 1
    if not measured:
        print(f"{source} has no figures of the gate: run `python -m bench recall --sets reporting`.", file=sys.stderr)
        return 1
    PICTURE.write_text(drawn(measured["gate"]), "utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


def drawn(gate: dict[str, Any]) -> str:
    curves: dict[str, list[dict[str, float]]] = gate["curves"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {TOP + HEIGHT + 50}" role="img" '
        f"{_TEXT}>",
        "<title>Precision against the share of prompts that are answered, as the gate opens</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        *_axes(),
    ]
    for number, (name, points) in enumerate(curves.items()):
        parts += _curve(name, points, gate["min_coverage"], COLOURS[number % len(COLOURS)], number)
    return "\n".join([*parts, "</svg>", ""])


def _axes() -> list[str]:
    parts = []
    for step in range(0, 101, 20):
        x, y = _place(step / 100, 0.0)[0], _place(0.0, step / 100)[1]
        parts += [
            f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + WIDTH}" y2="{y}" stroke="#ddd"/>',
            f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{TOP + HEIGHT}" stroke="#ddd"/>',
            f'<text x="{x}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{step} %</text>',
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{step} %</text>',
        ]
    middle = LEFT + WIDTH // 2
    return [
        *parts,
        f'<text x="{middle}" y="{TOP + HEIGHT + 38}" text-anchor="middle">prompts that get an answer</text>',
        f'<text x="14" y="{TOP + HEIGHT // 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {TOP + HEIGHT // 2})">answers with the right note</text>',
    ]


def _curve(name: str, points: Sequence[dict[str, float]], default: float, colour: str, number: int) -> list[str]:
    spoken = [point for point in points if point["share answered"] > 0]
    places = [_place(point["share answered"], point["precision"]) for point in spoken]
    ring = [place for place, point in zip(places, spoken, strict=True) if point["min_coverage"] == default]
    line = " ".join(f"{x},{y}" for x, y in places)
    y = TOP + 18 + number * 18
    return [
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<g fill="{colour}">',
        *(f'<circle cx="{x}" cy="{y}" r="2.5"/>' for x, y in places),
        "</g>",
        *(f'<circle cx="{x}" cy="{y}" r="7" fill="none" stroke="{colour}" stroke-width="2"/>' for x, y in ring),
        f'<line x1="{LEFT + WIDTH - 200}" y1="{y - 4}" x2="{LEFT + WIDTH - 180}" y2="{y - 4}" stroke="{colour}" '
        'stroke-width="2"/>',
        f'<text x="{LEFT + WIDTH - 174}" y="{y}">{name}</text>',
    ]


def _place(answered: float, precision: float) -> tuple[float, float]:
    return round(LEFT + answered * WIDTH, 1), round(TOP + (1 - precision) * HEIGHT, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
