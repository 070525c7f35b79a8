"""Change one place of a JSON text and leave every other character as it is.

A text remembers each change as a splice, so that the last state can be led back to the first without keeping a copy of
what other people wrote in between: their settings may hold keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""


@dataclass(frozen=True, slots=True)
class Splice:
    """`length` characters from `start` on give way to `text`."""

    start: int
    length: int
    text: str


@dataclass(frozen=True, slots=True)
class Child:
    """A member or an item: where it begins (a member with its key), where its value begins, where it ends."""

    key: str | int
    start: int
    value: int
    end: int


class JsonText:
    """A JSON text that can be changed. Raises ValueError for a text that is not JSON, or not an object."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._steps: list[tuple[int, str, str]] = []  # from where on, what stood there, what stands there
        if text.strip("\ufeff \t\r\n") and not isinstance(self.value, dict):
            raise ValueError("it is not an object")

    @property
    def done(self) -> tuple[Splice, ...]:
        """What led from the first text to this one."""
        return tuple(Splice(start, len(old), new) for start, old, new in self._steps)

    @property
    def undo(self) -> tuple[Splice, ...]:
        """What leads back."""
        return tuple(Splice(start, len(new), old) for start, old, new in reversed(self._steps))

    @property
    def value(self) -> Any:
        bare = self.text.removeprefix("\ufeff")
        try:
            return json.loads(bare, parse_constant=_refuse) if bare.strip() else {}
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error

    def get(self, path: Path) -> Any:
        """The value in a place; None when there is none."""
        return json.loads(self.text[found.value : found.end]) if (found := self._find(path)) else None

    def has(self, path: Path) -> bool:
        return self._find(path) is not None

    def set(self, path: Path, value: Any) -> None:
        """Put a value in a place, with the objects that lead there."""
        if not self.text.strip("\ufeff \t\r\n"):
            self._splice(0, len(self.text), "{}\n")
        known = next(length for length in range(len(path), -1, -1) if self.has(path[:length]))
        for key in reversed(path[known + 1 :]):
            value = {key: value}
        if known == len(path):
            self._replace(path, value)
        else:
            self._add(path[:known], path[known], value)

    def append(self, path: Path, value: Any) -> None:
        """Put a value at the end of a list, which is made when there is none."""
        if self.has(path):
            self._add(path, None, value)
        else:
            self.set(path, [value])

    def remove(self, path: Path) -> None:
        """Take out a member or an item with the comma that belongs to it."""
        while child := self._find(path):
            siblings = list(self._children(path[:-1]))
            at = siblings.index(child)
            if len(siblings) == 1:
                around = self._place(path[:-1])
                self._splice(around.value + 1, around.end - around.value - 2, "")
            elif at:
                self._splice(siblings[at - 1].end, child.end - siblings[at - 1].end, "")
            else:
                self._splice(child.start, siblings[1].start - child.start, "")
            if isinstance(path[-1], int):
                return

    def _replace(self, path: Path, value: Any) -> None:
        place = self._place(path)
        old = self.text[place.value : place.end]
        new = self._written(value, self._indent_of_line(place.value) if "\n" in old else None)
        self._splice(place.value, place.end - place.value, new)

    def _add(self, path: Path, key: str | int | None, value: Any) -> None:
        """As the last child, in the manner of those that are there."""
        around, children = self._place(path), list(self._children(path))
        label = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        if not children:
            outer = self._indent_of_line(around.value)
            inner = None if self._is_one_line and path else outer + self._unit
            new = label + self._written(value, inner)
            body = new if inner is None else f"{self._newline}{inner}{new}{self._newline}{outer}"
            self._splice(around.value + 1, around.end - around.value - 2, body)
            return
        gap = self.text[around.value + 1 : children[0].start]
        inner = gap.rpartition("\n")[2] if "\n" in gap else None
        between = " " if inner is None else self._newline + inner
        self._splice(children[-1].end, 0, f",{between}{label}{self._written(value, inner)}")

    def _written(self, value: Any, indent: str | None) -> str:
        """A value as text: on one line, or with its further lines below this indentation."""
        if indent is None:
            return json.dumps(value, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False, indent=self._unit).replace("\n", self._newline + indent)

    def _splice(self, start: int, length: int, text: str) -> None:
        self._steps.append((start, self.text[start : start + length], text))
        self.text = self.text[:start] + text + self.text[start + length :]

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def _is_one_line(self) -> bool:
        return "\n" not in self.text.strip()

    @property
    def _unit(self) -> str:
        """What each level is indented by: what the first line below the opening brace is."""
        found = re.match(r"\ufeff?\s*\{[ \t]*\r?\n([ \t]+)\S", self.text)
        return found[1] if found else "  "

    def _indent_of_line(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at].removeprefix("\ufeff")
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _place(self, path: Path) -> Child:
        found = self._find(path)
        if found is None:
            raise KeyError(path)
        return found

    def _find(self, path: Path) -> Child | None:
        start = _BLANK.match(self.text).end()  # type: ignore[union-attr]
        if start == len(self.text):
            return None
        found = Child("", start, start, _end(self.text, start))
        for depth, key in enumerate(path):
            same = [child for child in self._children(path[:depth], found) if child.key == key]
            if not same:
                return None
            found = same[-1]  # of two members with one name the last one counts
        return found

    def _children(self, path: Path, place: Child | None = None) -> Iterator[Child]:
        place = place or self._place(path)
        opening = self.text[place.value]
        at = _skip(self.text, place.value + 1)
        index = 0
        while opening in "{[" and self.text[at] not in "}]":
            start, key = at, index
            if opening == "{":
                end = _end(self.text, at)
                key, at = json.loads(self.text[at:end]), _skip(self.text, _skip(self.text, end) + 1)
            end = _end(self.text, at)
            yield Child(key, start, at, end)
            at, index = _skip(self.text, end), index + 1
            if self.text[at] == ",":
                at = _skip(self.text, at + 1)


def spliced(text: str, splices: Iterable[Splice]) -> str:
    for one in splices:
        text = text[: one.start] + one.text + text[one.start + one.length :]
    return text


_BLANK = re.compile(r"[\ufeff \t\r\n]*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_SCALAR = re.compile(rf"{_STRING}|[^{{}}\[\],:\s]+", re.DOTALL)
_BORDER = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)


def _skip(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]


def _end(text: str, at: int) -> int:
    """Where the value that begins here ends."""
    if scalar := _SCALAR.match(text, at):
        return scalar.end()
    depth = 0
    for border in _BORDER.finditer(text, at):
        depth += (border[0] in "{[") - (border[0] in "}]")
        if depth == 0:
            return border.end()
    raise AssertionError("the text was read as JSON before")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
