from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.support import context
from hardwon.cli.support.options import Id, Json
from hardwon.cli.verbs import lifecycle
from hardwon.memory import Memory
from hardwon.store import changes
from hardwon.store.connection import Store


def run(
    id: Id,
    off: Annotated[bool, typer.Option("--off", help="Take the pin away")] = False,
    json: Json = False,
) -> None:
    """Keep a memory on top: it does not fade with time

    Example: `hardwon pin 7f3a1c`
    """

    def pinned(store: Store, memory: Memory) -> Memory:
        return changes.edit(store, memory.id, {"pinned": not off}, context.now())

    lifecycle.change(id, "pin", "unpinned" if off else "pinned", json, pinned)
