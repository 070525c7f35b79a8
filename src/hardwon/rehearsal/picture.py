"""A rehearsal as a picture: for each kind, the calls that came back, and those that would have been saved."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from hardwon.rehearsal.report import counted

LEFT, TOP, WIDTH, RIGHT, ROW = 130, 46, 420, 110, 30
_TEXT = 'font-family="sans-serif" font-size="12" fill="#333"'
SAVED, LOST, PRICE = "#15803d", "#d4d4d8", "#c2410c"


def svg(figures: dict[str, Any]) -> str:
    rows = [(name, one["ceiling"], one["credit"]) for name, one in figures["kinds"].items()]
    cost = figures["price"] + figures["penalty"]
    most = max([cost, *(ceiling for _, ceiling, _ in rows), 1])
    height = TOP + ROW * (len(rows) + 1) + 34
    sessions, things = counted(figures["sessions"], "session"), counted(figures["came_back"], "thing")
    title = f"{sessions}: {things} came back, {figures['in_time']} said in time"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="12" y="24" {_TEXT} font-weight="bold">{escape(title)}</text>',
    ]
    for number, (name, ceiling, credit) in enumerate(rows):
        saved = f"{credit:,.1f} of {ceiling:,}" if ceiling else "none"
        parts += _row(number, name, [(ceiling, LOST), (credit, SAVED)], most, saved)
    parts += _row(len(rows), "price of it all", [(cost, PRICE)], most, f"{cost:,.1f}")
    parts.append(f'<text x="{LEFT}" y="{height - 10}" {_TEXT}>calls: grey came back, green saved, red paid</text>')
    return "\n".join([*parts, "</svg>", ""])


def _row(number: int, name: str, bars: list[tuple[float, str]], most: float, said: str) -> list[str]:
    y = TOP + ROW * number
    drawn = [f'<rect x="{LEFT}" y="{y}" width="{WIDTH * value / most:.1f}" height="18" fill="{colour}"/>'
             for value, colour in bars if value > 0]  # fmt: skip
    end = LEFT + WIDTH * max(value for value, _ in bars) / most
    return [
        f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end" {_TEXT}>{escape(name)}</text>',
        *drawn,
        f'<text x="{end + 6:.1f}" y="{y + 13}" {_TEXT}>{said}</text>',
    ]
