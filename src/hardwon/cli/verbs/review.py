from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, quoting, text
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json, Reason
from hardwon.learn import hard_rules
from hardwon.learn.hard_rules import Offer
from hardwon.memory import ACCEPTED, HEARD, Memory, Status, Trust
from hardwon.render import plain
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories

app = group("list")

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="One or more ids", show_default=False)]


@app.callback()
def review() -> None:
    """Decide about candidates and complaints, which wait for a person

    Example: `hardwon review list`

    Without a verb it is `hardwon review list`.
    """


@app.command("list")
def list_(json: Json = False) -> None:
    """List candidates, memories that were called wrong, and lines for your instructions, in all projects

    Example: `hardwon review list`

    What was met on three different days (a rule that you had to say again, a failure with the same error) comes with
    the line that you may add to CLAUDE.md or AGENTS.md. Nothing is written there by itself: `review accept` says that
    you have seen it, `review reject` puts it away.
    """
    with context.reading() as store:
        context.may_tell(store)
        candidates, _ = memories.listed(store, memories.Filter(statuses=(Status.CANDIDATE,)))
        accused, _ = memories.listed(store, memories.Filter(statuses=(Status.ACTIVE,), complained=True))
        found = [*candidates, *accused]
        offered = hard_rules.offers(store, context.now())
        if json:
            offers = [_offer_json(store, one) for one in offered]
            output.print_json({"items": output.items_json(store, found), "total": len(found), "offers": offers}, store)
        else:
            output.print_memories(found, lambda id: context.project_name(store, id))
            _say_why(found)
            _print_offers(store, offered)
            waiting = [f"{len(found)} to decide"] if found else []
            waiting += [f"{output.counted(len(offered), 'line')} for CLAUDE.md or AGENTS.md"] if offered else []
            output.remark(", ".join(waiting) or "nothing waits for a decision")


def _say_why(found: Sequence[Memory]) -> None:
    """What was said against them, the last of each."""
    for memory in (quoting.shown(one, quoting.HEADLINE) for one in found if one.complaints):
        output.remark(f"{memory.short_id}: {plain.one_line(memory.complaints[-1], 400)}")


def _print_offers(store: Store, offered: Sequence[Offer]) -> None:
    for one in offered:
        where = context.project_name(store, one.memory.scope.project)
        print(f"{one.memory.short_id}  {where}, on {one.days} days; you could write down:")
        print(f"    {plain.one_line(one.line, 400)}")


def _offer_json(store: Store, one: Offer) -> dict[str, Any]:
    project = context.project_name(store, one.memory.scope.project)
    return {"id": one.memory.id, "kind": one.memory.kind, "project": project, "days": one.days, "line": one.line}


@app.command()
def accept(ids: Ids, json: Json = False) -> None:
    """Make candidates active, dismiss complaints: from now on you vouch for them (a person only)

    Example: `hardwon review accept 7f3a1c`

    A rule or a failure that came with a line for your instructions is pinned, and not offered again. So is what you
    only said in passing: a call that goes against it may then be held up (`alerts.guard`).
    """
    _only_a_person()
    with context.writing() as store, store.transaction():
        done: list[Memory] = []
        offered = {one.memory.id for one in hard_rules.offers(store, context.now())}
        for id in ids:
            memory = context.existing(store, id)
            waits = memory.status is Status.CANDIDATE or memory.complaints
            in_passing = memory.status is Status.ACTIVE and memory.source in (*HEARD, "prompt") and not memory.pinned
            if not waits and memory.id not in offered and not in_passing:
                fail(f"{memory.short_id} is {memory.status} and nobody complained; nothing was changed.")
            vouched = {"trust": Trust.USER, "complaints": []} if waits else {}
            hard = {"pinned": True} if memory.id in offered or in_passing else {}
            kept = changes.edit(store, memory.id, vouched | hard, context.now())
            if memory.status is Status.CANDIDATE:
                kept = changes.move(store, memory.id, Status.ACTIVE, context.now(), reason=ACCEPTED)
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
        said = text.passed(store, reason=reason)["reason"]
        why = f"rejected in review{': ' + said if said else ''}"
        for id in ids:
            memory = context.existing(store, id)
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
