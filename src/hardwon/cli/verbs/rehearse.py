from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.cli.verbs import learn, rehearse_view
from hardwon.clients import past_sessions
from hardwon.clients.past_sessions import Log
from hardwon.learn import history
from hardwon.learn.history import Wanted
from hardwon.paths import user_folder
from hardwon.regular_file import status
from hardwon.rehearsal import picture, report
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.instructions import OfDisk, OfRepository
from hardwon.rehearsal.run import Rehearsal, rehearse
from hardwon.settings import Settings
from hardwon.store import control
from hardwon.store.connection import redactor_of

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
    with _ends_on_terminate():
        found = _found(paths, repository)
    if found.switched_off:
        fail(f"Nothing was played: {found.switched_off}.")
    if not found.logs:
        rehearse_view.show_left_out(found.excluded, found.unreadable)
        fail("There is no past session to play. `hardwon rehearse FOLDER` plays those of a folder.")
    made = _rehearsed(found, repository)
    made.since = begin
    figures = report.as_json(made.scored(), redactor_of(found.settings).text, examples)
    if svg:
        _draw(svg, figures)
    if json:
        output.print_json(figures | {"excluded": found.excluded})
        return
    rehearse_view.show(figures, found.excluded)


def offer(yes: bool = False) -> None:
    """At the end of `setup`, when it is known what there is: a person is asked, anybody else is told."""
    found = _found(None, None)
    if len(found.logs) < FEWEST or found.switched_off:
        return
    sessions = output.counted(len(found.logs), "past session")
    question = f"See what hardwon would have said in your {sessions}? Nothing is kept of it."
    if yes or not output.confirm(question, yes=False):
        output.remark("what hardwon would have said in your past sessions: `hardwon rehearse`")
        return
    made = _rehearsed(found, None)
    rehearse_view.show(report.as_json(made, redactor_of(found.settings).text, 3), found.excluded)


@dataclass(frozen=True, slots=True)
class Found:
    """What may be played, and under which settings."""

    settings: Settings
    logs: list[Log]
    excluded: dict[str, int]
    """Sessions that stay out, by the reason."""
    pauses: dict[str, str]
    switched_off: str | None
    """Why nothing may be played at all."""
    unreadable: list[str]
    """Files and folders, with why."""


def _found(paths: list[Path] | None, repository: Path | None) -> Found:
    """Excluded folders stay out, and what happened in a pause, as they do for `learn`."""
    unreadable: list[str] = []

    def failed(error: OSError) -> None:
        unreadable.append(f"{error.filename}: {error.strerror}")

    told = learn.given(paths, failed, to_learn=False) if paths else past_sessions.of_clients(os.environ, failed)
    logs = list(told)
    if repository and not repository.is_dir():
        fail(f'"{repository}" is not there: give the folder of a git repository, a bare one will do.', code=2)
    with context.reading() as store:
        made = history.plan(store, logs, Wanted(again=True))
        off = control.switched_off(store, context.now())
        played = [session.log for session in made.sessions]
        return Found(store.settings, played, made.excluded, control.pauses(store), off, unreadable)


def _rehearsed(found: Found, repository: Path | None) -> Rehearsal:
    place = str(repository.resolve()) if repository else ""
    instructions = OfRepository(place) if place else OfDisk(user_folder(os.environ))
    whole = 2 * sum(_size(log) for log in found.logs)
    with contextlib.suppress(OSError):
        os.nice(10)  # a session that runs meanwhile comes first
    with _ends_on_terminate(), learn.progress(whole, "playing") as done:
        made = rehearse(found.logs, found.settings, Grounds(instructions, place), done, found.pauses)
    made.counts.unreadable += found.unreadable
    return made


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
