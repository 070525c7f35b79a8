"""The small chart of loads per day."""

from __future__ import annotations

import re

import pytest

from hardwon.cli.verbs.status_skills import sparkline
from tests.commandline import Cli


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ([], ""),
        ([0, 0, 0], "···"),
        ([1], "█"),
        ([0, 1, 2, 4, 8], "·▁▂▄█"),
        ([8, 7, 1, 0], "█▇▁·"),
        ([1, 1000], "▁█"),
        ([3, 3], "██"),
    ],
)
def test_sparkline(values: list[int], drawn: str) -> None:
    """A column per day; nothing is a dot, and whatever is more than nothing is at least the lowest bar."""
    assert sparkline(values) == drawn


@pytest.mark.parametrize(("width", "chart"), [("120", 30), ("90", 15), ("80", 10), ("66", 0), ("60", 0)])
def test_the_table_fits_the_terminal(cli: Cli, width: str, chart: int) -> None:
    """A line per skill with every heading and number whole; the chart has a column per day where there is room."""
    for skill in ("browser-use", "lark-sync"):
        cli.run("note", f"a lesson of {skill}", "--skill", skill)
    shown = cli.person("status", "--skills", env={"COLUMNS": width})
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    heading, rows = lines[1], [line for line in lines if "brow" in line or "lark" in line]
    assert heading.split()[:8] == ["skill", "loads", "lessons", "archived", "shown", "helped", "last", "seen"]
    names = ("brows…", "lark-…") if width == "60" else ("browser-use", "lark-sync")
    assert [row.split()[:6] for row in rows] == [[name, "0", "1", "0", "0", "0"] for name in names]
    assert [row.count("·") for row in rows] == [chart, chart]
    assert all(len(line) <= int(width) for line in lines)
