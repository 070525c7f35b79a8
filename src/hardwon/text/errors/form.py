"""A form that errors take: how to find the telling line, and which of its parts make the mistake what it is.

The forms are tables, one file for a family of tools. A pattern's groups say what they hold: `file` counts by its last
name, `text` as words without numbers and paths, every other group as it is. `file`, `symbol` and `package` are also
what the error names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from hardwon.text.errors import steady
from hardwon.text.errors.text import Reading

FIRST_HANDED_OUT = 32_768
"""From here on a port is one that the system gave, and says nothing."""
_WHOEVER = frozenset({"EMFILE", "ENOSPC", "ENOMEM"})
"""Not about the file that met it."""
_THIS_MACHINE = re.compile(r"127\.\d+\.\d+\.\d+|localhost|\[?::1?\]?|0\.0\.0\.0")
CODES: dict[str, str] = {
    "no such file or directory": "ENOENT",
    "permission denied": "EACCES",
    "operation not permitted": "EPERM",
    "file exists": "EEXIST",
    "is a directory": "EISDIR",
    "illegal operation on a directory": "EISDIR",
    "not a directory": "ENOTDIR",
    "directory not empty": "ENOTEMPTY",
    "no space left on device": "ENOSPC",
    "device or resource busy": "EBUSY",
    "read-only file system": "EROFS",
    "too many open files": "EMFILE",
    "address already in use": "EADDRINUSE",
    "cannot assign requested address": "EADDRNOTAVAIL",
    "connection refused": "ECONNREFUSED",
    "connection reset by peer": "ECONNRESET",
    "connection timed out": "ETIMEDOUT",
    "operation timed out": "ETIMEDOUT",
    "network is unreachable": "ENETUNREACH",
    "no route to host": "EHOSTUNREACH",
    "text file busy": "ETXTBSY",
    "exec format error": "ENOEXEC",
    "argument list too long": "E2BIG",
    "cannot allocate memory": "ENOMEM",
    "invalid argument": "EINVAL",
    "broken pipe": "EPIPE",
    "resource temporarily unavailable": "EAGAIN",
    "input/output error": "EIO",
    "file name too long": "ENAMETOOLONG",
    "invalid cross-device link": "EXDEV",
    "too many levels of symbolic links": "ELOOP",
    "disk quota exceeded": "EDQUOT",
    "no such process": "ESRCH",
    "bad file descriptor": "EBADF",
}
"""The reasons that the system gives, by their short names."""


class Rank(Enum):
    """Which form wins when several are found, and which of its places. The first is the strongest."""

    CAUSE = ("a name", "last")
    """Says what is missing or wrong by its name."""
    COMPILER = ("a place in the code", "first")
    """Later errors mostly follow from the first."""
    TEST = ("tests", "all")
    RAISED = ("an exception", "last")
    """An exception with its words."""
    TOOL = ("a tool", "first")
    SYSTEM = ("a reason", "last")
    """The shell, the files, the network in general."""
    WRAPPER = ("that it failed", "first")
    """Only says that something else failed, and which."""

    @property
    def last(self) -> bool:
        return self.value[1] == "last"


@dataclass(frozen=True, slots=True)
class Form:
    says: str
    """The signature, with the groups by name."""
    needs: str
    """What every line of this form has in it; looked for before the pattern."""
    on_the_line: str
    rank: Rank = Rank.CAUSE
    around: str = ""
    """What more is read from the lines around it. With a group `mark` it has to be there."""
    reach: int = 0
    """How many lines around: after it, or before it when negative."""

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.on_the_line)

    @property
    def beside(self) -> re.Pattern[str] | None:
        return _compiled(self.around) if self.around else None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """When it is first needed: most forms never are, and there are hundreds."""
    return re.compile(pattern)


@dataclass(frozen=True, slots=True)
class Found:
    form: Form
    line: int
    groups: Mapping[str, str] = field(hash=False)

    def said(self) -> str:
        values = {name: _value(name, value) for name, value in self.groups.items()}
        if values.get("errno") in _WHOEVER:
            values["file"] = ""
        return " ".join(self.form.says.format_map(values).split())


def form(says: str, needs: str, pattern: str, rank: Rank = Rank.CAUSE, beside: str = "", reach: int = 0) -> Form:
    return Form(says, needs, pattern, rank, beside, reach)


def matches(one: Form, reading: Reading) -> Iterator[Found]:
    """Where a form is found, from the first line on."""
    if one.needs not in reading.text:
        return
    pattern, beside = one.pattern, one.beside
    for at, line in enumerate(reading.lines):
        if one.needs in line and (match := pattern.search(line)):
            groups = dict.fromkeys(beside.groupindex, "") if beside else {}
            groups |= {name: value or "" for name, value in match.groupdict().items()}
            groups |= _beside(one, reading, at)
            if "mark" in groups and not groups["mark"]:  # it is only one beside that
                continue
            if other := groups.pop("other", ""):  # the same thing, where another wording puts it
                groups |= {name: other for name, value in groups.items() if not value and name != "text"}
            yield Found(one, at, groups)


def _beside(one: Form, reading: Reading, at: int) -> dict[str, str]:
    if (beside := one.beside) is None:
        return {}
    places = (
        range(at + 1, min(len(reading.lines), at + 1 + one.reach))
        if one.reach > 0
        else range(at - 1, max(-1, at - 1 + one.reach), -1)
    )
    for place in places:
        if match := beside.search(reading.lines[place]):
            return {name: value or "" for name, value in match.groupdict().items()}
    return {}


def _value(name: str, value: str) -> str:
    if name == "lint":
        return value.replace("-", "_")
    if name == "errno":
        return CODES.get(value.lower(), value)
    if name == "port":
        return value if int(value) < FIRST_HANDED_OUT else "#"
    if name == "host":
        return "localhost" if _THIS_MACHINE.fullmatch(value) else value.lower()
    if name.startswith("file"):
        return steady.name(value)
    return steady.words(value) if name.startswith("text") else steady.word(value)
