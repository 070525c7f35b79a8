from __future__ import annotations

from typing import Annotated

import typer

from hardwon import kinds
from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import Id, Json, Reason
from hardwon.memory import LinkKind, Status
from hardwon.store import changes


def run(
    id: Id,
    by: Annotated[str | None, typer.Option("--by", metavar="ID", help="The memory that says what fixed it")] = None,
    reason: Reason = "",
    json: Json = False,
) -> None:
    """Mark a failure as fixed or a task as done

    Example: `hardwon resolve 7f3a1c --reason "fixed in the 2.1 release"`
    """
    with context.writing() as store:
        memory = context.existing(store, id)
        if not kinds.of(memory.kind).settled:  # these an agent may find done; a rule it may not
            context.may_change(memory, caller.trust(), "resolve")
        fix = context.existing(store, by) if by else None
        if fix and fix.id == memory.id:
            fail("A memory can't be what fixed itself: --by takes the id of another one.")
        with store.transaction():
            why = text.passed(store, reason=reason)["reason"]
            changed = changes.move(store, memory.id, Status.RESOLVED, context.now(), reason=why)
            if fix:
                changes.link(store, fix.id, LinkKind.FIXES, memory.id, context.now())
        if json:
            output.print_json(output.as_json(store, changed), store)
        else:
            print(f"resolved {changed.short_id}")
