"""Arguments and options that several verbs share, so that one word means one thing everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The last characters of an id, four or more", show_default=False)]
ProjectName = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="A project by name; else the one of this folder")
]
Everywhere = Annotated[bool, typer.Option("--global", "-g", help="What holds everywhere, in no single project")]
Skill = Annotated[str | None, typer.Option("--skill", "-s", metavar="NAME", help="The skill it belongs to")]
Reason = Annotated[str, typer.Option("--reason", "-r", help="Why, in a few words")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask")]
