from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import Id, Json
from hardwon.memory import Status
from hardwon.store import changes


def run(
    id: Id,
    reason: Annotated[str, typer.Argument(metavar="[REASON]", help="What is wrong with it")] = "",
    json: Json = False,
) -> None:
    """Say that a memory is wrong, so that it is not said again

    Example: `hardwon wrong 7f3a1c "Redis is gone since May"`

    An agent's word against a person's is kept for `hardwon review`.
    """
    with context.writing() as store:
        memory = context.existing(store, id)
        why = text.passed(store, reason=reason)["reason"] or "no reason given"
        changed = changes.complain(store, memory.id, caller.trust(), why, context.now())
        if json:
            output.print_json(output.as_json(store, changed), store)
        elif changed.status is Status.STALE:
            print(f"{changed.short_id} is stale now: it is no longer said, only found by search")
        else:
            print(
                f"noted for review: {changed.short_id} stays {changed.status}, because {changed.trust} vouches for it"
            )
