"""The last state of each check and command: what stands red when a session ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.text import commands, errors, untrusted

SHELLS = frozenset({action.SHELL})
RECENT = 12
"""Calls after which a command that is no check, and that failed, is an old story."""
_SORTS = (
    ("lint", re.compile(r"lint|ruff|flake8|clippy|prettier|stylelint|rubocop|biome|\bvet\b|fmt|format")),
    ("types", re.compile(r"\btsc\b|mypy|pyright|typecheck|type-check|\btypes?\b|dialyzer|phpstan")),
    ("test", re.compile(r"test|spec\b|jest|mocha|cypress|playwright|\bava\b|tox|nox|behave|phpunit|\be2e\b")),
    ("build", re.compile(r"build|compile|\bcheck\b|webpack|vite|rollup|gradle|mvn|cmake|\bmake\b|javac|docker")),
)
_RED = re.compile(
    r"(?im)^\s*(?:FAIL(?:ED)?\b|not ok\b|✗|✖|×)|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\bAssertionError\b"
    r"|^error(?:\[|:)|\bnpm ERR!|\bmake: \*\*\*|Traceback \(most recent call last\)"
)
_GREEN = re.compile(r"(?i)\b0 (?:failed|failing|failures?|errors?)\b|\ball (?:tests )?pass")
LONGEST = 120


@dataclass(slots=True)
class _Red:
    event: Event
    at: int
    is_check: bool


@dataclass(slots=True)
class Checks:
    red: dict[str, _Red] = field(default_factory=dict)
    count: int = 0

    def saw(self, event: Event) -> None:
        if event.type not in (EventType.TOOL_FINISHED, EventType.TOOL_FAILED) or event.tool not in SHELLS:
            return
        self.count += 1
        command = event.target
        if event.type is EventType.TOOL_FAILED:
            if event.exit_status is not None and not commands.only_looks(command):
                self._failed(event)
        elif commands.is_validation(command) and _says_red(event):
            self._failed(event)
        else:
            self._passed(command)

    def _failed(self, event: Event) -> None:
        key = commands.normalise(event.target)
        self.red.pop(key, None)
        self.red[key] = _Red(event, self.count, commands.is_validation(event.target))

    def _passed(self, command: str) -> None:
        self.red = {key: one for key, one in self.red.items() if not _settles(command, key, one)}

    def failing(self) -> list[str]:
        """Each with the line that tells why, the last one first."""
        old = self.count - RECENT
        there = [one for one in self.red.values() if one.is_check or one.at > old]
        return [_told(one.event) for one in reversed(there)]


def _says_red(event: Event) -> bool:
    """A check whose status is hidden by a pipe, and whose output says that it failed."""
    if not commands.masks_status(event.target):
        return False
    return _RED.search(event.text) is not None and not (
        _GREEN.search(event.text) and not re.search(r"FAILED", event.text)
    )


def _settles(command: str, key: str, one: _Red) -> bool:
    """Whether the pass of a command says that what was red is so no longer."""
    form, sort = commands.normalise(command), _sort(command)
    if key == form or commands.is_broader(command, one.event.target):
        return True
    if not one.is_check:
        return commands.family(form) == commands.family(key)
    return bool(sort) and sort == _sort(one.event.target) and _is_whole(command)


def _sort(command: str) -> str:
    if not commands.is_validation(command):
        return ""
    form = commands.normalise(command)
    return next((name for name, pattern in _SORTS if pattern.search(form)), "")


_NARROWS = frozenset({"-k", "-t", "--grep", "--filter", "-run", "--testNamePattern"})


def _is_whole(command: str) -> bool:
    """All of it, and not some file or test: nothing that looks like a path or a filter is named."""
    words = commands.normalise(command).split()[1:]
    return not any(word in _NARROWS or _names_a_part(word.replace("./...", "")) for word in words)


def _names_a_part(word: str) -> bool:
    return "/" in word or "::" in word or re.search(r"\.\w{1,4}$", word) is not None


def _told(event: Event) -> str:
    command = " ".join(commands.typed(commands.normalise(event.target)).split())
    command = command if len(command) <= LONGEST else f"{command[: LONGEST - 1]}…"
    said = errors.headline(event.error or event.text)
    return f"`{command}`: {untrusted.quoted(said)}" if said else f"`{command}`"
