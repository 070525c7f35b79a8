"""Whether a command's output tells of a failure, for logs that don't say how a command ended.

Only what is written by a program that gave up: an exit status in words, a traceback that ends the text, a test run that
counts failures, a shell that finds no command. Anything else may have passed, and counts as passed.
"""

from __future__ import annotations

import re

_STATUS = re.compile(r"(?:exit(?:ed)?(?: with)?(?: (?:code|status))|returncode)[\s:=>]{1,3}(\d{1,3})\b", re.IGNORECASE)
_END = 4_000
_FAILED = re.compile(
    r"^Traceback \(most recent call last\):$"
    r"|^=+ (?:.{0,80}\b)?[1-9]\d{0,5} (?:failed|errors?)\b"
    r"|^(?:FAILED|ERROR) [\w./-]{1,200}(?:::|$)"
    r"|^FAILED \((?:failures|errors)=\d"
    r"|^Tests?:\s{1,4}[1-9]\d{0,5} failed"
    r"|^test result: FAILED"
    r"|^error(?:\[E\d{4}\])?: "
    r"|^[\w./-]{1,200}:\d{1,6}:(?:\d{1,6}:)? (?:fatal )?error:"
    r"|^[\w./-]{1,200}:\d{1,6}:\d{1,6}: [EF]\d{3,4} "
    r"|(?:^|: )command not found\b|: command not found$"
    r"|^make: \*\*\* |^npm (?:ERR!|error) |^fatal: |^panic: |^Exception in thread "
    r"|^[\w.-]{1,60}: (?:cannot|can't) .{1,200}: No such file or directory$",
    re.MULTILINE,
)


def failed_status(output: str) -> int | None:
    """The exit status that an output tells of, 1 for a failure without one; None when it seems to have passed."""
    end = output[-_END:]
    if stated := [int(found[1]) for found in _STATUS.finditer(end)]:
        return stated[-1] or None
    return 1 if _FAILED.search(end) else None
