"""The texts of a session's file, one after the other, without holding a large file in memory.

Markdown and plain text are one text; of JSON and JSON Lines every string is one, since each tool has its own shape.
A line that can't be read is passed over and counted; what is no text at all is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

MOST = 64_000_000
"""Bytes of a text or a JSON document, which are read whole, and of one line of JSON Lines, which are read singly."""
_DEEPEST = 200


class NotText(Exception):
    """The file can't be read as what its name says; a sentence without the file's name."""


@dataclass(slots=True)
class Problems:
    """Lines that were passed over."""

    lines: list[int] = field(default_factory=list)


def read(source: BinaryIO, suffix: str, problems: Problems) -> Iterator[str]:
    """The texts of a file; `suffix` is that of its name, and decides how it is read."""
    match suffix.lower():
        case ".jsonl" | ".ndjson":
            return _of_lines(source, problems)
        case ".json":
            return _of_document(source)
        case _:
            return iter([_decoded(_whole(source), problems)])


def _whole(source: BinaryIO) -> bytes:
    raw = source.read(MOST + 1)
    if len(raw) > MOST:
        raise NotText(f"has more than {MOST // 1_000_000} MB: give the part that holds the lessons")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotText("is UTF-16: save it as UTF-8")
    if b"\0" in raw:
        raise NotText("contains NUL bytes: it is not text")
    return raw


def _decoded(raw: bytes, problems: Problems) -> str:
    """A line with bytes that are not UTF-8 is left out; where most are, it is another encoding or no text."""
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        lines = raw.split(b"\n")
        texts = [_line_or_none(line) for line in lines]
        problems.lines += [number for number, text in enumerate(texts, 1) if text is None]
        if 2 * len(problems.lines) > len(lines):
            raise NotText(f"is not UTF-8 (byte {error.start} is 0x{raw[error.start]:02x})") from error
        return "\n".join(text for text in texts if text is not None)


def _line_or_none(line: bytes) -> str | None:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _of_document(source: BinaryIO) -> Iterator[str]:
    try:
        document = json.loads(_whole(source))
    except UnicodeDecodeError as error:
        raise NotText(f"is not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise NotText(f"is not JSON (line {error.lineno}: {error.msg})") from error
    except RecursionError as error:
        raise NotText("is nested too deeply") from error
    return _strings(document)


def _of_lines(source: BinaryIO, problems: Problems) -> Iterator[str]:
    readable = False
    number = 0
    while raw := source.readline(MOST):
        number += 1
        try:
            value = json.loads(raw) if raw.strip() else None
        except (ValueError, RecursionError):
            problems.lines.append(number)
            continue
        readable = True
        yield from _strings(value)
    if problems.lines and not readable:
        raise NotText("has no line of JSON in it")


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item, depth + 1)
