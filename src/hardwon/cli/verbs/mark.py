"""What is worth a word of its own: `note` with the right kind, and a later decision in the place of an earlier one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hardwon import clients
from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.cli.verbs.check import read_error
from hardwon.cli.verbs.note import anchors_of, rejected_of, remark_on, say_what_became_of_it, what_became_of_it
from hardwon.learn import marking, where_marked
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.project import Place
from hardwon.render import plain
from hardwon.store import changes
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.store.tables import subjects
from hardwon.store.tables.subjects import Decided
from hardwon.text import errors, untrusted
from hardwon.text.speech import acts

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown", add_completion=False)
Words = Annotated[str, typer.Argument(metavar="TEXT", help="What to keep; - reads standard input", show_default=False)]
Quote = Annotated[
    str,
    typer.Option(
        "--quote", metavar="WORDS", help="The user's words in this session (for an agent)", show_default=False
    ),
]
Files = Annotated[list[str] | None, typer.Option("--file", "-f", metavar="PATH", help="A file that it is about")]
Commands = Annotated[
    list[str] | None, typer.Option("--command", "-c", metavar="TEXT", help="A command that it is about")
]


@app.callback()
def mark() -> None:
    """Keep a rule, a decision, a constraint, a task or a failure

    Example: `hardwon mark decision "PostgreSQL for sessions" --because "one backup" --subject database`
    """


@app.command()
def rule(
    words: Words,
    quote: Quote = "",
    rejected: Annotated[
        list[str] | None, typer.Option("--rejected", metavar="NAME", help="What is not wanted, such as npm")
    ] = None,
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep how things are done here; said right before a command that goes against it

    Example: `hardwon mark rule "pnpm, not npm" --rejected npm`

    An agent gives the user's words with `--quote`; without them it keeps a note, and no rule.
    """
    for one in rejected or ():
        rejected_of(one)
    _keep(Kind.RULE, words, _anchors(file, command), project, everywhere, json, rejected=rejected or (), quote=quote)


@app.command()
def decision(
    words: Words,
    quote: Quote = "",
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
        because=because.strip(), rejected=rejected or (), subject=subject, quote=quote,
    )  # fmt: skip


@app.command()
def constraint(
    words: Words,
    quote: Quote = "",
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep a requirement that has to hold

    Example: `hardwon mark constraint "The public API stays compatible with version 2"`
    """
    _keep(Kind.CONSTRAINT, words, _anchors(file, command), project, everywhere, json, quote=quote)


@app.command()
def task(
    words: Words,
    quote: Quote = "",
    file: Files = None,
    command: Commands = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep open work; sessions begin with it until it is resolved

    Example: `hardwon mark task "Move the worker to the new queue"`
    """
    _keep(Kind.TASK, words, _anchors(file, command), project, everywhere, json, quote=quote)


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
    because: str = "", rejected: Sequence[str] = (), subject: str = "", error: str = "", quote: str = "",
) -> None:  # fmt: skip
    body, who = text.given(words), caller.trust()
    text.must_fit(because=because, quote=quote)
    with context.writing() as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        said = text.passed(
            store, body=body, because=because, rejected=rejected, subject=subject, error=error, anchors=given,
            quote=quote,
        )  # fmt: skip
        if said["quote"].strip() and who is not Trust.USER and _is_heard(store, kind, said, place, project_id, json):
            return
        draft = Draft(
            kind=kind,
            body=_with_output(said["body"], said["error"]),
            scope=Scope(project_id),
            trust=who,
            source="user" if who is Trust.USER else "agent",
            because=said["because"],
            rejected=tuple(map(rejected_of, said["rejected"])),
            anchors=_all_anchors(said["body"], said["anchors"], said["error"], said["rejected"], place),
        )
        draft = changes.passed(store, draft if who is Trust.USER else marking.as_note(draft))
        if said["subject"].strip():
            done = subjects.decide(store, draft, said["subject"], context.now())
        else:
            done = Decided(changes.note(store, draft, context.now(), more=True, wake=False))
        _place(store, done.noted.id, project)
        _answer(store, draft, done, body, json)


def _place(store: Store, id: str | None, project: str | None) -> None:
    """The branch that one is on, if the mark is of this folder's project."""
    if not project:
        host, session = clients.session_of(os.environ) or ("", "")
        where_marked.record(store, id, str(Path.cwd()), context.now(), host, session)


def _anchors(files: list[str] | None, commands: list[str] | None) -> list[str]:
    for option, given in (("--file", files), ("--command", commands)):
        if any(not one.strip() for one in given or ()):
            fail(f"{option} is empty: name what it is about, or leave it out.", code=2)
    return [*(f"file={one}" for one in files or ()), *(f"command={one}" for one in commands or ())]


def _is_heard(store: Store, kind: Kind, said: dict[str, Any], place: Place | None, project: str, json: bool) -> bool:
    """Whether it is kept as the user's own words, as `mark` over MCP does it; said here then."""
    root, cwd = (place.root if place else ""), str(Path.cwd())
    host, session = clients.session_of(os.environ) or ("", "")
    given = marking.Mark(
        kind=kind,
        text=said["body"],
        quote=said["quote"],
        host=host,
        session=session,
        rejected=tuple(map(rejected_of, said["rejected"])),
        subject=said["subject"].strip(),
        anchors=tuple(anchors_of("", said["anchors"], place)),
    )
    heard = marking.keep(store, given, project, root, cwd, context.now())
    if heard.why_not:
        output.remark(f"Kept as a note, not as the user's word: {heard.why_not}.")
        return False
    where_marked.record(store, heard.id, cwd, context.now(), given.host, given.session)
    if json:
        replaced = [one.id for one in heard.replaced]
        output.print_json({"id": heard.id, "said": heard.said, "waits": heard.waits, "replaced": replaced})
    else:
        print(marking.acknowledged(heard))
    return True


def _all_anchors(
    body: str, given: list[str], error: str, rejected: Sequence[str], place: Place | None
) -> tuple[Anchor, ...]:
    signature = errors.signature(error)
    about = acts.of_statement(body, tuple(map(rejected_of, rejected)))
    return (*([Anchor(AnchorKind.ERROR, signature)] if signature else []), *anchors_of(body, given, place), *about)


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
