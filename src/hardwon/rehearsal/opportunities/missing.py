"""A path was missing, and then found: another folder, another ending, another spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.opportunity import Candidate, Form, Kind, Opportunity, worth
from hardwon.rehearsal.opportunities.window import Window

WITHIN = 5
_MISSING = re.compile(r"File does not exist|No such file or directory|Path does not exist|ENOENT|cannot access|"
                      r"[Dd]irectory does not exist|no such file")  # fmt: skip
_NAMED = re.compile(r"([\w@./+~-]*[\w@+-]{2,}[\w@./+-]*)['\"’]?: No such file or directory|"
                    r"cannot access '([^']+)'|open ([^\s:]+): no such file|"
                    r"[Dd]irectory does not exist: (\S+)")  # fmt: skip
_PATH = re.compile(r"[\w@./+~-]*[\w@+-]+[\w@./+-]*")
FILES = action.FILES
LOOKS = action.SEARCHES


@dataclass(slots=True)
class Open:
    number: int
    at: int
    path: str
    calls: list[int]
    """Since, with itself."""
    turns: list[int] = field(default_factory=list)


class Missing:
    """One agent of one session."""

    def __init__(self) -> None:
        self._open: list[Open] = []
        self._called: dict[str, Happening] = {}

    def saw(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        if one.what is What.CALL:
            self._called[one.call] = one
            for open in self._open:
                open.calls.append(one.number)
            self._open = [open for open in self._open if len(open.calls) <= WITHIN + 1]
        elif one.what in (What.PROMPT, What.REFUSED):
            for open in self._open:
                open.turns.append(one.number)
        elif one.is_outcome and (began := self._called.pop(one.call, None)):
            if one.what is What.FAILED and _MISSING.search(one.text[:2_000]):
                if path := _missing(one, began):
                    self._open.append(Open(began.number, began.at, path, [began.number]))
            elif one.what is What.PASSED:
                yield from self._found(one, began, window)

    def _found(self, one: Happening, began: Happening, window: Window) -> Iterator[Opportunity]:
        for open in list(self._open):
            path = next((path for path in _paths(began) if _is_it(path, open.path)), "")
            if not path or open.number >= began.number:
                continue
            self._open.remove(open)
            token = _difference(path, open.path)
            if not token or window.had(token, open.number):
                continue
            spent = tuple(number for number in open.calls if number < began.number)
            evidence = f"word|{one.project}|{token.casefold()}"
            yield Opportunity(
                Kind.PATH, one.session, one.agent, open.number, open.at, began.number, window.number,
                worth(len(spent), len(open.turns)), spent, tuple(open.turns), one.project, open.path, path,
                (Candidate(token, Form.PATH, evidence, sight=window.came(token, began.number)),),
            )  # fmt: skip


def _missing(one: Happening, began: Happening) -> str:
    if began.tool in FILES:
        return began.target
    if began.tool in LOOKS:
        where = began.target.split("|")
        return where[1] if len(where) > 1 else ""
    found = _NAMED.search(one.text[:4_000])
    return next((name for name in found.groups() if name), "") if found else ""


def _paths(began: Happening) -> list[str]:
    """What a call was pointed at."""
    if began.tool in FILES:
        return [began.target]
    if began.tool in LOOKS:
        return [part for part in began.target.split("|")[1:2] if part]
    if began.tool != action.SHELL:
        return []
    return [path for path in _PATH.findall(began.target[:2_000]) if "/" in path or "." in path[1:]]


def _stem(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1].lstrip(".").partition(".")[0].casefold().replace("-", "_")


def _is_it(path: str, missing: str) -> bool:
    stem = _stem(path)
    return (
        len(stem) > 2
        and stem == _stem(missing)
        and path.rstrip("/") != missing.rstrip("/")
        and (not missing.rstrip("/").endswith("/" + path.strip("/")))
    )


def _difference(path: str, missing: str) -> str:
    """The shortest end of the found path that tells the two apart."""
    names, wrong = ([name for name in one.split("/") if name] for one in (path, missing))
    for count in range(1, 4):
        if names[-count:] != wrong[-count:] and len(names) >= count:
            return "/".join(names[-count:])
    fresh = [name for name in names if name not in wrong and len(name) > 3]
    return fresh[-1] if fresh else ""
