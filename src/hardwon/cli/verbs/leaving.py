"""What leaves through the terminal: with nothing in it that a rule of today knows by name.

A memory may be older than the rule, and an old home is cleaned a little at a time. So every line is looked at once more
on its way out. What only looks random stays: it may be the very id or hash that somebody asked for; texts of memories
have lost it before (`render/plain.py`, `output.as_json`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from hardwon.memory import Anchor, Memory, Rejected
from hardwon.redact import DEFAULT, Redactor, border

_SHORTEST = 8
"""Characters in which no rule finds anything."""


class Leaving(io.TextIOWrapper):
    """Standard output or error; `rules` are those of the home, as soon as it is open."""

    rules: Redactor = DEFAULT
    before: TextIO | None = None
    is_safe = False
    """Whether what is written just now has been looked at already."""

    def write(self, text: str, /) -> int:
        super().write(text if Leaving.is_safe or len(text) < _SHORTEST else border.named(text, Leaving.rules))
        return len(text)


def use(rules: Redactor) -> None:
    Leaving.rules = rules


def watched(stream: TextIO) -> TextIO:
    """The same stream. One that is none of Python's own, as a test may have put there, stays as it is."""
    if isinstance(stream, Leaving) or type(stream) is not io.TextIOWrapper:
        return stream
    stream.flush()
    made = Leaving(
        stream.buffer, stream.encoding, stream.errors,
        line_buffering=stream.line_buffering, write_through=stream.write_through,
    )  # fmt: skip
    made.before = stream  # it would close the file when nobody knows it any more
    return made


def watch() -> None:
    sys.stdout, sys.stderr = watched(sys.stdout), watched(sys.stderr)


def data(value: Any) -> Any:
    """JSON, text by text: what stands beside each other there says nothing. All of it: a project's name stands under
    the name that an id has elsewhere."""
    if isinstance(value, str):
        return border.named(value, Leaving.rules)
    if isinstance(value, dict):
        return {key: data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data(item) for item in value]
    return value


def memory(one: Memory) -> Memory:
    """A memory for people: what one of its texts gives away is a secret in all of them."""
    told = {name: getattr(one, name) for name in _TEXTS} | {
        "rejected": [(each.what, each.why) for each in one.rejected],
        "anchors": [each.value for each in one.anchors],
        "skill": one.scope.skill,
    }
    safe = border.clean(told, Leaving.rules)
    if safe == border.plain(told):
        return one
    texts: dict[str, Any] = {name: safe[name] for name in _TEXTS}
    return dataclasses.replace(
        one,
        **texts | {name: tuple(safe[name]) for name in ("evidence", "complaints")},
        rejected=tuple(Rejected(what, why) for what, why in safe["rejected"]),
        anchors=tuple(Anchor(old.kind, new) for old, new in zip(one.anchors, safe["anchors"], strict=True)),
        scope=dataclasses.replace(one.scope, skill=safe["skill"]),
    )


_TEXTS = ("title", "body", "intent", "because", "author", "source", "reason", "evidence", "complaints")


@contextlib.contextmanager
def safe() -> Iterator[None]:
    """While this lasts, what is written has been looked at."""
    before, Leaving.is_safe = Leaving.is_safe, True
    try:
        yield
    finally:
        Leaving.is_safe = before
