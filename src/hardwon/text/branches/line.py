"""The commands of a shell line, each with the folder it ran in and whether it surely passed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hardwon.text.commands import shell, vocabulary

_SAYS_NO = re.compile(
    r"^(?:fatal|error):|^CONFLICT|\bcould not\b|^GraphQL:|^HTTP \d\d\d|^no pull requests? found", re.MULTILINE
)
_WITH_VALUE = frozenset({"-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})


@dataclass(frozen=True, slots=True)
class Run:
    program: str
    words: tuple[str, ...]
    """Without the program and its own options."""
    folder: str
    passed: bool
    output: str
    """Of the whole line."""

    def value(self, *names: str) -> str:
        """What stands behind an option, after its `=`, or right at its letter."""
        for at, word in enumerate(self.words):
            name, equals, value = word.partition("=")
            if name in names and equals:
                return shell.bare(value)
            if word in names and at + 1 < len(self.words):
                return shell.bare(self.words[at + 1])
            if word[:2] in names and len(word) > 2 and not word.startswith("--"):
                return shell.bare(word[2:])
        return ""

    def has(self, *names: str) -> bool:
        return any(word.partition("=")[0] in names for word in self.words)

    def plain(self, *with_value: str) -> list[str]:
        """Its words that are no options, nor the values of these."""
        found, skip = [], False
        for word in self.words[1:]:
            if skip:
                skip = False
            elif word in with_value:
                skip = True
            elif not word.startswith("-"):
                found.append(shell.bare(word))
        return found


def runs(line: str, cwd: str, output: str, passed: bool) -> Iterator[Run]:
    """Only of git and gh; the rest matters for where they run."""
    folder = cwd
    parts = shell.parts(line)
    for at, part in enumerate(parts):
        words = _unwrapped(list(part.words))
        if not words:
            continue
        program = posixpath.basename(words[0])
        if program in ("cd", "pushd") and len(words) > 1 and part.joint != "|":
            folder = _into(folder, shell.bare(words[1]))
        elif program in ("git", "gh"):
            place, rest = _own_options(words[1:], folder)
            yield Run(program, tuple(rest), place, _is_sure(parts[at + 1 :], output, passed), output)


def _unwrapped(words: list[str]) -> list[str]:
    """From the program on that is run in the end: behind variables, `env`, `timeout 60`, `command`."""
    while words:
        if _ASSIGNED.fullmatch(words[0]):
            words = words[1:]
            continue
        with_value = vocabulary.WRAPPERS.get(posixpath.basename(words[0]))
        if with_value is None:
            break
        words = words[1:]
        while words and (words[0].startswith("-") or _AMOUNT.fullmatch(words[0])):
            words = words[2 if words[0].lstrip("-") in with_value.split() else 1 :]
    return words


_ASSIGNED = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_AMOUNT = re.compile(r"[\d.]+[smhd]?")


def _is_sure(after: tuple[shell.Part, ...], output: str, passed: bool) -> bool:
    """Behind `||` or `;` nothing is told of it; behind a pipe only its output tells."""
    joints = {part.joint for part in after}
    if not passed or joints - {"&&", "|", ";"}:
        return False
    return not joints - {"&&"} or not _SAYS_NO.search(output)


def _own_options(words: list[str], folder: str) -> tuple[str, list[str]]:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option == "-C" and rest:
            folder = _into(folder, shell.bare(rest.pop(0)))
        elif option in _WITH_VALUE and rest:
            rest.pop(0)
    return folder, rest


def _into(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path)) if path and not path.startswith(("-", "$", "~")) else folder
