"""Which checks were run, in which package, and how they came out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from hardwon.event import Event
from hardwon.text import commands, errors
from hardwon.text.branches.fact import Fact, Place, What
from hardwon.text.commands import shell

LONGEST = 80


def facts(event: Event, here: Place, passed: bool) -> Iterator[Fact]:
    """Where a pipe or what follows hides how it ended, only what says that it failed is told; Esc ends no check."""
    command = event.target
    if not commands.is_validation(command):
        return
    if passed and commands.masks_status(command):
        if not errors.failed(event.text):
            return
        passed = False
    elif not passed and event.exit_status is None:
        return
    shown = commands.normalise(command)
    if len(shown) > LONGEST or "\n" in shown:
        return
    folder = _folder(command, event.cwd)
    package = posixpath.relpath(folder, here.root) if folder.startswith(f"{here.root}/") else ""
    state = "passed" if passed else "failed"
    yield Fact(What.CHECK, here.branch, shown, state=state, how=package, worktree=here.root)


def _folder(command: str, cwd: str) -> str:
    for part in shell.parts(command):
        if part.words[:1] == ("cd",) and len(part.words) > 1:
            return posixpath.normpath(posixpath.join(cwd, shell.bare(part.words[1])))
    return cwd
