from __future__ import annotations

from typing import Any

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.memories.brief import BUDGET
from hardwon.moments import at_start
from hardwon.moments.answer import here
from hardwon.moments.at_start import Brief
from hardwon.moments.instructions import unwritten
from hardwon.render import context as render


def run(json: Json = False) -> None:
    """Show what a session would be told at its start here, and why

    Example: `hardwon brief`

    The sections in their order, each with what it costs, and those that found no room; the standing instruction, which
    the client takes from the MCP server, counts as well. Nothing is kept by asking.
    """
    with context.reading() as store:
        context.may_tell(store)
        folder = context.folder()
        if reason := context.excluded(store, folder):
            fail(f"Nothing was looked up: {reason}.")
        where = here(store, folder)
        made = at_start.dry(store, where, folder, context.now(), lambda items: unwritten(items, where.root, folder, ""))
        if json:
            output.print_json(as_json(made), store)
            return
        for one in made.fitted:
            how = ", in the instructions of the MCP server" if one.section.by == "server" else ""
            print(f"{one.section.name} ({output.counted(one.tokens, 'token')}{how})")
            for line in lines_of(one):
                print(f"  {line}")
        for section in made.left_out:
            print(f"{section.name}: no room was left")
        total = sum(one.tokens for one in made.fitted)
        own = any(one.section.by == "hook" for one in made.fitted)
        nothing = "" if own else "; of this folder a session would be told nothing"
        output.remark(f"{output.counted(total, 'token')} of {BUDGET}{nothing}")


def lines_of(one: Any) -> list[str]:
    return list(one.lines) if one.lines else [render.as_line(item) for item in one.items]


def as_json(made: Brief) -> dict[str, Any]:
    return {
        "sections": [
            {"name": one.section.name, "priority": one.section.priority, "tokens": one.tokens, "lines": lines_of(one),
             "said_by": one.section.by, "ids": [item.ranked.memory.id for item in one.items]}
            for one in made.fitted
        ],
        "left_out": [section.name for section in made.left_out],
        "tokens": sum(one.tokens for one in made.fitted),
        "budget": BUDGET,
    }  # fmt: skip
