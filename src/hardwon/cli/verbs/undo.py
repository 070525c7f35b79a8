from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.support import caller, context, output
from hardwon.cli.support.options import Json
from hardwon.cli.verbs.why import sentence
from hardwon.render import plain
from hardwon.store import changes
from hardwon.store.tables import memories


def run(
    id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Undo the last change to this one", show_default=False)
    ] = None,
    redo: Annotated[bool, typer.Option("--redo", help="Take back the last undo")] = False,
    json: Json = False,
) -> None:
    """Take back the last command that changed a memory

    Example: `hardwon undo`

    Again takes back the one before; with an ID, the last change to that memory. Forgetting can't be undone, and what
    is no change to a memory is passed over: learning one again, a pause, a setting, a project's name.
    """
    with context.writing() as store:
        known = memories.find(store, id) if id else None
        who = caller.trust()
        back = changes.redo(store, context.now(), who) if redo else changes.undo(store, context.now(), known, who)
        if json:
            output.print_json({"undone": [{"id": one.memory, "operation": one.operation} for one in back]})
            return
        for record in back[:10]:
            what = "done again" if redo else f"undone: {sentence(record)}"
            print(f"{record.memory[-6:]}  {plain.one_line(what)}")
        if len(back) > 10:
            print(f"and {len(back) - 10} more")
