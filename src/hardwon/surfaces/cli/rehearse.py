from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from hardwon.hosts import past_sessions
from hardwon.hosts.past_sessions import Log
from hardwon.learn import history
from hardwon.learn.history import Wanted
from hardwon.paths import user_folder
from hardwon.regular_file import status
from hardwon.rehearsal import picture, report
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.instructions import OfDisk, OfRepository
from hardwon.rehearsal.run import Rehearsal, rehearse
from hardwon.settings import Settings
from hardwon.store.connection import redactor_of
from hardwon.surfaces.cli import context, learn, output, rehearse_view
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Json

FEWEST = 5
"""Sessions that are worth asking about."""


def run(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Files, or folders of them; else those of every client here",
                       show_default=False),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="WHEN", help="Count only sessions begun since: 30d, or 2026-01-01; what was "
                     "before is known then"),
    ] = None,
    repository: Annotated[
        Path | None,
        typer.Option("--repository", metavar="DIR", help="The one that all of these sessions worked on, where their "
                     "folders are gone"),
    ] = None,
    examples: Annotated[int, typer.Option("--examples", min=0, metavar="NUMBER", help="At most so many of each")] = 10,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw it into this file")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Play your past sessions, and see what would have been said in time

    Example: `hardwon rehearse --since 30d`

    Nothing is kept: it happens in a home of its own that is gone afterwards. At each moment of the past hardwon knows
    only what had happened by then. What came back is found in each session's own future, by code that shares nothing
    with what learns and recalls. Excluded projects stay out.
    """
    begin = learn.since_of(since, context.now())
    settings, logs, excluded = _sessions(paths, repository)
    if not logs:
        fail("There is no past session to play. `hardwon rehearse FOLDER` plays those of a folder.")
    with _ends_on_terminate(), learn.progress(2 * sum(_size(log) for log in logs), "playing") as done:
        made = _rehearsed(logs, settings, repository, done)
    made.since = begin
    figures = report.as_json(made.scored(), redactor_of(settings).text, examples)
    if svg:
        _draw(svg, figures)
    if json:
        output.print_json(figures | {"excluded": excluded})
        return
    rehearse_view.show(figures, excluded)


def offer(yes: bool = False) -> None:
    """At the end of `setup`, when it is known what there is: a person is asked, anybody else is told."""
    settings, logs, excluded = _sessions(None, None)
    if len(logs) < FEWEST:
        return
    found = output.counted(len(logs), "past session")
    if yes or not output.confirm(
        f"See what hardwon would have said in your {found}? Nothing is kept of it.", yes=False
    ):
        output.remark("what hardwon would have said in your past sessions: `hardwon rehearse`")
        return
    with _ends_on_terminate(), learn.progress(2 * sum(_size(log) for log in logs), "playing") as done:
        made = _rehearsed(logs, settings, None, done)
    rehearse_view.show(report.as_json(made.scored(), redactor_of(settings).text, 3), excluded)


def _sessions(paths: list[Path] | None, repository: Path | None) -> tuple[Settings, list[Log], dict[str, int]]:
    """What may be played; excluded folders stay out, as they do for `learn`."""
    logs = list(learn.given(paths, to_learn=False)) if paths else list(past_sessions.of_clients(os.environ))
    if repository and not repository.is_dir():
        fail(f'"{repository}" is not there: give the folder of a git repository, a bare one will do.', code=2)
    with context.reading() as store:
        made = history.plan(store, logs, Wanted(again=True))
        return store.settings, [session.log for session in made.sessions], made.excluded


def _rehearsed(logs: list[Log], settings: Settings, repository: Path | None, done: Any) -> Rehearsal:
    if repository:
        place = str(repository.resolve())
        return rehearse(logs, settings, Grounds(OfRepository(place), place), done)
    return rehearse(logs, settings, Grounds(OfDisk(user_folder(os.environ))), done)


@contextlib.contextmanager
def _ends_on_terminate() -> Iterator[None]:
    """The temporary home goes, also when the command is told to end; Ctrl-C is a sentence."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    except KeyboardInterrupt:
        fail("Stopped. Nothing was kept, and nothing is left behind.", code=130)
    finally:
        signal.signal(signal.SIGTERM, before)


def _size(log: Log) -> int:
    return sum(about.st_size for file in log.files if (about := status(file)))


def _draw(file: Path, figures: dict[str, Any]) -> None:
    try:
        file.write_text(picture.svg(figures), "utf-8")
    except OSError as error:
        fail(f'The picture could not be written to "{file}": {error.strerror}. Name a file in a folder that is there.')
    print(f"drew {file}", file=sys.stderr)
