"""`hardwon status --today`: what was said today, when and where."""

from __future__ import annotations

import datetime
import sys
from typing import Any

from hardwon.cli.support import output, quoting
from hardwon.memory import short_id
from hardwon.render import plain
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.tables import memories, showings

WIDTH = 90


def show(store: Store, now: int, json: bool) -> None:
    """Since midnight where this machine is."""
    items = [_item(store, *row) for row in showings.since(store, midnight(now))]
    tokens = sum(one["tokens"] for one in items)
    if json:
        output.print_json({"items": items, "tokens": tokens})
        return
    if not items:
        output.remark("hardwon has said nothing today")
    for one in items:
        what = plain.one_line(one["what"], WIDTH)
        line = (_clock(one["at"]), one["project"] or "-", one["moment"], short_id(one["memory"]), what)
        print("  ".join(line) if sys.stdout.isatty() else "\t".join(line))
    if items and sys.stdout.isatty():
        print(f"\n{output.counted(len(items), 'time')} today, {output.counted(tokens, 'token')}")


def midnight(now: int) -> int:
    today = datetime.datetime.fromtimestamp(now / 1000).astimezone()
    return int(today.replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)


def _clock(at: int) -> str:
    return datetime.datetime.fromtimestamp(at / 1000).astimezone().strftime("%H:%M")


def _item(
    store: Store, at: int, moment: str, memory: str, tokens: int, outcome: str, session: str | None, project: str | None
) -> dict[str, Any]:
    found = memories.get(store, memory)
    where = projects.get(store, projects.canonical(store, project)) if project else None
    return {
        "at": at,
        "moment": moment,
        "memory": memory,
        "what": quoting.shown(found, WIDTH).headline if found else "forgotten since",
        "project": where.name if where else None,
        "session": session,
        "tokens": tokens,
        "outcome": outcome,
    }
