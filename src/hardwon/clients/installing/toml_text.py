"""The same as `json_text` for settings in TOML: a table of ours is put at the end and taken out again, every other
character as it was."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from hardwon.clients.installing.json_text import JsonText, Path
from hardwon.settings.toml_text import Statement, statements

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class TomlText(JsonText):
    """Raises ValueError for a text that is not TOML."""

    @property
    def value(self) -> Any:
        try:
            return tomllib.loads(self.text.removeprefix("\ufeff"))
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error

    def get(self, path: Path) -> Any:
        found = self.value
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def has(self, path: Path) -> bool:
        return self.get(path) is not None

    def set(self, path: Path, value: Any) -> None:
        """Write a table, in place of the one that is there."""
        self.remove(path)
        lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(key)} = {_written(one)}" for key, one in value.items())]
        ends = "" if not self.text.strip("\ufeff") or self.text.endswith("\n") else self._newline
        gap = self._newline if self.text.strip("\ufeff \t\r\n") else ""
        self._splice(len(self.text), 0, ends + gap + "".join(line + self._newline for line in lines))
        self.value  # noqa: B018  a table that was written as one value takes no part from elsewhere: that raises here

    def remove(self, path: Path) -> None:
        """Take out a table and those below it, wherever their lines stand, and the empty line before each."""
        while lines := self._lines(path):
            start, end = lines[-1]
            before = re.search(r"(?:(?<=\n)|\A)[ \t]*\r?\n\Z", self.text[:start])
            start = before.start() if before and start else start
            self._splice(start, end - start, "")

    def _lines(self, path: Path) -> list[tuple[int, int]]:
        """From where to where the statements of a table stand, those that follow each other as one."""
        mark = len(self.text) - len(self.text.removeprefix("\ufeff"))
        found: list[tuple[int, int]] = []
        last = False
        for one in statements(self.text[mark:]):
            mine = one.path[: len(path)] == path
            if mine:
                start, end = self._whole(one, mark)
                found = [*found[:-1], (found[-1][0], end)] if last else [*found, (start, end)]
            last = mine
        return found

    def _whole(self, one: Statement, mark: int) -> tuple[int, int]:
        """The lines of a statement, with the end of the last one; a comment in it goes, too."""
        end = self.text.find("\n", one.end + mark)
        return self.text.rfind("\n", 0, one.start + mark) + 1, len(self.text) if end < 0 else end + 1


def _key(key: str | int) -> str:
    return str(key) if _BARE.fullmatch(str(key)) else json.dumps(str(key), ensure_ascii=False)


def _written(value: Any) -> str:
    """JSON's texts, numbers and lists of them are TOML's, too; but for one character that TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
