"""The settings file as text: read with care, and taken apart into statements so that one of them can be changed.

``tomllib`` says what a file means, not where; a key's line number and an edit that keeps every comment need the where.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardwon.paths import quoted
from hardwon.settings.kinds import SettingsError

MOST_BYTES = 250_000  # a settings file has a few kilobytes; more is another file by mistake
TOKEN = re.compile(
    r"""
      "{3} (?: [^"\\]++ | \\. | "{1,2}(?!") )* "{3,5}
    | '{3} (?: [^']++         | '{1,2}(?!') )* '{3,5}
    | "(?: [^"\\\n]++ | \\. )*"
    | '[^'\n]*'
    | \#[^\n]*
    | [\[\]{}=\n]
    | [^"'\#\[\]{}=\n]+
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Document:
    """A settings file that was read: its text, and what that means."""

    path: Path
    text: str
    table: dict[str, object]
    mark: str = ""  # the byte order mark that some editors put first

    def lines(self) -> dict[tuple[str, ...], int]:
        """The line where each section and each key, or the first statement below it, is written."""
        found: dict[tuple[str, ...], int] = {}
        number, at = 1, 0
        for one in statements(self.text):
            number, at = number + self.text.count("\n", at, one.start), one.start
            for length in (1, 2):
                found.setdefault(one.path[:length], number)
        return found


@dataclass(frozen=True, slots=True)
class Statement:
    """A header or a key with its value: the whole path, and where its parts lie in the text."""

    path: tuple[str, ...]
    header: str  # "[", "[[", or "" for a key with a value
    section: tuple[str, ...]  # the header that it stands under; for a header, its own path
    start: int
    value: int
    end: int


def read(path: Path) -> Document | None:
    """The file, or nothing when there is none."""
    try:
        data = _bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror} — check its permissions (chmod 600)") from error
    return document(path, _text(path, data))


def document(path: Path, text: str) -> Document:
    """The text with its meaning, or a sentence that says which line is not TOML."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    try:
        return Document(path, text, tomllib.loads(text), mark)
    except ValueError as error:  # tomllib raises a bare one for a number with thousands of digits
        raise SettingsError(_not_toml(path, text, error)) from error
    except RecursionError as error:
        raise SettingsError(f"{path.name} has lists or tables nested too deeply — write them flat") from error


def statements(text: str) -> Iterator[Statement]:
    """Every header and every key, in order; the text must be TOML."""
    section: tuple[str, ...] = ()
    at = _skip_blank(text, 0)
    while at < len(text):
        if text[at] == "[":
            one = _header(text, at)
            section = one.path
        else:
            one = _pair(text, at, section)
        yield one
        at = _skip_blank(text, one.end)


def _bytes(path: Path) -> bytes:
    # Not blocking, as the name may be a pipe that nobody writes to.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a file"
            raise SettingsError(f"{path} is {what} — move it away; hardwon works without it")
        if status.st_size > MOST_BYTES:
            raise SettingsError(f"{path} has {status.st_size:,} bytes, which is no settings file — move it away")
        return os.read(handle, MOST_BYTES)
    finally:
        os.close(handle)


def _text(path: Path, data: bytes) -> str:
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise SettingsError(f"{path.name} line {line}: a NUL byte, so this is no text file — save it as UTF-8 text")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        raise SettingsError(f"{path.name} line {line}: {found} is not UTF-8 — save the file as UTF-8 text") from error


def _not_toml(path: Path, text: str, error: ValueError) -> str:
    """Where tomllib stopped; before Python 3.14 that is only in its message."""
    why, _, place = str(error).removesuffix(")").partition(" (at ")
    lines = text.split("\n")
    found = re.match(r"line (\d+)", place)
    if not found and not place:
        return f"{path.name} is not TOML ({why}) — hardwon config show lists what it may hold"
    number = int(found[1]) if found else len(lines)
    line = quoted(lines[number - 1].strip(), 60) if lines[number - 1].strip() else "the end of the line"
    return f"{path.name} line {number}: {line} is not TOML ({why}) — write a setting as: limit = 5"


def _skip_blank(text: str, at: int) -> int:
    while at < len(text) and (text[at] in " \t\r\n#"):
        if text[at] == "#":
            at = _line_end(text, at)
        else:
            at += 1
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _header(text: str, start: int) -> Statement:
    brackets = "[[" if text.startswith("[[", start) else "["
    at = start + len(brackets)
    key_end = _until(text, at, "]")
    path = _path(text[at:key_end])
    return Statement(path, brackets, path, start, key_end, key_end + len(brackets))


def _pair(text: str, start: int, section: tuple[str, ...]) -> Statement:
    key_end = _until(text, start, "=")
    value = key_end + 1
    while text[value] in " \t":
        value += 1
    path = section + _path(text[start:key_end])
    return Statement(path, "", section, start, value, _value_end(text, value))


def _until(text: str, at: int, stop: str) -> int:
    """The place of ``stop`` after a key, whose quoted parts may have it inside."""
    while (token := TOKEN.match(text, at)) and token[0] != stop:
        at = token.end()
    return at


def _value_end(text: str, start: int) -> int:
    depth, at = 0, start
    while (token := TOKEN.match(text, at)) and not (depth == 0 and token[0][0] in "#\n"):
        depth += (token[0] in ("[", "{")) - (token[0] in ("]", "}"))
        at = token.end()
    return start + len(text[start:at].rstrip())


def _path(text: str) -> tuple[str, ...]:
    if '"' not in text and "'" not in text:
        return tuple(part.strip() for part in text.split("."))
    path, table = [], tomllib.loads(f"{text.strip()} = 0")
    while isinstance(table, dict):
        [(name, table)] = table.items()
        path.append(name)
    return tuple(path)
