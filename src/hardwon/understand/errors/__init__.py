"""Error signatures: equal for the same mistake, whatever the path, line, time or address it happened at."""

from __future__ import annotations

import re

from hardwon.memory import Anchor

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"0x[0-9a-fA-F]+"), "<addr>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b"), "<uuid>"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}"), "<path>"),
    (re.compile(r"\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|MB|KB|GB|%)\b"), "<n>"),
    (re.compile(r"\b[0-9a-f]{7,40}\b(?=.*\d)"), "<hex>"),
    (re.compile(r"(?:line |:)\d+(?::\d+)?"), ""),
    (re.compile(r"\b\d{2,}\b"), "<n>"),
    (re.compile(r"['\"‘’“”`]"), "'"),
    (re.compile(r"\s+"), " "),
)
_TELLING = re.compile(
    r"(?i)\b(?:\w*(?:error|exception|panic)\b|fatal|failed|cannot|can't|could not|not found|no such|denied|undefined"
    r"|unresolved|missing|refused|timed? ?out|错误|失败|找不到|エラー)"
)
# Lines that only say that something below them failed.
_WRAPPER = re.compile(
    r"Exit code \d+$|make(?:\[\d+\])?: \*\*\*|npm (?:ERR!|error)\s+(?:code|errno|A complete log|Lifecycle)"
    r"|error: command .* failed"
    r"|.*(?:exited with|exit status|returned non-zero).*\d+\W*$|subprocess\.CalledProcessError"
)
MOST = 240
LONGEST_LINE = 1_000
"""What follows is not looked at: some of the patterns take the square of a line's length."""


def headline(error: str) -> str:
    """The line that says what went wrong: the last telling one (a traceback ends in it), else the last."""
    lines = [line.strip()[:LONGEST_LINE] for line in _ANSI.sub("", error).splitlines()]
    lines = [line for line in lines if line]
    inner = [line for line in lines if not _WRAPPER.match(line)]
    telling = [line for line in inner if _TELLING.search(line)]
    return (telling or inner or lines or [""])[-1][:MOST]


def signature(error: str) -> str:
    """The headline without what changes from run to run; empty when it says nothing about what went wrong."""
    text = headline(error)
    if _WRAPPER.match(text):
        return ""
    for pattern, mark in _RULES:
        text = pattern.sub(mark, text)
    return text.strip(" .:").lower()


_TRANSIENT = re.compile(
    r"(?i)timed? ?out|ETIMEDOUT|ECONNRESET|EAI_AGAIN|connection (?:reset|refused)|ECONNREFUSED|temporar(?:y|ily)"
    r"|too many requests|\b(?:429|50[0234])\b|could not get lock|index\.lock|database is locked"
)


def transient(error: str) -> bool:
    """Whether this is the kind of failure that goes away by itself: the network, a lock, a busy server."""
    return bool(_TRANSIENT.search(error))


def generic(signature: str) -> bool:
    """Whether a signature says nothing by itself, such as a bare AssertionError."""
    return " " not in signature


def named(error: str) -> tuple[Anchor, ...]:
    """The symbols, files and packages that an error names."""
    return ()
