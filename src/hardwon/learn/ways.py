"""Other ways: a command that passed where another one failed, and what tells that it does the same."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from hardwon.event import Event
from hardwon.learn.causes import EDITING, can_be_cause, is_related
from hardwon.learn.trouble import Trouble
from hardwon.text import commands
from hardwon.text.commands import shell

RECENT = 10
"""Calls after which another command no longer stands for the one that failed."""


def replaces(event: Event, command: str, known: Trouble, since: Sequence[Event]) -> bool:
    """Another way to do the same that worked right after: what it has more, or other, was the point."""
    if not _can_replace(event.target, known.event.target):
        return False
    if commands.is_narrower(event.target, known.event.target):  # it says nothing about the rest
        return False
    if _ends_with_a_look(event.target):  # who knows whether it passed
        return False
    if commands.is_validation(commands.normalise(known.event.target)) and commands.masks_status(event.target):
        return False
    return _is_another_way(event, command, parts(event.target), known, since)


def parts(command: str) -> tuple[str, ...]:
    """`make clean && make` passed both; nothing for a single command."""
    found = tuple(commands.normalise(part) for part in _AND.split(command))
    return found if len(found) > 1 else ()


_AND = re.compile(r"\s*(?:&&|;|\n)\s*")


def runs(command: str) -> tuple[str, ...]:
    """The simple commands of a line that do more than look: a run of one of them is a run of what failed, whatever it
    was piped into."""
    simple = [shell.joined((dataclasses.replace(part, joint="", redirections=()),)) for part in shell.parts(command)]
    return tuple(commands.normalise(one) for one in simple if one and not commands.only_looks(one))


def _is_another_way(
    event: Event, command: str, pieces: tuple[str, ...], known: Trouble, since: Sequence[Event]
) -> bool:
    done = [one for one in since if can_be_cause(one)]
    if met := known.met_by.get(command):
        return _is_run_otherwise(event, met, done, known)
    if known.command in pieces:
        before = pieces[: pieces.index(known.command)]
        acts = any(not commands.only_looks(part) for part in before)
        return not done and acts and commands.can_replace(known.event.target, event.target, near=False)
    if any(one.tool in EDITING for one in done):  # other commands may have led the way: `git mv`, `npm run`
        return False
    missing = is_missing(known.event)
    if _corrects_options(known, event):
        return True
    if not commands.can_replace(known.event.target, event.target, near=missing):
        return False
    if _is_variant(known.command.split(), command.split(), missing):
        return True
    return known.times > 1 and _does_the_same(known.event.target, event.target)


def _is_run_otherwise(event: Event, met: Event, done: Sequence[Event], known: Trouble) -> bool:
    """The same command, typed in another way. What is set for it counts also where something else was done meanwhile,
    as long as that has nothing to do with the error: else it would be taken for the cause, and the variable be lost."""
    if commands.setting(event.target) != commands.setting(met.target):
        return not any(one.tool in EDITING or is_related(one, known.failed) for one in done)
    return not done and bool(words(event.target) - words(met.target) - _HARMLESS)


def _corrects_options(known: Trouble, passed: Event) -> bool:
    """Of a line that is otherwise the same, options or their values are gone that the error names, or that went wrong
    twice. Not of a check: another filter checks something else."""
    one, other = _all_words(known.event.target), _all_words(passed.target)
    if not one or one[:1] != other[:1] or commands.is_validation(known.event.target):
        return False
    gone = [at for at, word in enumerate(one) if word not in other and word != "--"]
    if not gone or len(gone) > 2 or len(set(other) - set(one)) > len(gone) + 1:
        return False
    options = all(one[at].startswith("-") or one[at - 1].startswith("-") for at in gone)
    said = known.event.error
    return options and (known.times > 1 or all(_names(said, one[at]) for at in gone))


def _all_words(command: str) -> list[str]:
    return [word for part in shell.parts(command) for word in part.words]


def _names(error: str, word: str) -> bool:
    bare = word.strip("'\"").lstrip("-").rpartition("=")[2]
    return len(bare) > 0 and re.search(rf"(?<![\w-]){re.escape(bare)}(?![\w-])", error) is not None


def _ends_with_a_look(command: str) -> bool:
    """`make | tail`: its status is that of what shows the output."""
    last = [part for part in shell.parts(command) if part.words][-1:]
    if commands.only_looks(command) or not commands.masks_status(command) or not last:
        return False
    return commands.only_looks(shell.joined((dataclasses.replace(last[0], joint=""),)))


def _can_replace(after: str, before: str) -> bool:
    """A look stands for nothing but a look, and only one with the same program."""
    if not commands.only_looks(after):
        return True
    return commands.only_looks(before) and commands.normalise(before).split()[0] in words(after)


def _does_the_same(before: str, after: str) -> bool:
    """After several failures: most of what the one command names, the other names too, whatever program it is."""
    one, other = _stems(before), _stems(after)
    about = one - _stems(commands.normalise(before).split()[0]) or one
    return bool(about & other) and len(one & other) >= len(one) / 2


def _stems(command: str) -> set[str]:
    return set(_STEM.findall(command.lower()))


_STEM = re.compile(r"[^\W_]{3,}")


def words(command: str) -> set[str]:
    return set(command.split())


_HARMLESS = frozenset(
    {"2>&1", "|", "tail", "head", "cat", "tee", ";", "&&", "cd", "-v", "-vv", "-q", "--quiet", "--verbose", "-s", "-x"}
)


def is_missing(event: Event) -> bool:
    """There is no such program: one with nearly its name is what was meant."""
    return event.exit_status == 127 or bool(_MISSING.search(event.error[:2_000]))


_MISSING = re.compile(r"(?i)command not found|: not found$|is not recognized as|no such file or directory")


def _is_variant(before: list[str], after: list[str], missing: bool) -> bool:
    """The same but for options, for one name that is written nearly so, or for the program that is asked to do it."""
    one, other = _plain(before[1:]), _plain(after[1:])
    if before[:1] == after[:1]:
        return _differ_little(one, other)
    if not commands.is_same_program(before[0], after[0], near=missing):
        return False
    return before[1:] == after[1:] or (bool(one) and all(word in other for word in one))


def _differ_little(one: list[str], other: list[str]) -> bool:
    left = [word for word in one if word not in other]
    right = [word for word in other if word not in one]
    if len(left) + len(right) <= 1 or (not left and one) or (not right and other):
        return True
    return len(left) == len(right) == 1 and commands.is_near(left[0], right[0])


def _plain(given: list[str]) -> list[str]:
    return [word for word in given if not word.startswith("-")]
