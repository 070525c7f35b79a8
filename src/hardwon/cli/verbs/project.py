from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json, Yes
from hardwon.render.plain import visible
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.projects import Project
from hardwon.store.tables import memories

app = group("list")


@app.callback()
def project() -> None:
    """See which project is which, join two that are one, rename one

    Example: `hardwon project list`

    Without a verb it is `hardwon project list`.
    """


@app.command("list")
def list_(json: Json = False) -> None:
    """List the known projects, this folder's first

    Example: `hardwon project list`
    """
    with context.reading() as store:
        _, here = projects.look_up(store, context.folder())
        known = sorted(projects.listed(store), key=lambda one: (here is None or one.id != here.id, one.name))
        described = [_described(store, one, here) for one in known]
        if json:
            output.print_json({"items": described, "total": len(described)})
            return
        for one in described:
            mark = "*" if one["here"] else " "
            print(f"{mark} {one['name']}\t{output.counted(one['memories'], 'memory')}\t{visible(one['root'])}")
        if not described:
            output.remark("no project is known yet")


def _described(store: Store, one: Project, here: Project | None) -> dict[str, Any]:
    _, count = memories.listed(store, memories.Filter(projects=(one.id,)), limit=0)
    aliases = sorted(f"{alias.kind}={alias.value}" for alias in projects.aliases_of(store, one.id))
    is_here = here is not None and here.id == one.id
    return {"name": one.name, "id": one.id, "root": one.root, "memories": count, "here": is_here, "aliases": aliases}


@app.command()
def merge(
    source: Annotated[str, typer.Argument(metavar="NAME", help="The project that ends", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="INTO", help="The project that gets everything", show_default=False)],
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Make two projects one: everything of NAME belongs to INTO from now on

    Example: `hardwon project merge shop-old shop`
    """
    with context.writing() as store:
        try:
            projects.to_merge(store, source, target)
            if not output.confirm(f'Merge "{source}" into "{target}"? This can\'t be undone.', yes):
                fail("Nothing was merged. Say --yes to merge without a question.")
            one, other = projects.merge(store, source, target)
        except ValueError as error:
            fail(str(error))
        if json:
            output.print_json({"merged": one.name, "into": other.name})
        else:
            print(f'"{one.name}" is part of "{other.name}" now')


@app.command()
def rename(
    old: Annotated[str, typer.Argument(metavar="NAME", help="Its name now", show_default=False)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name", show_default=False)],
    json: Json = False,
) -> None:
    """Give a project another name

    Example: `hardwon project rename app shop`
    """
    with context.writing() as store:
        try:
            renamed = projects.rename(store, old, new)
        except ValueError as error:
            fail(str(error))
        if json:
            output.print_json({"id": renamed.id, "name": renamed.name})
        else:
            print(f'"{old}" is called "{renamed.name}" now')
