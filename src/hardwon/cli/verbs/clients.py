"""What setup and uninstall share: which clients are meant, and showing what changes in their files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from hardwon import clients
from hardwon.cli.app import fail
from hardwon.cli.support import output, streams
from hardwon.clients.installing.change import Change
from hardwon.clients.installing.recipe import Recipe
from hardwon.paths import Home
from hardwon.redact import Redactor

Client = Annotated[
    str | None,
    typer.Argument(metavar="[CLIENT]", help="The client, as claude-code; else every one here", show_default=False),
]
SHORT = 20
"""Lines of a file that is ours alone; a longer one is not what somebody who is asked wants to read."""
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change")]


def meant(name: str | None) -> tuple[Recipe, ...]:
    """The client of this name, or all that hardwon knows."""
    known = clients.recipes()
    if name is None:
        return known
    found = clients.recipe(name)
    if found is None:
        fail(f'There is no client "{name}". Known: {", ".join(recipe.name for recipe in known)}.', code=2)
    return (found,)


def show(place: Home, recipe: Recipe, changes: Iterable[Change], *, whole: bool) -> None:
    """First the client's own files, line by line without whatever looks like a key; ours as a line, or each of them."""
    print(f"{recipe.title}: {recipe.folder(os.environ)}")
    ours = []
    for change in changes:
        if not change.foreign:
            ours.append(change)
            continue
        print(f"  {change.word:<7} {change.path}")
        lines = Redactor().text(change.diff()).splitlines()[2:] if change.path.suffix in (".json", ".toml") else []
        if not whole and change.word != "edit" and len(lines) > SHORT:
            lines = [f"{output.counted(len(lines) - 1, 'line')}, all of them hardwon's (--dry-run shows them)"]
        for line in lines:
            print(f"          {_coloured(line)}")
    if whole:
        for change in ours:
            print(f"  {change.word:<7} {change.path}")
    else:
        for word, count in Counter(change.word for change in ours).items():
            files = output.counted(count, "file")
            print(f"  {word:<7} {files} of hardwon's own in {place.root} (--dry-run lists each)")


def _coloured(line: str) -> str:
    colour = {"+": "32", "-": "31", "@": "36"}.get(line[:1]) if streams.is_coloured() else None
    return f"\x1b[{colour}m{line}\x1b[0m" if colour else line


def as_json(recipe: Recipe, changes: Iterable[Change], remarks: Iterable[str]) -> dict[str, Any]:
    return {
        "client": recipe.name,
        "folder": str(recipe.folder(os.environ)),
        "changes": [{"path": str(change.path), "change": change.word, "diff": _diff(change)} for change in changes],
        "remarks": list(remarks),
    }


def _diff(change: Change) -> str | None:
    return Redactor().text(change.diff()) if change.foreign else None
