"""The files that a patch is about, and what it does to each: `*** Update File: a.py`, then its hunks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)[ \t]*$", re.MULTILINE)
_MOVED = re.compile(r"^\*\*\* (?:Move to|End of File|End Patch).*$\n?", re.MULTILINE)
MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a patch."""

    file: str
    is_new: bool
    change: str
    """The content of a new file; else what goes and what comes, line by line."""


def parts(patch: str, cwd: str = "") -> Iterator[Part]:
    headers = list(_FILE.finditer(patch))[:MOST_FILES]
    ends = [one.start() for one in headers[1:]] + [len(patch)]
    for header, end in zip(headers, ends, strict=True):
        body = _MOVED.sub("", patch[header.end() : end].removeprefix("\n"))
        file = os.path.normpath(os.path.join(cwd, header[2]))  # noqa: PTH118
        if header[1] == "Add":
            yield Part(file, True, "".join(f"{line[1:]}\n" for line in body.splitlines() if line.startswith("+")))
        else:
            yield Part(file, False, changed_lines(body) or f"{header[1].lower()}d")


def changed_lines(diff: str) -> str:
    """What goes and what comes, without what stands around it: the same however much of that is shown."""
    return "\n".join(line for line in diff.splitlines() if line.startswith(("+", "-")))
