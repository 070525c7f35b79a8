"""An answer, and where it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hardwon.event import Reply
from hardwon.git_head import Head
from hardwon.memories import Item
from hardwon.memories.search.budget import tokens

Unwritten = Callable[[list[Item]], list[Item]]
"""Without what the client tells the model anyway."""


@dataclass(frozen=True, slots=True)
class Here:
    """Where an event happened."""

    project: str = ""
    name: str = ""
    root: str = ""
    head: Head | None = None
    """Where its work tree stands; None where the disk is to be asked."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an agent was told in a window, besides memories."""

    agent: str
    context: int
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    reply: Reply = field(default_factory=Reply)
    said: list[Item] = field(default_factory=list)
    told: tuple[str, ...] = ()
    """What else was said, by its marks."""
    handoff: str = ""
    """The one that is given with it."""

    @property
    def tokens(self) -> int:
        """What the model reads, fence and all."""
        return tokens(self.reply.text or self.reply.stop or self.reply.ask)

    @property
    def shares(self) -> list[int]:
        """The tokens, divided among what was said."""
        each, rest = divmod(self.tokens, len(self.said))
        return [each + (number < rest) for number in range(len(self.said))]
