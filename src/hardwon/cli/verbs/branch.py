from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer

from hardwon import git_head
from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.git_head import Head
from hardwon.memories.branches.branch_card import Line
from hardwon.moments import where_stands
from hardwon.moments.answer import here
from hardwon.moments.where_stands import Found
from hardwon.render.plain import day, visible
from hardwon.store.connection import Store
from hardwon.store.tables import branches


def run(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A branch; else the one you are on")] = "",
    json: Json = False,
) -> None:
    """Show where a branch stands, and where each line is from

    Example: `hardwon branch`

    Its base while that holds, its pull request, its ticket, what is open, and its last checks: from what agents did in
    earlier sessions, and from git's own files. Nothing is fetched.
    """
    with context.reading() as store:
        context.may_tell(store)
        folder = context.folder()
        if reason := context.excluded(store, folder):
            fail(f"Nothing was looked up: {reason}.")
        head = git_head.read(folder)
        if not head.common:
            fail(f"{folder} is in no git repository that can be read.")
        if name:
            head = dataclasses.replace(head, branch=name, bisecting=False)
        where = here(store, folder)
        found = where_stands.found(store, where.project, head, context.now())
        if json:
            output.print_json(as_json(head, found), store)
        elif found and found.lines:
            for line in found.lines:
                print(f"{line.text.removeprefix('- ')}  [{_source(line)}]")
            _unsure(found)
        else:
            output.remark(_why_none(store, where.project, head))


def _unsure(found: Found) -> None:
    if found.card.unsure:
        output.remark("a base is known; whether it still is one is looked at in the background")


def _source(line: Line) -> str:
    session = f", session {visible(line.session)[:8]}" if line.session else ""
    return f"{visible(line.source)}{session}"


def _why_none(store: Store, project: str, head: Head) -> str:
    known = branches.known(store, project, 5) if project else []
    others = f"; known: {', '.join(map(visible, known))}" if known else ""
    if head.bisecting:
        return "nothing is said of a branch during a bisect"
    if not head.branch:
        return f"HEAD is on no branch here{others}"
    why = "nothing that still holds was seen on it; what agents do there fills it"
    return f'there is nothing to say of "{visible(head.branch)}": {why}{others}'


def as_json(head: Head, found: Found | None) -> dict[str, Any]:
    card = found.card if found else None
    base = card.base if card else None
    return {
        "branch": head.branch or None,
        "worktree": head.root,
        "base": None if base is None else
        {"name": base.name, "holds": not base.is_past, "at": base.at, "day": day(base.at)[:10], "how": base.how},
        "stack": list(card.stack) if card else [],
        "pull_request": {"number": int(card.pull.number), "state": card.pull.state.casefold()}
        if card and card.pull else None,
        "ticket": card.ticket or None if card else None,
        "open": list(card.open) if card else [],
        "done": card.done if card else 0,
        "checks": [
            {"command": one.command, "passed": one.passed, "at": one.at, "commit": one.commit or None,
             "edits_since": one.edits, "worktree": one.elsewhere or None}
            for one in (card.checks if card else ())
        ],
        "marked": {
            name: [one.id for one in getattr(card.marked, name)] if card else []
            for name in ("decisions", "tasks", "traps")
        },
        "unsure": bool(card and card.unsure),
        "lines": [
            {"text": line.text, "how": line.source, "session": line.session or None}
            for line in (found.lines if found else ())
        ],
    }  # fmt: skip
