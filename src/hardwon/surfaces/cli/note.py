from __future__ import annotations

from typing import Annotated

import typer

from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Rejected, Scope, Trust
from hardwon.project import Place
from hardwon.store import changes, memories
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.surfaces.cli import caller, context, output, text
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import KINDS, Everywhere, Json, ProjectName, Skill
from hardwon.understand import anchors as understand


def run(
    words: Annotated[
        str, typer.Argument(metavar="TEXT", help="What to keep; - reads standard input", show_default=False)
    ],
    kind: Annotated[Kind, typer.Option("--kind", "-k", metavar="KIND", help=f"One of {KINDS}")] = Kind.LESSON,
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="A short headline")] = "",
    intent: Annotated[
        str, typer.Option("--intent", metavar="TEXT", help="What one was trying to do when it was learned")
    ] = "",
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="The reason of a decision")] = "",
    rejected: Annotated[
        list[str] | None, typer.Option("--rejected", metavar="'WHAT: WHY'", help="An alternative that was turned down")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", "-a", metavar="KIND=VALUE", help="What it is about, as file=src/app.py"),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Keep it although it was once forgotten (a person only)")
    ] = False,
    json: Json = False,
) -> None:
    """Keep a memory

    Example: `hardwon note "The tests need Redis: make redis" --anchor command="make test"`

    The same text in the same place is not kept twice but counted. Keys and passwords are taken out first.
    """
    body = text.given(words)
    who = caller.trust()
    if again and who is not Trust.USER:
        fail("Only a person can bring back a forgotten text: run this in your own terminal.")
    with context.writing() as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        draft = Draft(
            kind=kind,
            body=body,
            scope=Scope(project_id, _skill(skill)),
            trust=who,
            source="user" if who is Trust.USER else "agent",
            title=" ".join(title.split()),
            intent=intent,
            because=because,
            rejected=tuple(map(_rejected, rejected or ())),
            anchors=anchors_of(body, anchor or [], place),
        )
        _answer(store, draft, changes.note(store, draft, context.now(), again=again), json)


def _skill(name: str | None) -> str | None:
    if name is not None and not name.strip():
        fail("--skill is empty: give the name of the skill, or leave it out.", code=2)
    return name.strip() if name else None


def _rejected(given: str) -> Rejected:
    what, _, why = given.partition(":")
    return Rejected(what.strip(), why.strip())


def anchors_of(body: str, given: list[str], place: Place | None) -> tuple[Anchor, ...]:
    """The anchors that were given, and those that the text itself names."""
    root = place.root if place else ""
    cwd = context.folder() if place else ""
    named = [understand.normalised(_anchor(one), root, cwd) for one in given]
    return tuple(dict.fromkeys((*named, *understand.named_in(body, root, cwd))))


def _anchor(given: str) -> Anchor:
    kind, equals, value = given.partition("=")
    if not equals or kind not in list(AnchorKind) or not value.strip():
        fail(
            f'--anchor "{given}" is not KIND=VALUE (kinds: {", ".join(AnchorKind)}). Try: --anchor file=src/app.py',
            2,
        )
    return Anchor(AnchorKind(kind), value)


def _answer(store: Store, draft: Draft, noted: changes.Noted, json: bool) -> None:
    if json:
        output.print_json({"id": noted.id, "status": noted.outcome})
    if noted.id is None:
        fail("This text was forgotten and stays forgotten. A person can keep it again with --again.", answered=True)
    taken_out = sorted({name for name, _, _ in store.redactor.findings(draft.body)})
    if taken_out:
        output.remark(f"taken out before keeping: {', '.join(taken_out)}")
    if not json:
        where = context.project_name(store, draft.scope.project)
        short = noted.id[-6:]
        if noted.outcome is Outcome.CREATED:
            print(f"kept {short} ({draft.kind}, {where})")
        else:
            hits = memories.hits(store, [noted.id]).get(noted.id, 0)
            print(f"known already: {short} (learned again {output.counted(hits, 'time')})")
