"""`hardwon status --skills`: how often each skill loads, and what its lessons did; a row per skill."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from hardwon.cli.doctor import doctor_skills
from hardwon.cli.support import output
from hardwon.memories import skill_file
from hardwon.memories.skill_file import SkillFile
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.store.tables import skill_loads
from hardwon.store.tables.skill_loads import DAY, Use
from hardwon.text.skills.frontmatter import EXAMPLE

if TYPE_CHECKING:
    from rich.table import Table

DAYS = 30
_HEADINGS = ("skill", "loads", "lessons", "archived", "shown", "helped", "last seen")


def show(store: Store, now: int, json: bool) -> None:
    found = skill_loads.uses(store, now, DAYS)
    if json:
        output.print_json({"items": [_as_json(use) for use in found], "days": DAYS})
        return
    if not found:
        output.remark("no skill was loaded yet, and none has a lesson")
    elif sys.stdout.isatty():
        _print_table(found, now)
    else:
        for use in found:
            print("\t".join(_cells(use)))
    for file in map(_file, found):
        for problem in file.tuning.problems:
            output.remark(f"{plain.one_line(file.path)}: {plain.one_line(problem)}; try `{EXAMPLE}`")


def _file(use: Use) -> SkillFile:
    """Its SKILL.md, as a client finds it from here."""
    return skill_file.of_name(use.skill, doctor_skills.here())


def _as_json(use: Use) -> dict[str, Any]:
    return {
        "skill": use.skill,
        "loads": use.loads,
        "lessons": {"active": use.active, "archived": use.archived},
        "shown": use.shown,
        "helped": use.helped,
        "last_seen": use.last_seen,
        "by_day": use.by_day,
        "problems": list(_file(use).tuning.problems),
    }


def _cells(use: Use) -> tuple[str, ...]:
    numbers = map(str, (use.loads, use.active, use.archived, use.shown, use.helped))
    return (plain.one_line(use.skill), *numbers, skill_loads.day_of(use.last_seen) if use.last_seen else "-")


def _print_table(found: list[Use], now: int) -> None:
    """With a chart as detailed as the terminal is wide; in a narrow one a long name gives way, never a number."""
    from rich.console import Console

    console = Console()
    tables = [_table(found, now, days) for days in (1, 2, 3, 0)]
    roomy = console.options.update(max_width=10_000)
    fitting = [table for table in tables if console.measure(table, options=roomy).maximum <= console.width]
    console.print((fitting or tables[-1:])[0])


def _table(found: list[Use], now: int, days: int) -> Table:
    """A column of the chart is so many days; none at all when it is no day."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in _HEADINGS:
        justify: Literal["left", "right"] = "left" if heading in ("skill", "last seen") else "right"
        table.add_column(heading, justify=justify, overflow="ellipsis", no_wrap=heading != "skill")
    if days:
        table.add_column(f"last {DAYS} days", no_wrap=True)
    for use in found:
        chart = [Text(sparkline(_summed(_per_day(use, now), days)))] if days else []
        table.add_row(*(Text(cell) for cell in _cells(use)), *chart)
    return table


def _summed(values: list[int], each: int) -> list[int]:
    return [sum(values[at : at + each]) for at in range(0, len(values), each)]


def _per_day(use: Use, now: int) -> list[int]:
    """Loads of each of the last days, oldest first."""
    return [use.by_day.get(skill_loads.day_of(now - back * DAY), 0) for back in reversed(range(DAYS))]


def sparkline(values: list[int]) -> str:
    """A column per value, as high as it is beside the highest; a dot for nothing."""
    highest = max(values, default=0)
    return "".join(_BARS[-(-value * len(_BARS) // highest) - 1] if value > 0 else "·" for value in values)


_BARS = "▁▂▃▄▅▆▇█"
