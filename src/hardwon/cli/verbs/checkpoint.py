from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.cli.verbs import skills
from hardwon.cli.verbs.note import anchors_of
from hardwon.cli.verbs.skills import SkillName
from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.store import changes
from hardwon.store.changes import Outcome


def run(
    skill: SkillName,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="What to keep; - reads standard input", show_default=False)
    ],
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Keep a raw note about a skill until the next flush

    Example: `hardwon checkpoint --skill lark-sync --note "Local images must be uploaded first"`

    It is not brought back by itself. `hardwon flush --include-checkpoints` makes lessons of what waits.
    """
    name = skills.named(skill)
    body = text.given(note, "note")
    who = caller.trust()
    with context.writing(name) as store:
        place, project_id = context.scope_to_write(store, project, everywhere, who)
        given = text.passed(store, body=body, skill=name)
        draft = Draft(
            kind=Kind.CHECKPOINT,
            body=given["body"],
            scope=Scope(project_id, given["skill"]),
            trust=who,
            source="user" if who is Trust.USER else "agent",
            anchors=anchors_of(given["body"], [], place),
        )
        draft = changes.passed(store, draft)
        noted = changes.note(store, draft, context.now())
        if json:
            output.print_json({"id": noted.id, "status": noted.outcome})
        if noted.id is None:
            fail("This text was forgotten and stays forgotten; nothing was kept.", answered=True)
        if not json:
            waits = "waits" if noted.outcome is Outcome.CREATED else "waits already"
            print(f"{noted.id[-6:]} {waits} for the next flush of {name} ({context.project_name(store, project_id)})")
