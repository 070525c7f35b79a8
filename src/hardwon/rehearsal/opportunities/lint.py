"""A lint rule was broken that had been met before, in an earlier session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.opportunity import Candidate, Form, Kind, Opportunity, worth
from hardwon.rehearsal.opportunities.shell import parts
from hardwon.rehearsal.opportunities.window import Window
from hardwon.rehearsal.opportunities.words import names

WITHIN = 25
"""Calls after a finding in which a clean run still is about it."""
FEW = 2
"""Rules that a run may have broken to say what it cost."""
MOST_RULES = 5
"""Of a run from which one may remember each."""
MOST = 100_000
_OF_IT = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\([^()]*\)|\S*[./_\d]\S*|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[a-z][A-Z]\w*")
_PLAIN = re.compile(r"\b[a-z]{2,}\b")
EDITS = action.EDITS
_FINDINGS = (
    re.compile(r"^(?P<file>[^\s:]+\.\w+):\d+(?::\d+)?: .{3,400} \((?P<rule>[a-z][a-z0-9-]{2,40})\)\s*$", re.MULTILINE),
    re.compile(r"^(?P<file>[^\s:]+\.pyi?):\d+:\d+: (?P<rule>[A-Z]{1,5}\d{3,4})\b", re.MULTILINE),
    re.compile(r"^(?P<rule>[A-Z]{1,5}\d{3,4}) (?:\[\*\] )?.{3,300}\n\s+--> (?P<file>[^\s:]+):\d+", re.MULTILINE),
    re.compile(r"(?P<file>[^\s:]+\.\w+):\d+(?::\d+)?\s+(?P<rule>lint/\w+/\w+)", re.MULTILINE),
    re.compile(
        r"^(?P<file>)\s+\d+:\d+\s+(?:error|warning)\s+.{3,300}?\s{2,}(?P<rule>@?[a-z][\w/-]{3,60})\s*$", re.MULTILINE
    ),
    re.compile(r"(?P<file>)#?\[?(?:deny|warn)?\(?(?P<rule>clippy::\w+)"),
    re.compile(r"^In (?P<file>\S+) line \d+:\n(?:.*\n){1,3}?.*?(?P<rule>SC\d{4})", re.MULTILINE),
)
_OF_THE_CODE = names("typecheck unused ineffassign deadcode staticcheck compile")
"""They say what is wrong with a piece of code, and not how code is written here."""
_LINTS = re.compile(
    r"lint|ruff|eslint|clippy|biome|shellcheck|check|vet|flake8|pylint|revive|prettier|commit|push|ci\b"
)


@dataclass(slots=True)
class Open:
    rule: str
    file: str
    number: int
    at: int
    job: str
    line: str
    among: int
    """How many rules were new in the same run: they share its cost."""
    calls: list[int] = field(default_factory=list)


class Lint:
    """One agent of one session."""

    def __init__(self) -> None:
        self._edits: dict[str, tuple[int, int]] = {}
        self._called: dict[str, Happening] = {}
        self._open: dict[str, Open] = {}

    def saw(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        if one.what is What.CALL:
            self._called[one.call] = one
            for open in self._open.values():
                open.calls.append(one.number)
            self._open = {rule: open for rule, open in self._open.items() if len(open.calls) <= WITHIN}
            if one.tool in EDITS:
                self._edits[_tail(one.target)] = (one.number, one.at)
            return
        began = self._called.pop(one.call, None) if one.is_outcome else None
        if began and one.what is not What.REFUSED and began.tool == action.SHELL and _LINTS.search(began.target):
            yield from self._ran(one, began, window)

    def _ran(self, one: Happening, began: Happening, window: Window) -> Iterator[Opportunity]:
        found = findings(one.text)
        job = _job(began.target)
        for open in [open for open in self._open.values() if open.job == job and open.rule not in found]:
            del self._open[open.rule]
            yield self._opportunity(open, one, window)
        fresh = [rule for rule in found if rule not in self._open and not window.had(rule, began.number)]
        if len(found) > FEW:  # of many, no one is what the run was about
            return
        for rule in fresh:
            file, line = found[rule]
            number, at = self._edits.get(_tail(file), (began.number, began.at))
            self._open[rule] = Open(rule, file, number, at, job, line, len(fresh))

    def _opportunity(self, open: Open, one: Happening, window: Window) -> Opportunity:
        cost = max(1, worth(len(open.calls), 0) // open.among)
        evidence = f"rule|{one.project}|{open.rule.casefold()}|{shape(open.line)}"
        return Opportunity(
            Kind.RULE, one.session, one.agent, open.number, open.at, one.number, window.number, cost,
            tuple(open.calls), (), one.project, open.line[:300], open.rule,
            (Candidate(open.rule, Form.RULE, evidence, sight=window.came(open.rule, one.number)),),
        )  # fmt: skip


def findings(text: str) -> dict[str, tuple[str, str]]:
    """The rules that a linter names, each with a file and a line of its output."""
    found: dict[str, tuple[str, str]] = {}
    for pattern in _FINDINGS:
        for match in pattern.finditer(text[:MOST]):
            rule = match["rule"]
            if rule not in _OF_THE_CODE:
                found.setdefault(rule, (match["file"], match[0].strip()))
    return found


def shapes(text: str) -> set[tuple[str, str]]:
    """The rules that a linter names, each with what it says; none of a long list, which nobody reads rule by rule."""
    text = text[:MOST]
    named = ((match["rule"], match[0].strip()) for pattern in _FINDINGS for match in pattern.finditer(text))
    found = {(rule, shape(line)) for rule, line in named if rule not in _OF_THE_CODE}
    return found if len({rule for rule, _ in found}) <= MOST_RULES else set()


def shape(line: str) -> str:
    """What a finding says, without what it says it of: one rule may stand for several."""
    said = _OF_IT.sub(" ", line.partition(": ")[2] or line)
    return " ".join(_PLAIN.findall(said))[:120]


def _job(line: str) -> str:
    own = [part.job for part in parts(line) if _LINTS.search(f"{part.job} {' '.join(part.words[:2])}")]
    return own[-1] if own else ""


def _tail(path: str) -> str:
    return "/".join(path.split("/")[-2:])
