"""One file that a plan changes, before and after, to be shown and then to be done."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from hardwon.clients.installing import files
from hardwon.clients.installing.recipe import SetupError


@dataclass(frozen=True, slots=True)
class Change:
    path: Path
    before: bytes | None
    after: bytes | None
    """None: it is not there."""
    foreign: bool = False
    """Not a file of ours alone: what changes in it is worth seeing."""

    @property
    def word(self) -> str:
        return "create" if self.before is None else "remove" if self.after is None else "edit"

    def diff(self) -> str:
        """As `diff -u` would show it."""
        before, after = (
            data.decode(errors="replace").splitlines() if data else [] for data in (self.before, self.after)
        )
        name = str(self.path)
        return "\n".join(difflib.unified_diff(before, after, name, name, lineterm=""))

    def apply(self) -> None:
        """Do it, unless the file has become another one since it was looked at."""
        if files.read(self.path) != self.before:
            raise SetupError(f"{self.path} was changed by somebody else just now: run this again.")
        if self.after is None:
            files.remove(self.path)
        else:
            files.make_folders(self.path)
            files.write(self.path, self.after)


class Halted(SetupError):
    """Applying stopped: what failed, and what had been done before."""

    def __init__(self, problem: str, done: tuple[Change, ...], next_step: str) -> None:
        before = ", ".join(f"{change.word} {change.path}" for change in done) or "nothing"
        super().__init__(f"{problem} Done before that: {before}. {next_step}")


def apply_all(changes: tuple[Change, ...], next_step: str) -> None:
    for at, change in enumerate(changes):
        try:
            change.apply()
        except SetupError as error:
            raise Halted(str(error), changes[:at], next_step) from error
        except OSError as error:
            problem = f"{change.path} can't be {change.word.removesuffix('e')}ed: {error.strerror}."
            raise Halted(problem, changes[:at], next_step) from error
