"""What `hardwon rehearse` prints: the sentence, a picture of the kinds on a terminal, examples."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from hardwon.cli.support import output
from hardwon.rehearsal import report

WIDTH = 24
"""Characters of the longest bar."""
TOLD = 110
"""Characters of what was said."""
_HEADINGS = ("kind", "came back", "in time", "calls", "saved")


def show(figures: dict[str, Any], excluded: dict[str, int]) -> None:
    print(report.sentence(figures))
    if figures["came_back"] or figures["said"]["times"]:
        _show_figures(figures)
    show_left_out(excluded | figures["apart"], figures["files"]["unreadable"])
    for line in report.broken(figures["files"]):
        output.remark(line)


def show_left_out(reasons: dict[str, int], unreadable: Sequence[str]) -> None:
    for line in report.left_out(reasons, unreadable):
        output.remark(line)


def _show_figures(figures: dict[str, Any]) -> None:
    print(report.worth(figures))
    if sys.stdout.isatty():
        _print_table(figures)
    else:
        for row in _rows(figures):
            print("\t".join(row))
    _examples("said in time", figures["examples"]["in_time"], _in_time)
    _examples("came back, and nothing was said", figures["examples"]["missed"], _missed)
    _examples("beside the point", figures["examples"]["beside_the_point"], _beside)


def _rows(figures: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (name, str(one["came_back"]), str(one["in_time"]), str(one["ceiling"]), f"{one['credit']:.1f}")
        for name, one in figures["kinds"].items()
    ]


def _print_table(figures: dict[str, Any]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "kind" else "right", no_wrap=True)
    table.add_column("", no_wrap=True)
    most = max([1, *(one["ceiling"] for one in figures["kinds"].values())])
    for cells, one in zip(_rows(figures), figures["kinds"].values(), strict=True):
        saved = round(WIDTH * one["credit"] / most)
        whole = max(saved, round(WIDTH * one["ceiling"] / most), 1 if one["ceiling"] else 0)
        bar = Text("█" * saved, "green") + Text("░" * (whole - saved), "bright_black")
        table.add_row(*map(Text, cells), bar)
    Console().print(table)


def _examples(title: str, found: list[dict[str, Any]], line: Any) -> None:
    if found:
        print(f"\n{title}:")
        for one in found:
            print(f"  {line(one)}")


def _in_time(one: dict[str, Any]) -> str:
    return f"{one['saved']:.1f} of {_missed(one)}\n    {one['moment']}: {_around(one['said'], one['answer'][0])}"


def _missed(one: dict[str, Any]) -> str:
    cost, answer = output.counted(one["cost"], "call"), ", ".join(one["answer"])
    return f"{cost}  {one['kind']}: {_cut(one['what'], 70)} → {_cut(answer, 60)}"


def _beside(one: dict[str, Any]) -> str:
    wrong = ", and it was wrong" if one["contradicted"] else ""
    return f"{one['moment']}{wrong}: {_cut(one['text'].removeprefix('- '), TOLD)}"


def _around(text: str, answer: str) -> str:
    """The part of what was said that has the answer."""
    end = text.casefold().find(answer.casefold()) + len(answer)
    begin = text.find(" ", end - TOLD * 2 // 3) if end > TOLD else -1
    return _cut(f"…{text[begin:]}" if begin > 0 else text.removeprefix("- "), TOLD)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
