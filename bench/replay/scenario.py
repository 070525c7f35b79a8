"""What a scenario is: a first session that fails and is fixed, and later ones that are about to repeat it, or not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from bench.replay.judge import Fix, names

FOLDER = Path(__file__).parent
UNRELATED = FOLDER / "unrelated.json"
PROJECT = "{{project}}"
"""Stands for the folder of the project, in every text."""


class Act(StrEnum):
    PROMPT = "prompt"
    RUN = "run"
    EDIT = "edit"
    WRITE = "write"
    READ = "read"


class Kind(StrEnum):
    REPEAT = "repeat"
    PARAPHRASE = "paraphrase"
    NEAR = "near"
    FLAKY = "flaky"
    FIXED_SINCE = "fixed_since"


@dataclass(frozen=True, slots=True)
class Step:
    act: Act
    target: str
    """The prompt, the command, the file."""
    old: str = ""
    new: str = ""
    """What an edit puts there, a written file has in it, a command that passes prints."""
    error: str = ""
    """What a command that fails prints."""
    status: int = 0
    is_fix: bool = False

    @property
    def fails(self) -> bool:
        return self.status != 0

    def is_same(self, other: Step) -> bool:
        """Whether both do exactly the same thing, however it ends."""
        mine, its = (_bare(step.target) for step in (self, other))
        return (self.act, mine) == (other.act, its) and (self.act is Act.RUN or self.new == other.new)


@dataclass(frozen=True, slots=True)
class Later:
    kind: Kind
    prompt: str
    steps: tuple[Step, ...]
    stop_once: bool = False
    """The conditions hold: this failed twice in the same way, never passed, and what passes instead is known."""
    same_command: bool = False
    """A near one whose command is the one that failed: nobody can tell them apart before it runs."""


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    ecosystem: str
    first: tuple[Step, ...]
    fix: Fix
    later: tuple[Later, ...]
    locale: str = ""

    @property
    def failure(self) -> Step:
        """The first one of the first session that is a mistake: not a search that finds nothing."""
        return next(step for step in self.first if step.fails and step.error)

    @property
    def ending(self) -> tuple[Step, ...]:
        """From the fix to the end: what somebody does who knows it."""
        start = next(number for number, step in enumerate(self.first) if step.is_fix)
        return self.first[start:]


@dataclass(frozen=True, slots=True)
class Unrelated:
    source: str
    prompt: str = ""
    command: str = ""


def load() -> list[Scenario]:
    """Every scenario; its file is its ecosystem."""
    files = sorted((FOLDER / "scenarios").glob("*.json"))
    return [_scenario(entry, file.stem) for file in files for entry in json.loads(file.read_text("utf-8"))]


def unrelated() -> list[Unrelated]:
    return [Unrelated(**entry) for entry in json.loads(UNRELATED.read_text("utf-8"))]


def _scenario(given: dict[str, Any], ecosystem: str) -> Scenario:
    first = tuple(map(_step, given["first"]))
    fix = tuple((one,) if isinstance(one, str) else tuple(one) for one in given["fix"])
    scenario = Scenario(given["id"], ecosystem, first, fix, (), given.get("locale", ""))
    later = tuple(_later(one, scenario) for one in given["later"])
    return Scenario(scenario.id, ecosystem, first, fix, later, scenario.locale)


def _later(given: dict[str, Any], scenario: Scenario) -> Later:
    kind = Kind(given["kind"])
    steps = tuple(map(_step, given.get("steps", ())))
    prompt = given.get("prompt", "")
    if kind is Kind.PARAPHRASE:  # what follows when nobody has listened
        steps = (scenario.failure,)
    if kind is Kind.FLAKY:
        prompt, steps = steps[0].target, steps[1:]
    return Later(kind, prompt, steps, bool(given.get("stop_once")), bool(given.get("same_command")))


def _step(given: dict[str, Any]) -> Step:
    act = next(act for act in Act if act in given)
    new = _text(given.get("new", given.get("content", given.get("prints", ""))))
    error, status = _text(given.get("fails", "")), given.get("status", 0)
    return Step(act, _text(given[act]), _text(given.get("old", "")), new, error, status, bool(given.get("fix")))


def _text(given: str | Sequence[str]) -> str:
    """Long texts are written as a list of lines."""
    return given if isinstance(given, str) else "\n".join(given)


def _bare(command: str) -> str:
    """Without what may stand before a command and changes nothing in it."""
    command = command.removeprefix(f"cd {PROJECT} && ").removeprefix(f"cd {PROJECT}; ")
    words = command.split(" ")
    while len(words) > 1 and words[0].partition("=")[0].isupper() and "=" in words[0]:
        del words[0]
    return " ".join(words)


def problems(scenarios: Sequence[Scenario]) -> list[str]:
    """What is wrong with how scenarios are written; the figures would say something about that instead."""
    found = [f"{one.id}: {problem}" for one in scenarios for problem in _problems(one)]
    ids = [one.id for one in scenarios]
    texts = [(one.id, step.target, step.error) for one in scenarios for step in _failing(one)]
    found += [f"{id}: the id is used twice" for id in sorted({id for id in ids if ids.count(id) > 1})]
    return found + [f"{text[0]}: the same failure twice in {text[1]!r}" for text in _twice(texts)]


def _problems(one: Scenario) -> Iterator[str]:
    if one.first[0].act is not Act.PROMPT or one.first[-1].fails or not any(step.is_fix for step in one.first):
        yield "the first session begins with a prompt, has a fix and ends well"
    if len(one.later) < 2:
        yield "it has fewer than two later sessions"
    for later in one.later:
        yield from _problems_later(one, later)


def _problems_later(one: Scenario, later: Later) -> Iterator[str]:
    where = f"{later.kind} {later.prompt!r}"
    failing = [step for step in later.steps if step.fails]
    if later.kind in (Kind.REPEAT, Kind.NEAR) and not failing:
        yield f"{where}: nothing fails"
    if later.kind is Kind.REPEAT and any(names(one.fix, text) for text in _words(one, later)):
        yield f"{where}: the prompt, the command or the error names the fix, so an echo would too"
    if later.kind is Kind.NEAR and not later.same_command:
        if any(step.is_same(other) for step in failing for other in one.first if other.fails):
            yield f"{where}: it is the command that failed; say same_command"
        if later.prompt in {one.first[0].target, *(other.prompt for other in one.later if other.kind is Kind.REPEAT)}:
            yield f"{where}: a repeat has the same prompt, nobody can tell them apart"
    if later.stop_once and not _stop_is_due(one, later):
        yield f"{where}: stop_once, but it did not fail twice or has passed since"
    if later.kind is Kind.REPEAT and not later.stop_once and _stop_is_due(one, later):
        yield f"{where}: the conditions of stop_once hold"
    if later.kind is Kind.FLAKY and not (failing and not later.steps[-1].fails):
        yield f"{where}: it fails first and passes at last"


def _words(one: Scenario, later: Later) -> Iterator[str]:
    """Everything that a memory could echo."""
    yield later.prompt
    for step in (*later.steps, *(step for step in one.first if step.fails)):
        yield f"{step.target}\n{step.error}"


def _stop_is_due(one: Scenario, later: Later) -> bool:
    """Of the first step: a command that failed twice in the first session and never passed, or an edit that was
    followed by a failure twice and is not what it ended with."""
    tried = [number for number, step in enumerate(one.first) if step.is_same(later.steps[0])]
    failed = [number for number in tried if _leads_to_failure(one.first, number)]
    return len(failed) >= 2 and failed == tried


def _leads_to_failure(steps: Sequence[Step], number: int) -> bool:
    if steps[number].act is Act.RUN:
        return steps[number].fails
    following = next((step for step in steps[number + 1 :] if step.act is Act.RUN), None)
    return following is not None and following.fails


def _failing(one: Scenario) -> Iterator[Step]:
    """What fails in sessions that each should bring something of their own."""
    for later in one.later:
        if later.kind is not Kind.PARAPHRASE:
            yield from (step for step in later.steps if step.fails)


def _twice(texts: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return sorted({text for text in texts if texts.count(text) > 1})
