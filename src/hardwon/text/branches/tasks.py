"""The agent's own list of what there is to do, as the client's tools tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon import action
from hardwon.event import Event
from hardwon.text.branches.fact import Fact, Place, What

LISTS = action.LISTS
SINGLE = action.TASKS
MOST = 50
_LINE = re.compile(r"(?:#(?P<id>\S{1,20}) )?\[(?P<mark>[ x~-])\](?: (?P<text>.*))?")
STATES = {" ": "open", "~": "open", "x": "done", "-": "dropped"}


def facts(event: Event, here: Place) -> Iterator[Fact]:
    """From lines as hosts write them: `[ ] write the docs`, `[x] …` (done), `#3 [~] …` (begun), `[-] …` (dropped)."""
    if event.tool in LISTS:
        lines = [line for line in event.text.splitlines() if _LINE.fullmatch(line)][:MOST]
        yield Fact(What.TODO, here.branch, "\n".join(line[:200] for line in lines), worktree=here.root, key="todo")
    elif event.tool in SINGLE and (found := _LINE.fullmatch(event.text.partition("\n")[0])) and found["id"]:
        state, text = STATES[found["mark"]], (found["text"] or "")[:200]
        yield Fact(What.TASK, here.branch, text, state=state, worktree=here.root, key=f"task:{found['id']}")


def items(todo: str) -> list[tuple[str, str]]:
    """The text and the state of each of a list."""
    found = (_LINE.fullmatch(line) for line in todo.splitlines())
    return [(one["text"] or "", STATES[one["mark"]]) for one in found if one]
