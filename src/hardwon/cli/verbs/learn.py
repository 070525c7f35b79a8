from __future__ import annotations

import contextlib
import datetime
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.support.options import Json, Yes
from hardwon.clients import past_sessions
from hardwon.clients.past_sessions import Failed, Log, pass_over
from hardwon.learn import history
from hardwon.learn.history import Plan, Read, Wanted
from hardwon.memory import Trust, short_id
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.tables import passages
from hardwon.store.tables.census import census
from hardwon.text.tiers import clip

DAY = 86_400_000
EVERY = 5.0
"""Seconds between two lines that say how far it came, where nobody watches a bar."""

KNOWN = past_sessions.written_by()


def run(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Files, or folders of them; else those of every client here",
                       show_default=False),
    ] = None,
    client: Annotated[
        str | None, typer.Option("--client", metavar="CLIENT", help=f"Only this one: {', '.join(KNOWN)}")
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", metavar="NAME", help="Only sessions of this project")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help="Only what was written since: 30d, or 2026-01-01")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also what was read before")] = False,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be read")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Learn from the sessions of the past

    Example: `hardwon learn --since 30d --dry-run`

    Reads what Claude Code, Codex and Pi have written down (also in the folder that CLAUDE_PROJECTS_DIR names), or the
    files given; logs of SWE-agent (.traj) and aider, too.
    Shows first what it would read, and asks. Excluded projects and paths stay out. What was read before is not read
    again. Ctrl-C at any time: the next run goes on from there.
    """
    wanted = Wanted(_client(client), project, since_of(since, context.now()), again)
    logs = list(given(paths)) if paths else _usual()
    with context.reading() if dry_run else context.writing() as store:
        _may_learn(store)
        made = history.plan(store, logs, wanted, _home(store, project))
        if not json:
            _show(made)
        if dry_run:
            _conclude_dry(made, json)
            return
        if made.sessions and not output.confirm(f"Read {output.counted(len(made.sessions), 'session')}?", yes):
            fail("Nothing was read. Say --yes to read without a question.")
        _learn(store, made, json)


def offer(yes: bool = False) -> None:
    """At the end of `setup`: a person is asked, anybody else is told, when there are sessions that were not read."""
    logs = _usual()
    with context.reading() as store:
        if not logs or control.switched_off(store, context.now()):
            return
        made = history.plan(store, logs, Wanted())
    if not made.sessions:
        return
    found = f"{output.counted(len(made.sessions), 'past session')} ({_size(made.size)})"
    if yes or not output.confirm(f"Learn from {found} now?", yes=False):
        output.remark(f"{found} can be learned from at any time: `hardwon learn`")
        return
    with context.writing() as store:
        _learn(store, made, json=False)


def _learn(store: Store, made: Plan, json: bool) -> None:
    store.by_hand = False  # `undo` takes back what was commanded, not what was learned
    before, result = census(store), Read()
    with contextlib.suppress(OSError):
        os.nice(10)  # a session that runs meanwhile comes first
    try:
        with progress(made.size, "reading") as done:
            history.read(store, made.sessions, context.now, done, result)
        passages.index_new(store)
    except KeyboardInterrupt:
        fail(
            f"Stopped after {result.sessions} of {output.counted(len(made.sessions), 'session')}, "
            f"{_size(result.size)}. What was read is kept; `hardwon learn` goes on from there.",
            code=130,
        )
    _conclude(store, made, result, history.learned(before, census(store)), json)


def _client(name: str | None) -> str | None:
    if name is not None and name not in KNOWN:
        fail(f'There is no client "{name}". Known: {", ".join(KNOWN)}.', code=2)
    return name


def since_of(text: str | None, now: int) -> int:
    if text is None:
        return 0
    if found := re.fullmatch(r"(\d{1,5})d", text):
        return now - int(found[1]) * DAY
    try:
        return int(datetime.datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except ValueError:
        fail(f'--since takes a number of days, as 30d, or a date, as 2026-01-01, not "{text}".', code=2)


def _usual() -> list[Log]:
    """What the clients here have written down, and what lies where an earlier tool was told that it does."""
    logs = list(past_sessions.of_clients(os.environ))
    if not (named := os.environ.get("CLAUDE_PROJECTS_DIR", "").strip()):
        return logs
    folder = Path(named).expanduser()
    if not folder.is_dir():
        output.remark(f"CLAUDE_PROJECTS_DIR names {folder}, which is no folder: it is passed over")
    elif past_sessions.is_within(folder, list(past_sessions.folders(os.environ).values())):
        pass
    elif caller.trust() is not Trust.USER:
        output.remark(f"{folder} (CLAUDE_PROJECTS_DIR) is not read for an agent: a person can run `hardwon learn`")
    else:
        logs += past_sessions.below(folder)
    return logs


def given(paths: list[Path], failed: Failed = pass_over, *, to_learn: bool = True) -> Iterator[Log]:
    """What a file says becomes what hardwon knows: files from anywhere are for a person to name. Not so where nothing
    is learned for good."""
    for path in paths:
        if not path.exists():
            fail(f'"{path}" is not there: give a file or a folder of sessions.', code=2)
        own = list(past_sessions.folders(os.environ).values())
        if to_learn and not past_sessions.is_within(path, own) and caller.trust() is not Trust.USER:
            fail(
                f'"{path}" is not where a client keeps its sessions, and this call comes from an agent. Nothing was '
                f"read; a person can `hardwon learn {path}` in their own terminal."
            )
        if path.is_dir():
            yield from past_sessions.below(path, failed)
        elif log := past_sessions.of_file(path):
            yield log
        else:
            fail(f'"{path}" is no session that hardwon can read. It reads those of {", ".join(KNOWN)}.')


def _may_learn(store: Store) -> None:
    if reason := control.switched_off(store, context.now()):
        fail(f"Nothing was read: {reason}.")


def _home(store: Store, project: str | None) -> str:
    return projects.named(store, project).root if project else ""


def _show(made: Plan) -> None:
    for name, sessions in made.by_project().items():
        size = sum(session.size for session in sessions)
        clients = ", ".join(sorted({session.log.client for session in sessions}))
        print(f"{name:<28}{output.counted(len(sessions), 'session'):<14}{_size(size):>10}  {clients}")
    if made.sessions:
        print(f"{'in all':<28}{output.counted(len(made.sessions), 'session'):<14}{_size(made.size):>10}")
    else:
        print("there is nothing to read" + (", all of it was read before" if made.known else ""))
    if made.known and made.sessions:
        output.remark(f"{output.counted(made.known, 'session')} read before: --again reads them once more")
    for reason, count in made.excluded.items():
        output.remark(f"{output.counted(count, 'session')} left out: {reason}")


def _conclude_dry(made: Plan, json: bool) -> None:
    if json:
        items = {
            name: {"sessions": len(found), "bytes": sum(one.size for one in found)}
            for name, found in made.by_project().items()
        }
        sessions = len(made.sessions)
        output.print_json(_figures({}, sessions, 0) | {"plan": items, "bytes": made.size, "dry_run": True})
    elif made.sessions:
        print("nothing was read, this was a dry run")


def _conclude(store: Store, made: Plan, result: Read, learned: dict[str, dict[str, int]], json: bool) -> None:
    if result.unread:
        more = f", and {len(result.unread) - 1} more" if len(result.unread) > 1 else ""
        output.remark(f"left out, for it can't be read: {result.unread[0]}{more}")
    if json:
        items = [{"project": context.project_name(store, id)} | _kinds(kinds) for id, kinds in learned.items()]
        most = [{"id": id, "text": body, "times": times} for id, body, times in _repeated(store, made)]
        figures = _figures(learned, result.sessions, result.taken.kept)
        output.print_json(figures | {"bytes": result.size, "projects": items, "repeated": most, "dry_run": False})
        return
    if not made.sessions:
        return
    print(f"read {output.counted(result.sessions, 'session')}, {output.counted(result.taken.kept, 'new event')}")
    for id, kinds in learned.items():
        found = ", ".join(output.counted(count, kind) for kind, count in kinds.items())
        print(f"{context.project_name(store, id)}: learned {found}")
    if not learned:
        print("nothing new was learned")
    if most_repeated := _repeated(store, made):
        print("made most often:")
        for id, body, times in most_repeated:
            print(f"  {times} times  {short_id(id)}  {clip(' '.join(body.split()), 110)}")


def _repeated(store: Store, made: Plan) -> list[tuple[str, str, int]]:
    names = set(made.by_project())
    return history.repeated(store, [each.id for each in projects.listed(store) if each.name in names])


def _kinds(kinds: dict[str, int]) -> dict[str, Any]:
    return {f"{kind}s" if not kind.endswith("x") else f"{kind}es": count for kind, count in kinds.items()}


def _figures(learned: dict[str, dict[str, int]], sessions: int, events: int) -> dict[str, Any]:
    counts = {str(kind): sum(kinds.get(kind, 0) for kinds in learned.values()) for kind in history.COUNTED}
    new = sum(sum(kinds.values()) for kinds in learned.values())
    return {"sessions": sessions, "events": events} | _kinds(counts) | {"new": new}


@contextlib.contextmanager
def progress(whole: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar where somebody watches, else a line now and then."""
    if not sys.stderr.isatty():
        yield _lines(whole)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=whole)
        yield lambda size: bar.advance(task, size)


def _lines(whole: int) -> Callable[[int], None]:
    done, last = 0, time.monotonic()

    def advance(size: int) -> None:
        nonlocal done, last
        done += size
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            output.remark(f"read {_size(done)} of {_size(whole)}")

    return advance


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1_000:.1f} kB"
