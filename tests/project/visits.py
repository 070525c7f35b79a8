"""What the store keeps of projects, visited folder by folder; the remotes and the fixtures' types."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from hardwon.project import Alias, Known, Match, Place, locate

HUB = "https://github.com/acme/app.git"
OTHER = "https://github.com/acme/other.git"
Git = Callable[..., str]
Make = Callable[..., Path]


class Projects:
    """What the store keeps: a name for each set of aliases, and who owns which."""

    def __init__(self) -> None:
        self.rows: dict[str, set[Alias]] = {}

    def find(self, place: Place) -> list[Known]:
        asked = {*place.aliases, *(Alias("path", parent) for parent in place.parents)}
        return [Known(id, frozenset(aliases)) for id, aliases in self.rows.items() if aliases & asked]

    def visit(self, folder: Path) -> str:
        _, match = locate(folder, self.find)
        for alias in match.move:
            next(aliases for id, aliases in self.rows.items() if alias in aliases and id != match.project).remove(alias)
        id = match.project or f"project {len(self.rows) + 1}"
        self.rows.setdefault(id, set()).update(match.add, match.move)
        self.check()
        assert locate(folder, self.find)[1] == Match(id, (), ()), "a second look must find it, with nothing to write"
        return id

    def check(self) -> None:
        for one, other in itertools.combinations(self.rows.values(), 2):
            assert all(alias.kind == "root_commit" for alias in one & other), "only a root commit may be shared"
