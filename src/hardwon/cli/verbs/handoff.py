from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from hardwon import clients
from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Id, Json, ProjectName
from hardwon.learn import handoff as learn
from hardwon.memory import Kind, short_id
from hardwon.render.plain import day, one_line, since, visible
from hardwon.store.connection import Store
from hardwon.store.mirror import handoff_files
from hardwon.store.tables import handoffs, session_notes
from hardwon.store.tables.handoffs import Way
from hardwon.text import handover

app = group("give")


@app.callback()
def handoff() -> None:
    """Hand over to the next session of this project; see which handoffs wait

    Example: `hardwon handoff --note "The parser is half done, see branch x"`

    Without a verb one is made, of what can be seen of the last session and what is given here. The next session of the
    project is told once.
    """


@app.command()
def give(
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="What the next session must know; - reads it")
    ] = "",
    goal: Annotated[str, typer.Option("--goal", metavar="TEXT", help="What is being worked at")] = "",
    done: Annotated[list[str] | None, typer.Option("--done", metavar="TEXT", help="What is done")] = None,
    failing: Annotated[list[str] | None, typer.Option("--failing", metavar="TEXT", help="What fails now")] = None,
    next_: Annotated[list[str] | None, typer.Option("--next", metavar="TEXT", help="What comes next")] = None,
    open_: Annotated[list[str] | None, typer.Option("--open", metavar="TEXT", help="What is left open")] = None,
    decided: Annotated[list[str] | None, typer.Option("--decided", metavar="TEXT", help="What was decided")] = None,
    file: Annotated[list[str] | None, typer.Option("--file", metavar="PATH", help="A file that it is about")] = None,
    project: ProjectName = None,
    json: Json = False,
) -> None:
    """Hand over to the next session of this project

    Example: `hardwon handoff --note "The parser is half done, see branch x"`

    What is not given is filled in with what the session itself shows: what was asked, what failed, which files.
    """
    who = caller.trust()
    with context.writing(None) as store:
        _, here = context.scope_to_write(store, project, everywhere=False, who=who)
        given = text.passed(
            store, note=text.given(note, "note") if note else "", goal=goal, done=done or [], failing=failing or [],
            next=next_ or [], open=open_ or [], decisions=decided or [], files=file or [],
        )  # fmt: skip
        try:
            noted = learn.make(
                store,
                handover.of_dict(given),
                given["note"],
                here,
                context.now(),
                trust=who,
                session=_session(store, here),
            )
        except learn.NothingToHandOver:
            fail('There is nothing to hand over: no session of this project is known. Say it: --note "…".')
        handoff_files.write(store)
        if noted.id is None:
            fail("Not kept: this text was forgotten.")
        _answer(store, noted.id, json)


def _session(store: Store, project: str) -> tuple[str, str] | None:
    """The one that this command runs in, or the last one of the project."""
    own = clients.session_of(os.environ)
    if own and session_notes.is_known(store, *own):
        return own
    last = session_notes.last_session(store, project, ("", ""))
    return (last.host, last.session) if last else None


def _answer(store: Store, id: str, json: bool) -> None:
    way = handoffs.way(store, context.existing(store, short_id(id)))
    if json:
        output.print_json(_described(way))
        return
    print(f"kept {way.memory.short_id}: the next session of this project is told, once")


@app.command("list")
def list_(project: ProjectName = None, json: Json = False) -> None:
    """List the handoffs of this project, those that wait first

    Example: `hardwon handoff list`
    """
    with context.reading() as store:
        _, scopes = context.scopes_to_tell(store, project, everywhere=False)
        ways = sorted(handoffs.ways(store, scopes[0], all_=True), key=lambda way: way.state == "taken")
        if json:
            output.print_json({"items": [_described(way) for way in ways], "total": len(ways)})
            return
        for way in ways:
            print(f"{way.memory.short_id}\t{_state(way)}\t{one_line(way.memory.headline, 100)}")
        if not ways:
            output.remark("no handoff of this project is known; `hardwon handoff` makes one")


@app.command()
def show(id: Id, json: Json = False) -> None:
    """Show a handoff, whoever got it

    Example: `hardwon handoff show 7f3a2c`
    """
    with context.reading() as store:
        context.may_tell(store)
        way = _way(store, id)
        if json:
            output.print_json(_described(way))
            return
        print(f"{way.memory.short_id}\t{_state(way)}\t{day(way.memory.created_at)}\n")
        print("\n".join(visible(line) for line in way.memory.body.splitlines()))


@app.command()
def reopen(id: Id, json: Json = False) -> None:
    """Give a handoff to the next session once more

    Example: `hardwon handoff reopen 7f3a2c`
    """
    with context.writing(None) as store:
        way = _way(store, id)
        handoffs.reopen(store, way.memory.id, context.now())
        handoff_files.write(store)
        if json:
            output.print_json(_described(_way(store, id)))
            return
        print(f"{way.memory.short_id} waits for the next session again")


def _way(store: Store, reference: str) -> Way:
    memory = context.existing(store, reference)
    if memory.kind is not Kind.HANDOFF:
        fail(f"{memory.short_id} is a {memory.kind}, no handoff: `hardwon show {memory.short_id}` shows it.")
    return handoffs.way(store, memory)


def _state(way: Way) -> str:
    if way.state == "waiting":
        return "waiting"
    whom = f" by session {visible(way.session[:8])}" if way.session else ""
    at = way.taken_at or way.offered_at
    ago = f", {since(context.now() - at)} ago" if at else ""
    return f"taken{whom}{ago}" if way.state == "taken" else f"said to session {visible(way.session[:8])}{ago}"


def _described(way: Way) -> dict[str, Any]:
    said, note = handover.parsed(way.memory.body)
    return {
        "id": way.memory.id,
        "state": way.state,
        "session": way.session,
        "created_at": way.memory.created_at,
        **said.as_dict(),
        "note": note,
    }
