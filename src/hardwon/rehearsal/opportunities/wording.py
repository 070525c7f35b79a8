"""A call failed or was refused, and another wording of the same job passed; or the same wording, after a remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.opportunity import Candidate, Form, Kind, Opportunity, worth
from hardwon.rehearsal.opportunities.shell import (
    ANSWERING,
    LOOKING,
    SEARCH_TOOLS,
    Part,
    only_looks,
    run_by,
    searches_alike,
)
from hardwon.rehearsal.opportunities.window import Window
from hardwon.rehearsal.opportunities.words import form, holds, names, words

WITHIN = 8
"""Calls after a failure in which the job is still the same; it goes on when the job fails once more."""
LONGEST = 24
ERROR = 4_000
"""Characters of an error that are looked at."""
SHORTEST_PART = 5
"""Characters of a part of a path that says something."""
SEARCHES = names("grep rg find fd")
EDITS = action.EDITS
_ABOUT_CODE = re.compile(
    r"(?:^|[\s:-])(?:tests?|lint|build|vet|check|fmt|format|typecheck|tsc|pytest|jest|vitest|mypy|ruff|eslint|clippy|"
    r"golangci-lint|biome|prettier|make|tox|e2e|ci)\b",
)
_MISUSED = re.compile(
    r"unknown (?:shorthand |long )?(?:flag|option|command|task|argument|subcommand)|unrecognized (?:option|argument)|"
    r"invalid (?:option|argument|flag)|command not found|not found in|[Uu]sage:|missing script|no such (?:task|script|"
    r"target|command)|no task|No rule to make|cannot find module|is not recognized|required flag|flag provided but|"
    r"no required module|go\.mod|updates to go\.sum|missing go\.sum|not logged in|permission denied|externally-managed",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(r"does not exist|No such directory", re.IGNORECASE)
_CANCELLED = re.compile(r"Sibling tool call errored|Cancelled: parallel tool call")
"""It never ran: another call of the same turn failed."""
_PASSING = re.compile(
    r"timed? ?out|timeout|could not resolve host|connection (?:reset|refused)|temporary failure|rate limit|EAI_AGAIN|"
    r"network is unreachable|502|503",
    re.IGNORECASE,
)
_DATA = re.compile(r"[0-9a-f]{7,64}|\d+|[A-Za-z]?\d{1,4}[smhdk]?|\W+|@\{.*|HEAD.*|.*[%^].*|/dev/null|\S{90,}|\d+,\d+p?")


@dataclass(slots=True)
class Open:
    """A failure of which it is not known yet what would have been right."""

    number: int
    at: int
    line: str
    part: Part
    error: str
    remedy_only: bool
    """What failed says something of the code, or of the moment: only a remedy outside of the code tells more."""
    refused: bool = False
    """A person stopped it: it may well have passed, and only what an earlier session did after the like tells more."""
    calls: list[int] = field(default_factory=list)
    """Those since, with itself."""
    lately: int = 0
    """How many of these there were when the job failed last."""
    turns: list[int] = field(default_factory=list)
    remedies: list[tuple[int, Part]] = field(default_factory=list)


class Wordings:
    """One agent of one session."""

    def __init__(self) -> None:
        self._open: list[Open] = []
        self._called: dict[str, Happening] = {}

    def saw(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        if one.what is What.CALL:
            self._call(one)
        elif one.what is What.PROMPT:
            self._turn(one.number)
        elif one.is_outcome and (began := self._called.pop(one.call, None)):
            if one.what is What.PASSED:
                yield from self._passed(began, window)
            else:
                self._failed(one, began)
                if one.what is What.REFUSED:
                    self._turn(one.number)

    def _call(self, one: Happening) -> None:
        self._called[one.call] = one
        for open in self._open:
            open.calls.append(one.number)
        self._open = [
            open for open in self._open if len(open.calls) - open.lately <= WITHIN and len(open.calls) <= LONGEST
        ]
        if one.tool in EDITS:  # the code was changed: what passes now says nothing of wordings
            self._open = []

    def _turn(self, number: int) -> None:
        for open in self._open:
            open.turns.append(number)

    def _failed(self, one: Happening, began: Happening) -> None:
        if _CANCELLED.search(one.text[:400]):
            return
        refused = one.what is What.REFUSED
        of_the_moment = bool(_PASSING.search(one.text[:4_000])) and not refused
        for part in _teaching(one, began)[-2:]:
            for open in self._open:
                if _same_job(part, open.part):
                    open.lately = len(open.calls)
            about_code = _ABOUT_CODE.search(part.job) or _ABOUT_CODE.search(" ".join(part.words[:3]))
            remedy_only = of_the_moment or bool(about_code and not _MISUSED.search(one.text[:4_000]))
            self._open.append(
                Open(began.number, began.at, began.target, part, one.text[:ERROR], remedy_only, refused, [began.number])
            )

    def _passed(self, began: Happening, window: Window) -> Iterator[Opportunity]:
        own = run_by(began)
        for open in [open for open in self._open if open.number != began.number]:
            again = next((part for part in own if _same_job(part, open.part) or _other_tool(open, part, began)), None)
            if again is None:
                open.remedies += [(began.number, part) for part in own if not only_looks(part)]
                continue
            self._open.remove(open)
            other = () if open.remedy_only else self._other(open, again, window)
            found = other or self._remedy(open, again, window)
            if open.refused:
                found = tuple(one for one in found if _is_named(one.token, open.error))
            if found:
                needed = set() if other else {number for number, _ in open.remedies[-1:]}
                yield self._opportunity(open, began, window, found, needed)

    def _other(self, open: Open, again: Part, window: Window) -> tuple[Candidate, ...]:
        """What the other wording has that the first one had not."""
        before = set(_all_words(open.part))
        fresh = [word for word in _all_words(again) if word not in before and _may_answer(word)]
        if again.job != open.part.job:
            fresh.append(again.job)
        strict = open.refused or again.program != open.part.program
        source = f"after|{open.part.job}" if strict else f"call|{again.job}"
        return tuple(
            Candidate(
                word,
                form(word),
                f"{source}|{word.casefold()}",
                (again.program,),
                window.came(word, open.calls[-1]),
            )
            for word in dict.fromkeys(fresh)
            if not window.had(word, open.number)
        )

    def _remedy(self, open: Open, again: Part, window: Window) -> tuple[Candidate, ...]:
        """What was done between a failure and the very same call that passed."""
        if set(again.words) != set(open.part.words) and not open.refused:
            return ()
        found: dict[str, Candidate] = {}
        for _, part in open.remedies[-3:]:
            if not open.refused and holds(open.error, part.job):  # the error says itself what to do
                continue
            own = f"after|{open.part.job}"
            for word in (part.job, *filter(_may_answer, part.words)):
                if len(word) > 4 and word != open.part.job and not window.had(word, open.number):
                    sight = window.came(word, open.calls[-1])
                    found[word] = Candidate(word, form(word), f"{own}|{word.casefold()}", sight=sight)
        return tuple(found.values())

    def _opportunity(
        self, open: Open, began: Happening, window: Window, found: tuple[Candidate, ...], needed: set[int]
    ) -> Opportunity:
        """All calls but the one that passed, and the remedy, which was needed anyway."""
        spent = tuple(number for number in open.calls if number != began.number and number not in needed)
        return Opportunity(
            Kind.WORDING, began.session, began.agent, open.number, open.at, began.number, window.number,
            worth(len(spent), len(open.turns)), spent, tuple(open.turns), began.project,
            f"{open.line[:300]}\n{open.error[:300]}", began.target[:300], found,
        )  # fmt: skip


def _teaching(one: Happening, began: Happening) -> list[Part]:
    """The parts whose failure may say how a job is to be worded."""
    if began.tool in SEARCH_TOOLS and _NOT_THERE.search(one.text[:400]):
        return []
    return [
        part for part in run_by(began)
        if part.program not in LOOKING and part.job.replace(" ", "-") not in ANSWERING
    ]  # fmt: skip


def _is_named(token: str, said: str) -> bool:
    """By the person who stopped the call: what else was different then may have had other reasons."""
    own = {word.casefold() for word in words(said)}
    return all(word in own for word in token.casefold().lstrip("-").split())


def _other_tool(open: Open, part: Part, began: Happening) -> bool:
    """A search that failed as a tool is made in the shell."""
    if open.part.program not in SEARCH_TOOLS or part.program not in SEARCHES:
        return False
    return searches_alike(open.line, began.target)


def _all_words(part: Part) -> list[str]:
    """With the parts of a path or an address: "repos/x/pulls/7/replies" has "replies"."""
    return list(
        dict.fromkeys(each for word in part.words for each in words(word) if each == word or len(each) >= SHORTEST_PART)
    )


def _same_job(one: Part, other: Part) -> bool:
    """Of the same program with the same verb; or about the same thing, unless `one` only looks at it."""
    if one.program != other.program:
        return False
    if one.job == other.job:
        return True
    return not only_looks(one) and bool(_things(one) & _things(other))


def _things(part: Part) -> set[str]:
    """Names: of a branch, a package, a number."""
    return {word for word in part.words if len(word) > 5 and word[0] not in "/-" and not word.isalpha()}


def _may_answer(word: str) -> bool:
    """A number, a hash, a file or a piece of code is no wording that comes back."""
    if word.startswith("-") and len(word) < 4:
        return False
    if any(name.isdigit() for name in word.split("/")):  # of an address
        return False
    return len(word) > 2 and not _DATA.fullmatch(word) and form(word) not in (Form.ID, Form.PATH)
