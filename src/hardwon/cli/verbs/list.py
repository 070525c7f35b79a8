from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from hardwon.cli.support import context, output
from hardwon.cli.support.options import Everywhere, Json, Kinds, Limit, Offset, ProjectName, Skill, Statuses
from hardwon.memory import Status
from hardwon.store.connection import Store
from hardwon.store.tables import memories

_SHOWN = (Status.ACTIVE, Status.CANDIDATE, Status.RESOLVED)


def run(
    kind: Kinds = None,
    status: Statuses = None,
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    all_projects: Annotated[bool, typer.Option("--all", help="In all projects")] = False,
    every_status: Annotated[
        bool, typer.Option("--every-status", help="Also superseded, stale and archived ones")
    ] = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned ones")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
) -> None:
    """List memories, pinned first, then newest first

    Example: `hardwon list --kind decision --all`
    """
    context.only_one(project, everywhere, all_projects)
    with context.reading() as store:
        _, scopes = context.scopes_to_tell(store, project, everywhere)
        which = memories.Filter(
            projects=() if all_projects else scopes,
            skill=skill,
            kinds=tuple(kind or ()),
            statuses=tuple(status or ()) or (() if every_status else _SHOWN),
            pinned=True if pinned else None,
        )
        found, total = memories.listed(store, which, limit, offset)
        if json:
            output.print_json({"items": output.items_json(store, found), "total": total}, store)
        else:
            output.print_memories(found, lambda id: context.project_name(store, id))
            output.remark(f"{len(found)} of {total}" if found else _why_none(store, which, total))


def _why_none(store: Store, which: memories.Filter, total: int) -> str:
    if total:
        return f"0 of {total}: --offset passes over all of them"
    _, all_here = memories.listed(store, memories.Filter(which.projects), 1)
    if not all_here:
        return "nothing is remembered here yet"
    here = " here" if which.projects else ""
    others = memories.listed(store, replace(which, statuses=()), 1)[1] if which.statuses == _SHOWN else 0
    hint = ": --every-status shows them" if others else ""
    return f"none like that among {output.counted(all_here, 'memory')}{here}{hint}"
