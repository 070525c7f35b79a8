"""Secrets whose name stands somewhere else: at the head of a column, in an `insert`, over a Kubernetes Secret's data.

Each function sees the whole text, and only where its keyword is in it.
"""

import re
from collections.abc import Callable, Iterator

from .assignments import KINDS, Kind, kind_of_name
from .lazy import compiled
from .values import is_code, is_placeholder, is_strange

Finding = tuple[str, int, int]

_NAME = r"(?:#[ ])?[^\W\d][\w.-]{0,30}(?:[ ][\w()-]{1,20}){0,2}"
_KEY = next(kind for kind in KINDS if kind.name == "api-key")
_IDENTIFIER = r"[a-z]+(?:_[a-z]+)+"
_ROWS = 300
_LONGEST_HEAD = 400
_AFTER_NAME = r"(?i)[a-z_-]{0,24}[ \"'`*]{0,24}(?:[|,;\t\r\n]|$)"
_FOREIGN_HEAD_WORDS = ("密码", "密碼", "口令", "パスワード", "пароль", "Пароль", "contraseña", "Contraseña")
_MAY_END = frozenset(b"_-wvs \"'`*|,;\t\r\n")
"""What can follow such a word in the head of a column; most that stand in code are followed by something else."""
_HEAD_WORDS = (b"pass", b"pwd", b"token", b"secret", b"_key", b"kennwort", b"clave")


def _is_secret(kind: Kind, value: str) -> bool:
    if len(value) < 4 or is_placeholder(value) or value.upper() in ("NULL", "NONE", "TRUE", "FALSE"):
        return False
    if kind.plain and compiled(_IDENTIFIER).fullmatch(value):
        return False
    if kind.plain:
        return (
            not value.startswith(("$2", "$argon", "pbkdf2", "{"))
            and " " not in value
            and not (is_code(value) and "." in value)
        )
    return is_strange(value)


def columns(text: str, folded: bytes) -> Iterator[Finding]:
    """Below a line of names with `password` among them: CSV, a table of a database, of markdown."""
    done = 0
    for hit in sorted(_heads(text, folded)):
        if hit < done:
            continue
        start, end = text.rfind("\n", 0, hit) + 1, text.find("\n", hit)
        done = end if end >= 0 else len(text)
        head = text[start:done]
        sign = next((sign for sign in "|\t,;" if sign in head), "")
        names = [cell.strip(" \"'`*") for cell in head.split(sign)] if sign and len(head) <= _LONGEST_HEAD else []
        inner = names[1:-1] if sign == "|" and len(names) > 2 and not (names[0] or names[-1]) else names
        if len(inner) < 2 or not all(compiled(_NAME).fullmatch(name) for name in inner):
            continue
        kinds = {at: kind for at, name in enumerate(names) if (kind := _kind(name))}
        if kinds:
            rows = _rows(text, done + 1, sign, len(names))
            for row in rows:
                yield from _cells(text[row : _end_of_line(text, row)], row, sign, kinds)
            done = _end_of_line(text, rows[-1]) if rows else done


def _kind(name: str) -> Kind | None:
    """`provisioning_key`, too: in a column, what is random is a key whatever it opens."""
    known = kind_of_name(name.replace(" ", "_"))
    return known or (_KEY if re.search(r"(?i)[a-z][ _-]?key$", name) and "pub" not in name.lower() else None)


def _heads(text: str, folded: bytes) -> Iterator[int]:
    """Where such a name stands with a sign of a table right behind it."""
    for word in _HEAD_WORDS:
        at = folded.find(word, 0, -1)
        while at >= 0:
            if folded[at + len(word)] in _MAY_END and compiled(_AFTER_NAME).match(text, at + len(word)):
                yield at
            at = folded.find(word, at + 1, -1)
    for foreign in () if text.isascii() else _FOREIGN_HEAD_WORDS:
        if (at := text.find(foreign)) >= 0:
            yield at


def _rows(text: str, start: int, sign: str, width: int) -> list[int]:
    """Where the rows of a table begin; a rule between them is none."""
    found = []
    for _ in range(_ROWS):
        line = text[start : _end_of_line(text, start)]
        if line and not line.strip("-+|: =\t"):
            pass
        elif line.count(sign) == width - 1 and start < len(text):
            found.append(start)
        else:
            break
        start += len(line) + 1
    return found


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _cells(line: str, start: int, sign: str, kinds: dict[int, Kind]) -> Iterator[Finding]:
    for at, cell in enumerate(line.split(sign)):
        value = cell.strip(" \"'`*\r")
        if (kind := kinds.get(at)) and _is_secret(kind, value):
            begin = start + cell.index(value)
            yield kind.name, begin, begin + len(value)
        start += len(cell) + 1


_INSERT = (
    r"(?i)insert[ \t]+(?:ignore[ \t]+)?into[ \t]+[\w.\"`\[\]]{1,120}[ \t]*\(([^()]{1,2000})\)\s{0,20}values\s{0,20}"
)
# Possessive: what was once read as a text between quotes is not read again in another way.
_TEXT = r"'((?:[^'\\]|''|\\.){0,2000}+)'"
_TUPLE = rf"\s{{0,40}}\(((?:{_TEXT.replace('((', '(?:(')}|[^()'])*+)\)[\s,;]{{0,40}}"
_ITEM = rf"[^\S\n]{{0,40}}+(?:N?{_TEXT}|[^,']*+)\s{{0,40}}+(?:,|$)"


def inserts(text: str) -> Iterator[Finding]:
    """`insert into users (name, password) values ('ann', '…')`"""
    for head in compiled(_INSERT).finditer(text):
        names = [name.strip(' "`[]\n\t') for name in head[1].split(",")]
        kinds = {at: kind for at, name in enumerate(names) if (kind := kind_of_name(name))}
        at = head.end()
        while kinds and (row := compiled(_TUPLE).match(text, at)):
            for number, item in enumerate(compiled(_ITEM).finditer(text, *row.span(1))):
                kind = kinds.get(number)
                if kind and item[1] and _is_secret(kind, item[1]):
                    yield kind.name, *item.span(1)
            at = row.end()


_OF_SECRET = r"(?:^|[\s\"'])kind[\"']?:[ ]?[\"']?Secret(?![\w])"
_DATA = r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\n((?:\1[ \t]+[^\n]*\n?|[ \t]*\n){1,300})"
_ENTRY = r"(?m)^[ \t]+[\w.-]{1,120}:[ \t]*[\"']?([^\s\"'|>#][^\n\"']{2,20000})"
_OBJECT = r"\"(?:data|stringData)\"\s{0,20}:\s{0,20}\{([^{}]{1,20000})\}"
_MEMBER = r"\"[\w.-]{1,120}\"\s{0,20}:\s{0,20}\"([^\"]{3,20000})\""


def kubernetes(text: str) -> Iterator[Finding]:
    """All values of a Secret, whatever they are called."""
    if "kind" not in text or compiled(_OF_SECRET).search(text) is None:
        return
    for block, entry in ((_DATA, _ENTRY), (_OBJECT, _MEMBER)):
        for data in compiled(block).finditer(text):
            for found in compiled(entry).finditer(text, *data.span(data.lastindex or 1)):
                if not is_placeholder(found[1]):
                    yield "secret", found.start(1), found.start(1) + len(found[1].rstrip())


TABLES: tuple[tuple[tuple[bytes, ...], Callable[[str], Iterator[Finding]]], ...] = (
    ((b"insert into", b"insert ignore"), inserts),
    ((b"secret",), kubernetes),
)
