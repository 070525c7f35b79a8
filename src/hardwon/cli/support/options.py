"""Arguments and options that several verbs share, so that one word means one thing everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from hardwon.memory import Kind, Status

KINDS = ", ".join(Kind)
STATUSES = ", ".join(status for status in Status if status is not Status.FORGOTTEN)

Json = Annotated[bool, typer.Option("--json", help="Print JSON")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The last characters of an id, four or more", show_default=False)]
ProjectName = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="A project by name; else the one of this folder")
]
Everywhere = Annotated[bool, typer.Option("--global", "-g", help="What holds everywhere, in no single project")]
Skill = Annotated[str | None, typer.Option("--skill", "-s", metavar="NAME", help="The skill it belongs to")]
Reason = Annotated[str, typer.Option("--reason", "-r", metavar="TEXT", help="Why, in a few words")]
Kinds = Annotated[list[Kind] | None, typer.Option("--kind", "-k", metavar="KIND", help=f"Only this kind: {KINDS}")]
Statuses = Annotated[
    list[Status] | None, typer.Option("--status", metavar="STATUS", help=f"Only this status: {STATUSES}")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="NUMBER", help="At most this many")]
Offset = Annotated[int, typer.Option("--offset", min=0, metavar="NUMBER", help="Pass over this many")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask")]
