"""A setting that lists some of a few words."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.settings.kinds import Names, WrongValueError
from hardwon.settings.values import shown


class Chosen(Names):
    """A list of a few words, each for all clients or, as `CLIENT:WORD`, for one."""

    __slots__ = ("words",)
    what = "a list of rules"

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words[:1])
        self.words = tuple(words)

    def item(self, item: object, part: str) -> str:
        name = super().item(item, part)
        if name.rpartition(":")[2] not in self.words:
            raise WrongValueError(f"one of {', '.join(self.words)}", shown(item), part)
        return name
