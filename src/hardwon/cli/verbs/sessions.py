from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from hardwon import clients
from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json, ProjectName
from hardwon.learn import sessions as learn
from hardwon.render.plain import day, one_line, since, visible
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.erasure import forget_session
from hardwon.store.erasure.forget_session import UnknownSession
from hardwon.store.tables import session_notes
from hardwon.store.tables.session_notes import Note, NoteKind
from hardwon.text import handover

app = group("list")
All = Annotated[bool, typer.Option("--all", help="Of every project")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1_000, metavar="N", help="How many at most")]


@app.callback()
def sessions() -> None:
    """What sessions left: what was asked, done, failing, next, open, decided

    Example: `hardwon sessions show`

    Without a verb it is `hardwon sessions list`.
    """


@app.command("list")
def list_(limit: Limit = 20, everywhere: All = False, project: ProjectName = None, json: Json = False) -> None:
    """List the sessions of this project, the last one first

    Example: `hardwon sessions list`
    """
    with context.reading() as store:
        _print(store, session_notes.listed(store, _scope(store, project, everywhere), limit), json)


@app.command()
def search(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD...", help="All of them must be there", show_default=False)
    ],
    limit: Limit = 20,
    everywhere: All = False,
    project: ProjectName = None,
    json: Json = False,
) -> None:
    """Find sessions by what they left

    Example: `hardwon sessions search rate limiter`

    What was said in them is found by `hardwon search --sessions`.
    """
    with context.reading() as store:
        _print(store, session_notes.found(store, _scope(store, project, everywhere), words, limit), json)


@app.command()
def show(
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The first characters of its id; else the last of this project",
                       show_default=False),
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help="Its checkpoints and snapshots, too")] = False,
    project: ProjectName = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Show what a session left

    Example: `hardwon sessions show`
    """
    with context.reading() as store:
        host, session = _named(store, id) if id else _last(store, project)
        kept = session_notes.of_session(store, host, session)
        described = _whole(store, host, session, kept)
        if notes:
            described["notes"] = [_described(one) for one in kept]
        if json:
            output.print_json(described)
            return
        print(f"{visible(session)}\t{visible(described['branch'])}\t{day(described['at'])}\n")
        print("\n".join(visible(line) for line in handover.text(handover.of_dict(described)).splitlines()))
        for one in kept if notes else ():
            print(f"\n{one.kind}\t{day(one.at)}\n{visible_text(one)}")


def visible_text(one: Note) -> str:
    return "\n".join(visible(line) for line in handover.text(one.content).splitlines())


def _scope(store: Store, project: str | None, everywhere: bool) -> str | None:
    context.only_one(project, False, everywhere)
    if everywhere:
        context.may_tell(store)
        return None
    return context.scopes_to_tell(store, project, everywhere=False)[1][0]


def _named(store: Store, reference: str) -> tuple[str, str]:
    context.may_tell(store)
    try:
        found = forget_session.find(store, reference)
    except UnknownSession as error:
        fail(str(error))
    return found.host, found.id


def _last(store: Store, project: str | None) -> tuple[str, str]:
    """The last one, but for the one that this command runs in."""
    own = clients.session_of(os.environ) or ("", "")
    last = session_notes.last_session(store, _scope(store, project, False) or "", own)
    if last is None:
        fail("No session of this project is known: `hardwon sessions list --all` shows those of the others.")
    return last.host, last.session


def _whole(store: Store, host: str, session: str, kept: list[Note]) -> dict[str, Any]:
    """Its summary; as long as there is none, what its journal tells up to now."""
    summary = next((one for one in kept if one.kind is NoteKind.SUMMARY), None)
    last_at = session_notes.last_at(store, host, session)
    if summary and summary.at >= last_at:
        return _described(summary)
    content = learn.derived(store, host, session)
    if summary and not content:
        return _described(summary)
    branch = kept[0].branch if kept else ""
    known = {
        "session": session,
        "client": host,
        "at": last_at,
        "branch": branch,
        "before": kept[0].before if kept else "",
    }
    return {**content.as_dict(), **known, "kind": "now", "condensed": False}


def _described(one: Note) -> dict[str, Any]:
    return {
        **one.content.as_dict(),
        "session": one.session,
        "client": one.host,
        "at": one.at,
        "branch": one.branch,
        "before": one.before,
        "kind": one.kind.value,
        "condensed": one.is_condensed,
    }


def _print(store: Store, notes: list[Note], json: bool) -> None:
    if json:
        output.print_json({"items": [_described(one) for one in notes], "total": len(notes)})
        return
    for one in notes:
        known = projects.get(store, one.project) if one.project else None
        where = f"{known.name if known else ''}{f' {one.branch}' if one.branch else ''}".strip()
        ago = since(context.now() - one.at)
        print(f"{visible(one.session[:8])}\t{ago} ago\t{visible(where)}\t{one_line(one.content.goal, 100)}")
    if not notes:
        output.remark("no session has left a summary here yet; one is kept when a session ends")
