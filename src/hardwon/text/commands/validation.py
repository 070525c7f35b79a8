"""Commands that check the work, and what their passing says."""

from __future__ import annotations

import re
from functools import lru_cache

from hardwon.text.commands import shell
from hardwon.text.commands.checking import checks, head, rest
from hardwon.text.commands.normal import essential, normalise
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_FILTERS = re.compile(
    r"-(?:k|m|t|run|g|D|E|p|R|L|only|name)(?:=.*|[A-Z]\w*.*)?"
    r"|--(?:grep|filter|testNamePattern|tests|lf|last-failed|sw|ff|only|select|package|bin|lib|test|example|project|bail"
    r"|changed\w*|deselect|ignore\S*|exclude\S*)(?:=.*)?"
)
_EVERYTHING = names(". ./ ./... ... * ** all")


def is_validation(command: str) -> bool:
    """Whether it checks the work: tests, types, lint, a build."""
    return bool(_checking(command))


def is_broader(one: str, other: str) -> bool:
    """Whether `one` passing means that everything `other` checked passes too. Equal commands are."""
    if normalise(one) == normalise(other):
        return True
    if not (wide := _checking(one)):
        return False
    narrow = _checking(other)
    return bool(narrow) and all(any(_covers(big, small) for big in wide) for small in narrow)


def masks_status(command: str) -> bool:
    """Whether its exit status says nothing about the program that matters: `pytest | tail`, `make || true`."""
    parts = shell.parts(command)
    if any(word == "pipefail" or word.endswith("o pipefail") for part in parts for word in part.words):
        parts = tuple(part for part in parts if part.joint != "|")
    checked = [at for at, part in enumerate(parts) if any(checks(one) for one in essential(" ".join(part.words)))]
    at = checked[-1] if checked else 0
    return any(part.joint in ("|", "||", ";") for part in parts[at + 1 :])


@lru_cache(maxsize=2_048)  # each command that passes is held against each failure that is open
def _checking(command: str) -> tuple[Part, ...]:
    """The parts of a command that check the work."""
    return tuple(part for part in essential(command) if checks(part))


def _covers(big: Part, small: Part) -> bool:
    if head(big) != head(small):
        return False
    wide_paths, wide_options = _sorted(rest(big))
    narrow_paths, narrow_options = _sorted(rest(small))
    if not wide_options <= narrow_options:
        return False
    if not wide_paths or wide_paths & _EVERYTHING:
        return True
    return bool(narrow_paths) and all(any(_under(path, wide) for wide in wide_paths) for path in narrow_paths)


def _sorted(words: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """The paths and names, and the options with their values that choose among the checks."""
    paths: set[str] = set()
    options: set[str] = set()
    waiting = ""
    for word in words:
        if waiting and not word.startswith("-"):
            options.add(f"{waiting} {word}")
            waiting = ""
        elif word.startswith("-") and word != "--":
            options.add(word)
            waiting = word if _FILTERS.fullmatch(word) and "=" not in word else ""
            if waiting:
                options.discard(word)
        elif word != "--":
            paths.add(word)
    if waiting:
        options.add(waiting)
    return paths, options


def _under(path: str, folder: str) -> bool:
    path, folder = path.removeprefix("./"), folder.removeprefix("./").removesuffix("/...").rstrip("/")
    return path == folder or path.startswith((f"{folder}/", f"{folder}::"))
