"""Commands that check the work, and what their passing says."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

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
_LESS = names("-short --no-run --collect-only --co --dry-run --list --listTests --list-tests")
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


def is_narrower(one: str, other: str) -> bool:
    """Whether `one` checks less than `other` did: of the same check, with a path, a name or a filter more, or only some
    of its paths; or one of its parts, as `test:unit` is one of `test`. That it passes says nothing about the rest."""
    return any(_is_part(small, big) for small in _checking(one) for big in _checking(other))


def _is_part(small: Part, big: Part) -> bool:
    if small.words == big.words:
        return False
    if head(small) != head(big):
        return _is_named_after(small.words, big.words)
    paths, options = _sorted(rest(small))
    all_paths, all_options = _sorted(rest(big))
    wide = all_paths & _EVERYTHING
    paths -= _values(rest(small)) - all_paths
    chosen = any(_FILTERS.fullmatch(option.partition(" ")[0]) or option in _LESS for option in options - all_options)
    if chosen and (wide or all_paths <= paths):
        return True
    if new := paths - all_paths:
        return bool(wide) or all_paths < paths or all(any(_under(path, one) for one in all_paths) for path in new)
    fewer = bool(paths) and paths < all_paths and not wide
    return fewer and all(re.search(r"[./]|::", path) for path in paths)


def _values(words: tuple[str, ...]) -> set[str]:
    """What stands right behind an option of which nobody knows whether it takes a value."""
    return {word for before, word in pairwise(words) if before.startswith("-") and before != "--" and "=" not in before}


def _is_named_after(small: tuple[str, ...], big: tuple[str, ...]) -> bool:
    """`npm run test:unit` beside `npm run test`."""
    if len(small) != len(big) or small[0] != big[0]:
        return False
    others = [(one, other) for one, other in zip(small, big, strict=True) if one != other]
    return len(others) == 1 and re.match(rf"{re.escape(others[0][1])}[-:_./]\w", others[0][0]) is not None


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
