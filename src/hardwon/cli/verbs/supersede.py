from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import Id, Json, Reason
from hardwon.cli.verbs.note import anchors_of
from hardwon.memory import Draft, Status
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import untrusted


def run(
    old: Id,
    words: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="What holds now; - reads standard input", show_default=False)
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="ID", help="The memory that holds now")] = None,
    reason: Reason = "",
    json: Json = False,
) -> None:
    """Replace a memory by a newer one; the old one stays as history

    Example: `hardwon supersede 7f3a1c "Deploys go through the pipeline" --reason "decided on Monday"`
    """
    if (words is None) == (by is None):
        fail("Say what holds now: a new text, or --by with the id of a memory.", code=2)
    with context.writing() as store:
        memory = context.existing(store, old)
        context.may_change(memory, caller.trust(), "supersede")
        with store.transaction():
            given = text.passed(store, reason=reason, body="" if by else text.given(words or ""))
            new = memories.find(store, by) if by else _noted(store, memory.id, given["body"])
            changed = changes.supersede(store, memory.id, new, context.now(), reason=given["reason"])
        if json:
            output.print_json(output.as_json(store, changed), store)
        else:
            print(f"{changed.short_id} is replaced by {new[-6:]}")


def _noted(store: Store, old: str, body: str) -> str:
    """The new text as a memory of the same kind and place."""
    memory = context.existing(store, old)
    who = caller.trust()
    place, _ = context.scopes_to_read(store, None, False)
    draft = Draft(
        kind=memory.kind,
        body=body,
        scope=memory.scope,
        trust=who,
        source=str(who),
        subtype=memory.subtype,
        title=memory.title,
        intent=memory.intent,
        anchors=tuple(dict.fromkeys((*memory.anchors, *anchors_of(body, [], place)))),
    )
    draft = changes.passed(store, draft)
    noted = changes.note(store, draft, context.now(), apart=True)
    if noted.id is None:
        fail("The new text was forgotten once and stays forgotten; nothing was changed.")
    kept = memories.get(store, noted.id)
    if kept and kept.status is Status.CANDIDATE:  # it would put the old one away and say nothing in its place
        why = untrusted.why_planted(body) or "nobody vouches for it"
        fail(
            f"The new text would wait for a person ({why}); nothing was changed. `hardwon note` puts it up for review."
        )
    return noted.id
