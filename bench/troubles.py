"""Cases of failures that come back: what is stored of each, what helped, and what fails later.

A file is a list of scenarios: `steps` of a first session, `fix_words` that name what helped, `repeat` with the same
cause in other clothes, `near` that looks alike and has another cause, `lesson: false` where nothing is to be told.
Of a file in the small form (`bench/fit/troubles`) only what is compared is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hardwon.text import commands
from hardwon.text.likeness import Fix, Trouble, trouble

MOST_STORED = 3


@dataclass(frozen=True)
class Failed:
    command: str
    output: str

    @cached_property
    def trouble(self) -> Trouble:
        return trouble(self.command, self.output)


@dataclass(frozen=True)
class Case:
    name: str
    ecosystem: str
    level: str
    failures: tuple[Failed, ...]
    """Of the first session, those of the command that was mended."""
    helped: str
    """The steps that were the fix."""
    repeat: Failed | None
    near: Failed | None
    words: tuple[str, ...] = ()
    """One of which any good advice has in it."""

    @cached_property
    def stored(self) -> list[Trouble]:
        found = {one.trouble.lines: one.trouble for one in self.failures}
        return list(found.values())[:MOST_STORED]

    @cached_property
    def fix(self) -> Fix:
        return Fix(self.helped)

    @property
    def later(self) -> Iterator[tuple[str, Trouble]]:
        for kind, one in (("repeat", self.repeat), ("near", self.near)):
            if one:
                yield kind, one.trouble


def load(file: Path) -> list[Case]:
    """Those that have a lesson."""
    return [_case(one) for one in json.loads(file.read_text("utf-8")) if one.get("lesson", True) and one.get("repeat")]


def without_lesson(file: Path) -> list[Failed]:
    """What fails where nothing is to be told."""
    given = [one for one in json.loads(file.read_text("utf-8")) if not one.get("lesson", True)]
    failing = [_failing(one) for one in given]
    return [one for some in failing for one in some[:1]]


def _case(given: Mapping[str, Any]) -> Case:
    failing = _failing(given)
    helped = [_done(step) for step in given["steps"] if any(word in _done(step) for word in given["fix_words"])]
    passed = {commands.normalise(step["run"]) for step in given["steps"] if step.get("ok")}
    mended = [one for one in failing if commands.normalise(one.command) in passed]
    return Case(
        given["name"],
        given.get("ecosystem", ""),
        given.get("level", ""),
        tuple(mended or failing),
        given.get("helped") or "\n".join(helped),
        _failed(given.get("repeat")),
        _failed(given.get("near")),
        tuple(given["fix_words"]),
    )


def _failing(given: Mapping[str, Any]) -> list[Failed]:
    return [Failed(step["run"], step["output"]) for step in given["steps"] if "run" in step and not step.get("ok")]


def _failed(given: Mapping[str, str] | None) -> Failed | None:
    return Failed(given["command"], given["error"]) if given else None


def _done(step: Mapping[str, Any]) -> str:
    if "run" in step:
        return str(step["run"])
    return f"edited {step.get('edit') or step.get('write')}: {step.get('new') or step.get('content') or ''}"
