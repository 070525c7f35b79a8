"""What is worth a word of its own: `note` with the right kind, and a later decision in the place of an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.project import Place
from hardwon.render import plain
from hardwon.store import changes, subjects
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.store.subjects import Decided
from hardwon.surfaces.cli import caller, context, output, text
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.check import read_error
from hardwon.surfaces.cli.note import anchors_of, rejected_of, remark_on, say_what_became_of_it, what_became_of_it
from hardwon.surfaces.cli.options import Everywhere, Json, ProjectName
from hardwon.understand import errors, untrusted

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown", add_completion=False)
Words = Annotated[str, typer.Argument(metavar="TEXT", help="What to keep; - reads standard input", show_default=False)]
Files = Annotated[list[str] | None, typer.Option("--file", "-f", metavar="PATH", help="A file that it is about")]
Commands = Annotated[
    list[str] | None, typer.Option("--command", "-c", metavar="TEXT", help="A command that it is about")
]


@app.callback()
def mark() -> None:
    """Keep a decision, a constraint, a task or a failure

    Example: `hardwon mark decision "PostgreSQL for sessions" --because "one backup" --subject database`
    """


@app.command()
def decision(
    words: Words,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="The reason")] = "",
    rejected: Annotated[
        list[str] | None, typer.Option("--rejected", metavar="'WHAT: WHY'", help="An alternative that was turned down")
    ] = None,
    subject: Annotated[
        str, typer.Option("--subject", metavar="KEY", help="What it is about; replaces the decision with the same key")
    ] = "",
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep a choice with its reason and what was turned down

    Example: `hardwon mark decision "PostgreSQL for sessions" --rejected "Redis: lost them" --subject database`

    An agent can't replace what a person decided.
    """
    for one in rejected or ():
        rejected_of(one)  # refused before anything is written
    _keep(
        Kind.DECISION, words, _anchors(file, command), project, everywhere, json,
        because=because.strip(), rejected=rejected or (), subject=subject,
    )  # fmt: skip


@app.command()
def constraint(
    words: Words,
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep a requirement that has to hold

    Example: `hardwon mark constraint "The public API stays compatible with version 2"`
    """
    _keep(Kind.CONSTRAINT, words, _anchors(file, command), project, everywhere, json)


@app.command()
def task(
    words: Words,
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep open work; sessions begin with it until it is resolved

    Example: `hardwon mark task "Move the worker to the new queue"`
    """
    _keep(Kind.TASK, words, _anchors(file, command), project, everywhere, json)


@app.command()
def failure(
    words: Words,
    error: Annotated[
        str, typer.Option("--error", "-e", metavar="TEXT", help="What was printed; - reads standard input")
    ] = "",
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep that something failed here, so that it is said before it is tried again

    Example: `hardwon mark failure "The import runs out of memory above 2 GB" --command "make import"`
    """
    if words == "-" and error == "-":
        fail("Standard input can be read once: give the text or the error as an argument.", code=2)
    _keep(Kind.FAILURE, words, _anchors(file, command), project, everywhere, json, error=read_error(error))


def _keep(
    kind: Kind, words: str, given: list[str], project: str | None, everywhere: bool, json: bool, *,
    because: str = "", rejected: Sequence[str] = (), subject: str = "", error: str = "",
) -> None:  # fmt: skip
    body, who = text.given(words), caller.trust()
    text.must_fit(because=because)
    with context.writing() as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        said = text.passed(
            store, body=body, because=because, rejected=rejected, subject=subject, error=error, anchors=given
        )
        draft = Draft(
            kind=kind,
            body=_with_output(said["body"], said["error"]),
            scope=Scope(project_id),
            trust=who,
            source="user" if who is Trust.USER else "agent",
            because=said["because"],
            rejected=tuple(map(rejected_of, said["rejected"])),
            anchors=_all_anchors(said["body"], said["anchors"], said["error"], place),
        )
        draft = changes.passed(store, draft)
        if said["subject"].strip():
            done = subjects.decide(store, draft, said["subject"], context.now())
        else:
            done = Decided(changes.note(store, draft, context.now(), more=True, wake=False))
        _answer(store, draft, done, body, json)


def _anchors(files: list[str] | None, commands: list[str] | None) -> list[str]:
    for option, given in (("--file", files), ("--command", commands)):
        if any(not one.strip() for one in given or ()):
            fail(f"{option} is empty: name what it is about, or leave it out.", code=2)
    return [*(f"file={one}" for one in files or ()), *(f"command={one}" for one in commands or ())]


def _all_anchors(body: str, given: list[str], error: str, place: Place | None) -> tuple[Anchor, ...]:
    signature = errors.signature(error)
    return (*([Anchor(AnchorKind.ERROR, signature)] if signature else []), *anchors_of(body, given, place))


def _with_output(body: str, error: str) -> str:
    """The line that tells, as a quotation: it is some program's text."""
    told = errors.headline(error)
    return f"{body.rstrip('.')}; output said: {untrusted.quoted(told)}" if told else body


def _answer(store: Store, draft: Draft, done: Decided, body: str, json: bool) -> None:
    noted, replaced = done.noted, [one.id for one in done.replaced]
    if json:
        output.print_json({"id": noted.id, "status": noted.outcome, "replaced": replaced} | what_became_of_it(noted))
    if noted.id is None:
        fail("This text was forgotten and stays forgotten. `hardwon note --again` keeps it again.", answered=True)
    remark_on(store, draft, body, noted.id)
    if json:
        return
    where, short = context.project_name(store, draft.scope.project), noted.id[-6:]
    if noted.outcome is Outcome.CREATED:
        print(f"kept {short} ({draft.kind}, {where})")
    else:
        print(f"known already: {short}")
        say_what_became_of_it(store, draft, noted)
    for one in done.replaced:
        print(f"replaces {one.short_id}: {plain.one_line(one.headline, 80)}")
