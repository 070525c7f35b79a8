"""The figures as tables that can be pasted into a Markdown page."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from hardwon.evaluation.bootstrap import Estimate
from hardwon.evaluation.metrics import BEFORE, EXCHANGE, SESSION
from hardwon.evaluation.run import Result
from hardwon.evaluation.silence import Silence

_NAMES = {
    BEFORE: "before its rivals",
    EXCHANGE + BEFORE: "exchange before its rivals",
    SESSION + BEFORE: "session before its rivals",
}


def of_result(result: Result) -> str:
    data = result.data
    title = f"{data.name}: {data.questions:,} questions, {data.documents:,} documents"
    names = [_NAMES.get(name, name) for name in data.measures]
    rows = [[way, *map(estimate, result.estimates(way).values())] for way in result.figures]
    ahead = [f"{way} {_signed(one)}" for way, one in result.ahead().items()]
    line = f"\n{names[0]}, vectors where there are any, ahead of: {'; '.join(ahead)}." if ahead else ""
    return table(title, ["method", *names], rows) + line


def of_silence(silence: Silence) -> str:
    figures = {way: heard.figures() for way, heard in silence.methods.items()}
    names = list(next(iter(figures.values())))
    heard = next(iter(silence.methods.values()))
    answerable = sum(bool(prompt.answer) for prompt, _ in heard.near)
    title = (
        f"Silence: {len(heard.near) - answerable} prompts that no note answers, {answerable} that one does, "
        f"{len(heard.unrelated)} unrelated texts"
    )
    parts = [table(title, ["method", *names], [[way, *map(estimate, one.values())] for way, one in figures.items()])]
    for way, curve in silence.curves.items():
        columns = list(curve[0][1])
        rows = [[_gate(least, silence.gate), *(percent(point[name]) for name in columns)] for least, point in curve]
        parts.append(table(f"The gate, {way}", ["min_coverage", *columns], rows))
    return "\n\n".join(parts)


def _gate(least: float, default: float) -> str:
    return f"**{least:.2f}**" if least == default else f"{least:.2f}"


def estimate(one: Estimate) -> str:
    return f"{percent(one.value)} [{percent(one.low)}, {percent(one.high)}]"


def _signed(one: Estimate) -> str:
    return f"{one.value * 100:+.1f} [{one.low * 100:+.1f}, {one.high * 100:+.1f}]"


def percent(value: float) -> str:
    return f"{value * 100:.1f}"


def table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [list(headings), *map(list, rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(headings))]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    head, *body = (_line(row, widths) for row in cells)
    return "\n".join([title, "", head, rule, *body])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
