"""Which path a failed call did not find, and which of a folder's names was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hardwon import action
from hardwon.event import Event

_TOOLS = action.FILES - {action.WRITE}
_NOT_THERE = re.compile(r"(?i)does not exist|no such file|not found|ENOENT")
_NAMED = re.compile(
    r"(?:^|[\s:'\"`(])(?P<path>(?:[\w.@+-]{0,100}/){0,12}[\w@+-]{0,80}\.?[\w.@+-]{1,80}\.\w{1,8})['\"`)]?"
    r"(?:: No such file or directory|: cannot open| does not exist)"
)


def missing(event: Event) -> str:
    """The path that a failed call names and that is not there; empty where that is not what went wrong."""
    if event.tool in _TOOLS:
        return event.target if _NOT_THERE.search(event.error[:400]) else ""
    found = _NAMED.search(event.error[:4_000]) if event.tool == action.SHELL else None
    return found["path"] if found else ""


def sibling(name: str, there: Iterable[str]) -> str:
    """The one name of a folder that is this one but for its ending or its case; empty where none or several are."""
    stem, dot, _ = name.rpartition(".")
    if not dot or len(stem.strip(".")) < 3:
        return ""
    same = [one for one in there if one != name and one.lower() == name.lower()]
    other = [one for one in there if one != name and one.rpartition(".")[0].lower() == stem.lower()]
    found = same or other
    return found[0] if len(found) == 1 else ""
