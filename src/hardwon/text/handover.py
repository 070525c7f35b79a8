"""What one session hands to the next: what it was about, how far it came, what is in the way.

A dataclass between the parts of the program, and a plain text for everybody else: that text is what a handoff keeps,
what a person reads in the mirror, and what is read back field by field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Handover:
    goal: str = ""
    done: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    """What was marked as one."""
    said: tuple[str, ...] = ()
    """How the agent's last message ends, in its own words."""

    def __bool__(self) -> bool:
        return bool(self.goal or any(getattr(self, name) for name in LISTS))

    def as_dict(self) -> dict[str, Any]:
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}


LISTS = ("done", "failing", "next", "open", "decisions", "traps", "said", "files")
TITLES = {"goal": "Goal", "done": "Done", "failing": "Failing", "next": "Next", "open": "Open", "decisions": "Decided",
          "traps": "Traps", "said": "The agent's last words", "files": "Files"}  # fmt: skip
"""In the order in which they are said."""
_NAMES = {title.lower(): name for name, title in TITLES.items()}
_HEAD = re.compile(rf"({'|'.join(TITLES.values())}):(?:\s+(.*))?")


def _plain(value: str | tuple[str, ...]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def of_dict(given: Mapping[str, Any]) -> Handover:
    """What was kept as JSON; what has another form is left out."""
    goal = given.get("goal")
    lists = {name: tuple(str(one) for one in given.get(name) or () if str(one).strip()) for name in LISTS}
    return Handover(goal if isinstance(goal, str) else "", **lists)


def text(one: Handover) -> str:
    """Readable by a person and by any client; `parsed` is its inverse."""
    lines = [f"Goal: {_flat(one.goal)}"] if one.goal else []
    for name in LISTS:
        items = getattr(one, name)
        if name == "files" and items:
            lines.append(f"Files: {', '.join(map(_flat, items))}")
        elif items:
            lines += [f"{TITLES[name]}:", *(f"- {_flat(item)}" for item in items)]
    return "\n".join(lines)


def parsed(said: str) -> tuple[Handover, str]:
    """The fields of such a text, and what stands in none of them."""
    goal, rest, field = "", [], ""
    lists: dict[str, list[str]] = {name: [] for name in LISTS}
    for line in said.splitlines():
        head = _HEAD.fullmatch(line.strip())
        if head:
            field, value = _NAMES[head[1].lower()], (head[2] or "").strip()
            if field == "goal":
                goal, field = value, ""
            elif value:
                lists[field] += [part.strip() for part in value.split(", ")] if field == "files" else [value]
        elif field and line.lstrip().startswith("- "):
            lists[field].append(line.strip().removeprefix("- "))
        elif line.strip():
            field = ""
            rest.append(line)
    return Handover(goal, **{name: tuple(items) for name, items in lists.items()}), "\n".join(rest)


def _flat(said: str) -> str:
    return " ".join(said.split())


def merged(given: Handover, seen: Handover) -> Handover:
    """What somebody said goes before what was seen; what they left out is filled in."""
    lists: dict[str, Sequence[str]] = {name: getattr(given, name) or getattr(seen, name) for name in LISTS}
    return Handover(given.goal or seen.goal, **{name: tuple(items) for name, items in lists.items()})
