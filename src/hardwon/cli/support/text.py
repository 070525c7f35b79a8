"""Text from the command line: an argument, or `-` for standard input."""

from __future__ import annotations

import sys
from typing import Any

from hardwon.cli.app import fail
from hardwon.redact import border
from hardwon.store.connection import Store

MOST = 64_000
"""Bytes of one memory. More is a log, not a lesson."""


def given(argument: str, what: str = "text") -> str:
    """The text, or a sentence that says what is wrong with it."""
    raw = sys.stdin.buffer.read(MOST * 200) if argument == "-" else argument.encode("utf-8", "surrogateescape")
    _must_fit(f"The {what}", len(raw))
    if b"\0" in raw:
        fail(f"The {what} contains NUL bytes: it is not text.")
    try:
        decoded = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        fail(f"The {what} is not UTF-8 (byte {error.start} is 0x{raw[error.start]:02x}): it is not text.")
    if not decoded.strip():
        fail(f'The {what} is empty. Try: hardwon note "The tests need a running Redis: make redis"')
    return decoded.strip()


def passed(store: Store, **given: Any) -> Any:
    """The border of a command: its texts without secrets, by their names. What one of them gives away is one in all of
    them, so they pass together; anchors and signatures are made of what comes out."""
    return border.clean(given, store.redactor)


def must_fit(**options: str | None) -> None:
    """What stands beside the text, each by the name of its option, is no longer than a text may be."""
    for name, value in options.items():
        _must_fit(f"--{name}", len((value or "").encode()))


def _must_fit(what: str, count: int) -> None:
    if count > MOST:
        fail(
            f"{what} has {_size(count)}; a memory holds at most {MOST // 1000} KB. "
            "Keep what was learned from it, not all of it."
        )


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{count / 1000:.0f} KB"
