"""A value as TOML, and as a message shows it."""

from __future__ import annotations

from hardwon.paths import quoted


def toml(value: object) -> str:
    """The value as TOML: booleans, numbers, strings, lists, and tables on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, str):
        return _toml_string(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(item)}" for name, item in value.items()) + " }"
    return str(value)


def _toml_string(text: str) -> str:
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"  # a regular expression stays readable
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one if one.isprintable() else f"\\U{ord(one):08X}" for one in escaped) + '"'


def shown(value: object) -> str:
    """A value for a message; what is long or has parts is only named."""
    if isinstance(value, str):
        return quoted(value, 60)
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a huge number"
    return "nothing" if value is None else quoted(toml(value), 60)[1:-1]
