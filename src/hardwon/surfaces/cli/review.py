from __future__ import annotations

from typing import Annotated

import typer

from hardwon.memory import Memory, Status, Trust
from hardwon.store import changes, memories
from hardwon.surfaces.cli import caller, context, output
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Json, Reason

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown", add_completion=False)

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="One or more ids", show_default=False)]


@app.callback()
def review() -> None:
    """Decide about candidates and complaints, which wait for a person

    Example: `hardwon review list`
    """


@app.command("list")
def list_(json: Json = False) -> None:
    """List candidates and memories that were called wrong, in all projects

    Example: `hardwon review list`
    """
    with context.reading() as store:
        candidates, _ = memories.listed(store, memories.Filter(statuses=(Status.CANDIDATE,)))
        accused, _ = memories.listed(store, memories.Filter(statuses=(Status.ACTIVE,), complained=True))
        found = [*candidates, *accused]
        if json:
            output.print_json({"items": output.items_json(store, found), "total": len(found)})
        else:
            output.print_memories(found, lambda id: context.project_name(store, id))
            output.remark(f"{len(found)} to decide" if found else "nothing waits for a decision")


@app.command()
def accept(ids: Ids, json: Json = False) -> None:
    """Make candidates active, dismiss complaints: from now on you vouch for them (a person only)

    Example: `hardwon review accept 7f3a1c`
    """
    _only_a_person()
    with context.writing() as store, store.transaction():
        done: list[Memory] = []
        for id in ids:
            memory = context.existing(store, id)
            if memory.status is not Status.CANDIDATE and not memory.complaints:
                fail(f"{memory.short_id} is {memory.status} and nobody complained; nothing was changed.")
            kept = changes.edit(store, memory.id, {"trust": Trust.USER, "complaints": []}, context.now())
            if memory.status is Status.CANDIDATE:
                kept = changes.move(store, memory.id, Status.ACTIVE, context.now(), reason="accepted in review")
            done.append(kept)
        _answer(done, "accepted", json)


@app.command()
def reject(ids: Ids, reason: Reason = "", json: Json = False) -> None:
    """Archive candidates and memories that were rightly called wrong (a person only)

    Example: `hardwon review reject 7f3a1c --reason "not true here"`
    """
    _only_a_person()
    with context.writing() as store, store.transaction():
        done = []
        for id in ids:
            memory = context.existing(store, id)
            why = f"rejected in review{': ' + reason if reason else ''}"
            done.append(changes.move(store, memory.id, Status.ARCHIVED, context.now(), reason=why))
        _answer(done, "rejected", json)


def _only_a_person() -> None:
    if caller.trust() is not Trust.USER:
        fail("Only a person decides in a review: run this in your own terminal.")


def _answer(done: list[Memory], what: str, json: bool) -> None:
    if json:
        output.print_json({what: [memory.id for memory in done]})
    else:
        print(f"{what} {', '.join(memory.short_id for memory in done)}")
