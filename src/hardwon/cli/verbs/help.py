from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import AllVerbs, Verbs, root


def run(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="A command, and perhaps a verb of it")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", "-a", help="Every command, not only the everyday ones")] = False,
) -> None:
    """Show the everyday commands, all of them, or how one is used

    Example: `hardwon help --all`
    """
    tree = root(AllVerbs if all_ else Verbs)
    tree.main(args=[*(command or []), "--help"], prog_name="hardwon", standalone_mode=False)
