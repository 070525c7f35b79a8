from __future__ import annotations

import os
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import KINDS, Everywhere, Json, ProjectName, Skill
from hardwon.learn import where_marked
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, LessonType, Rejected, Scope, Status, Trust
from hardwon.project import Place
from hardwon.render import plain
from hardwon.store import changes, projects
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import anchors as understand
from hardwon.text import untrusted


def run(
    words: Annotated[
        str, typer.Argument(metavar="TEXT", help="What to keep; - reads standard input", show_default=False)
    ],
    kind: Annotated[Kind, typer.Option("--kind", "-k", metavar="KIND", help=f"One of {KINDS}")] = Kind.LESSON,
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="A short headline")] = "",
    type: Annotated[
        LessonType | None,
        typer.Option("--type", "-t", metavar="TYPE", help=f"The sort of lesson: {', '.join(LessonType)}"),
    ] = None,
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
    if type and kind is not Kind.LESSON:
        fail(f"--type is for lessons, and this is a {kind}: leave one of --type and --kind out.", code=2)
    body = text.given(words)
    text.must_fit(title=title, intent=intent, because=because)
    who = caller.trust()
    if again and who is not Trust.USER:
        fail("Only a person can bring back a forgotten text: run this in your own terminal.")
    with context.writing(_skill(skill)) as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        given = text.passed(
            store, body=body, title=title, intent=intent, because=because, rejected=rejected or [], anchor=anchor or [],
            skill=_skill(skill),
        )  # fmt: skip
        draft = Draft(
            kind=kind,
            body=given["body"],
            scope=Scope(project_id, given["skill"]),
            subtype=type or "",
            skill_mark=_mark(_skill(skill), place),
            origin_project=_origin(store) if project_id == GLOBAL else "",
            trust=who,
            source="user" if who is Trust.USER else "agent",
            title=" ".join(given["title"].split()),
            intent=given["intent"],
            because=given["because"],
            rejected=tuple(map(rejected_of, given["rejected"])),
            anchors=anchors_of(given["body"], given["anchor"], place),
        )
        draft = changes.passed(store, draft)
        noted = changes.note(store, draft, context.now(), again=again, more=True, wake=False)
        if not project:
            where_marked.record(store, noted.id, _folder(), context.now())
        _answer(store, draft, noted, body, json)


def _skill(name: str | None) -> str | None:
    if name is not None and not name.strip():
        fail("--skill is empty: give the name of the skill, or leave it out.", code=2)
    return name.strip() if name else None


def _mark(skill: str | None, place: Place | None) -> str:
    """What the skill's text is like now, when it is one that a client would find from here."""
    if skill is None:
        return ""
    from hardwon.clients import skills
    from hardwon.memories import skill_file

    cwd = _folder()
    return skill_file.of_name(skill, skills.Place(cwd, place.root if place else cwd)).mark


def _origin(store: Store) -> str:
    """The project that one was in when something was learned that holds everywhere; empty when it is not known."""
    cwd = _folder()
    _, found = projects.look_up(store, cwd) if cwd else (None, None)
    return found.id if found else ""


def _folder() -> str:
    """Empty when it no longer exists: what holds everywhere can be noted all the same."""
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def rejected_of(given: str) -> Rejected:
    what, _, why = given.partition(":")
    if not what.strip():
        fail(f'--rejected "{given}" names no alternative. Try: --rejected "Redis: lost sessions at a restart"', code=2)
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


def _answer(store: Store, draft: Draft, noted: changes.Noted, body: str, json: bool) -> None:
    if json:
        output.print_json({"id": noted.id, "status": noted.outcome} | what_became_of_it(noted))
    if noted.id is None:
        fail("This text was forgotten and stays forgotten. A person can keep it again with --again.", answered=True)
    remark_on(store, draft, body, noted.id)
    if not json:
        where = context.project_name(store, draft.scope.project)
        short = noted.id[-6:]
        if noted.outcome is Outcome.CREATED:
            print(f"kept {short} ({draft.kind}, {where})")
        else:
            hits = memories.hits(store, [noted.id]).get(noted.id, 0)
            other = " in other words" if noted.reworded else ""
            print(f"known already{other}: {short} (learned again {output.counted(hits, 'time')})")
            say_what_became_of_it(store, draft, noted)


def what_became_of_it(noted: changes.Noted) -> dict[str, object]:
    """Of a text that was known: what was added to it, and what it kept as it was. For JSON."""
    beside = noted.beside
    said = {"added": beside.added, "changed": beside.changed, "kept": beside.kept, "replaced_by": noted.replaced_by}
    return {name: value for name, value in said.items() if value}


def say_what_became_of_it(store: Store, draft: Draft, noted: changes.Noted) -> None:
    """The same in words, a line each."""
    known = memories.get(store, noted.id) if noted.id else None
    if known is None:
        return
    beside = noted.beside
    for word, what in (("added", beside.added), ("changed to", beside.changed)):
        if what:
            print(f"{word}: {', '.join(what)}")
    if beside.kept and known.trust is Trust.USER and draft.trust is not Trust.USER:
        print(f"not added, for a person said it: {', '.join(beside.kept)}")
    elif beside.kept:
        print(f"not changed to: {', '.join(beside.kept)} (`hardwon edit {known.short_id}` does that)")
    if noted.woken:
        print("it holds again")
    if noted.replaced_by and (later := memories.get(store, noted.replaced_by)):
        print(f"it was replaced by {later.short_id} and stays so: {plain.one_line(later.headline, 80)}")
        print(f"`hardwon reopen {known.short_id}` makes it hold again")


def remark_on(store: Store, draft: Draft, body: str, id: str) -> None:
    """What was done to it that its author would not expect. `body` as it was given."""
    taken_out = sorted({name for name, _, _ in store.redactor.findings(body)})
    if taken_out:
        output.remark(f"taken out before keeping: {', '.join(taken_out)}")
    kept = memories.get(store, id)
    if kept and kept.status is Status.CANDIDATE:
        why = untrusted.why_planted(draft.body) or "nobody vouches for it"
        output.remark(f"it waits for a person ({why}): `hardwon review accept {kept.short_id}` in their own terminal")
