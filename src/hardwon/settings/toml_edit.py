"""One key of a TOML text written or taken out, every other byte as it was: text in, text out."""

from __future__ import annotations

import re

from hardwon.settings.toml_text import Statement, statements


def find(text: str, section: str, field: str) -> Statement | None:
    """The statement that writes the key; not a plain one if a table or a list of tables does."""
    mine = (section, field)
    for one in statements(text):
        if one.path[:2] == mine or (one.path == (section,) and one.header != "["):
            return one
    return None


def is_plain(one: Statement) -> bool:
    """Whether it is a key with its value in a section, which can be changed by itself."""
    return len(one.path) == 2 and not one.header


def replace(text: str, old: Statement, written: str) -> str:
    return text[: old.value] + written + text[old.end :]


def insert(text: str, section: str, field: str, written: str) -> str:
    """The text with a new line: below the key's comment or the last key of its section, else in a new section."""
    found = list(statements(text))
    header = next((one for one in found if one.header == "[" and one.path == (section,)), None)
    if header:
        return _insert_line(text, _place(text, header, found, field), f"{field} = {written}")
    dotted = [one for one in found if not one.section and one.path[0] == section]
    if dotted:
        return _insert_line(text, dotted[-1].end, f"{section}.{field} = {written}")
    return _append(text, f"[{section}]", f"{field} = {written}")


def remove(text: str, one: Statement) -> str:
    """The text without the statement and its line, unless a comment in that line has to stay."""
    start, end = text.rfind("\n", 0, one.start) + 1, text.find("\n", one.end)
    comment = text[one.end : end if end >= 0 else len(text)].lstrip(" \t")
    if comment.strip():
        return text[: one.start] + comment + (text[end:] if end >= 0 else "")
    if end < 0:
        return text[:start].removesuffix("\n").removesuffix("\r")
    return text[:start] + text[end + 1 :]


def _place(text: str, header: Statement, found: list[Statement], field: str) -> int:
    """A place in the line below which the key goes."""
    after = found[found.index(header) + 1 :]
    end = next((one.start for one in after if one.header), len(text))
    keys = [one for one in after if one.start < end]
    for comment in re.finditer(rf"^[ \t]*#[ \t]*{re.escape(field)}[ \t]*=", text[:end], re.MULTILINE):
        in_a_value = any(one.value <= comment.start() < one.end for one in keys)
        if comment.start() > header.start and not in_a_value:
            return comment.end()
    return keys[-1].end if keys else header.end


def _insert_line(text: str, at: int, line: str) -> str:
    """``line`` below the line of ``at``, indented as that one is."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    indent = text[start : len(text) - len(text[start:].lstrip(" \t"))]
    if end < 0:
        return f"{text}{_newline(text)}{indent}{line}"
    return f"{text[: end + 1]}{indent}{line}{_newline(text)}{text[end + 1 :]}"


def _append(text: str, *lines: str) -> str:
    newline = _newline(text)
    start = text if not text or text.endswith("\n") else text + newline
    return start + (newline if text.strip() else "") + newline.join(lines) + newline


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
