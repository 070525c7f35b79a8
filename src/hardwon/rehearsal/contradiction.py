"""Whether a session did with success what it had been told fails, is missing or was turned down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hardwon import action
from hardwon.event import Event
from hardwon.memory import Anchor, AnchorKind, Kind, Memory
from hardwon.rehearsal.opportunities.shell import only_looks, parts
from hardwon.rehearsal.opportunities.words import words

LONGEST_NAME = 3
"""Words of an alternative that is a name; what is longer tells a story, and no call can be held against it."""


@dataclass(frozen=True, slots=True)
class Against:
    """What a saying speaks against."""

    anchors: frozenset[Anchor] = frozenset()
    """Commands and files of which it says that they fail."""
    names: frozenset[tuple[str, ...]] = frozenset()
    """What was turned down: a program, a package, an option, each by its words."""


def against(memories: Iterable[Memory]) -> Against:
    anchors: set[Anchor] = set()
    names: set[tuple[str, ...]] = set()
    for memory in memories:
        if memory.kind is Kind.FAILURE:
            commands = {anchor for anchor in memory.anchors if anchor.kind is AnchorKind.COMMAND}
            # The file of a command that failed is where the error was, and no failure of its own.
            anchors |= commands or {anchor for anchor in memory.anchors if anchor.kind is AnchorKind.FILE}
        names |= {name for one in memory.rejected if (name := _name(one.what))}
    return Against(frozenset(anchors), frozenset(names))


def contradicts(event: Event, target: Anchor | None, said: Against) -> bool:
    """Of a call that passed. What only looks takes no side between alternatives."""
    if target and any((one.kind, one.value) == (target.kind, target.value) for one in said.anchors):
        return True
    if event.tool != action.SHELL or not said.names:
        return False
    return any(
        set(name) <= {part.program, *_words(" ".join(part.words))}
        for part in parts(event.target) if not only_looks(part)
        for name in said.names
    )  # fmt: skip


def _name(what: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(_words(what)))
    return found if 0 < len(found) <= LONGEST_NAME else ()


def _words(text: str) -> list[str]:
    return [word for word in words(text.casefold()) if " " not in word]
