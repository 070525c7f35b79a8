"""Secrets in data: the name and the value are separate strings, so no rule for text sees them side by side.

`{"password": "…"}` is read as the assignment it is; so are `{"name": "DB_PASSWORD", "value": "…"}`, the arguments
`["--password", "…"]` and the header `{"Authorization": "…"}`.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from .assignments import kind_of_name, stands_for_a_secret
from .lazy import compiled
from .scan import Finding

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | tuple[JSON, ...] | str | int | float | bool | None"

_HEADER = r"(?i)(?:proxy-)?authorization|(?:set-)?cookie|auth|_auth|client-key-data"
_NAMES = ("name", "key", "Name", "Key", "variable", "header")
_VALUES = ("value", "Value")
_LONGEST_NAME = 100
_DEEPEST = 100
"""Levels of lists and objects, so that Python's stack lasts; no client's message has a tenth of them."""


class Payload:
    """Walks through data. `text` redacts a string, `find` says what is in one."""

    def __init__(self, text: Callable[[str], str], find: Callable[[str], list[Finding]]) -> None:
        self._text = text
        self._find = find

    def redacted(self, value: JSON, name: str = "", depth: int = 0) -> JSON:
        """The same data with every secret replaced; `name` is what this value is called, if it is called anything."""
        if isinstance(value, str):
            return self._named(name, value)
        if isinstance(value, (dict, list, tuple)) and depth > _DEEPEST:
            return "[nested too deeply]"
        if isinstance(value, dict):
            return self._object(value, depth + 1)
        if isinstance(value, (list, tuple)):
            return type(value)(self._items(value, name, depth + 1))
        if value is not None and not isinstance(value, bool) and (kind := kind_of_name(name)) and kind.plain:
            return f"[redacted:{kind.name}]" if len(str(value)) > 3 else value
        return value

    def _object(self, value: dict[str, JSON], depth: int) -> dict[str, JSON]:
        given = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
        return {
            self._text(key): self.redacted(item, str(given) if given and key in _VALUES else key, depth)
            for key, item in value.items()
        }

    def _items(self, items: Iterable[JSON], name: str, depth: int) -> Iterable[JSON]:
        before = ""
        for item in items:
            flag = before if before.startswith("-") and "=" not in before else ""
            yield self.redacted(item, flag or name, depth)
            before = item if isinstance(item, str) else ""

    def _named(self, name: str, value: str) -> str:
        if not name or len(name) > _LONGEST_NAME or len(value) < 4:
            return self._text(value)
        if compiled(_HEADER).fullmatch(name) and "\n" not in value:
            value = self._after(f"{name}: ", value)
        elif (kind := kind_of_name(name)) and stands_for_a_secret(kind, name, value):
            return f"[redacted:{kind.name}]"
        return self._text(value)

    def _after(self, lead: str, value: str) -> str:
        """What the rules find in the value when its name stands before it."""
        for kind, start, end in reversed(self._find(lead + value)):
            if start >= len(lead):
                value = value[: start - len(lead)] + f"[redacted:{kind}]" + value[end - len(lead) :]
        return value
