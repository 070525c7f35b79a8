from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output, text
from hardwon.cli.support.options import Everywhere, Json, Kinds, Limit, Offset, ProjectName, Skill, Statuses
from hardwon.cli.verbs import search_sessions
from hardwon.memory import GLOBAL, Kind, Status
from hardwon.store.index import search
from hardwon.store.tables import memories, passages


def run(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words that it must have", show_default=False)],
    kind: Kinds = None,
    status: Statuses = None,
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    all_projects: Annotated[bool, typer.Option("--all", help="In all projects")] = False,
    limit: Limit = 20,
    offset: Offset = 0,
    sessions: Annotated[
        bool, typer.Option("--sessions", help="In what was said in past conversations instead")
    ] = False,
    json: Json = False,
) -> None:
    """List every memory that has the words, whatever its status

    Example: `hardwon search redis --all`

    All words must occur; when no memory has all of them, those that have any. With `--sessions` past conversations are
    searched, best first: what you asked and what was answered, the present state of a decision before the earlier ones.
    """
    context.only_one(project, everywhere, all_projects)
    if not query.strip():
        fail("The query is empty. Try: hardwon search redis", code=2)
    if sessions:
        _no_memories(kind, status, skill, offset)
        search_sessions.prepare()
    with context.reading() as store:
        query = text.passed(store, query=query)["query"]
        _, scopes = context.scopes_to_tell(store, project, everywhere)
        if sessions:
            here = tuple(one for one in scopes if one != GLOBAL) or (passages.NOWHERE,)
            projects = () if all_projects else here
            search_sessions.run(store, query, projects, limit, json)
            return
        which = memories.Filter(
            projects=() if all_projects else scopes, skill=skill, kinds=tuple(kind or ()), statuses=tuple(status or ())
        )
        found, total = search.search(store, query, which, limit, offset)
        if json:
            output.print_json({"items": output.items_json(store, found), "total": total}, store)
        else:
            output.print_memories(found, lambda id: context.project_name(store, id))
            output.remark(f"{len(found)} of {total}" if found else "no memory has these words")


def _no_memories(kind: list[Kind] | None, status: list[Status] | None, skill: str | None, offset: int) -> None:
    given = {"--kind": kind, "--status": status, "--skill": skill, "--offset": offset}
    if wrong := [name for name, value in given.items() if value]:
        fail(f"{' and '.join(wrong)} can't be used with --sessions: conversations have none.", code=2)
