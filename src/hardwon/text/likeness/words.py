"""The words of a line by what they are: a code, a variable, a name, or just a word.

What changes from run to run is `#` and counts nothing: numbers, versions, hashes, times, the folders of a path. A name
that is made of several (`wal_level`, `DataSource`, `@scope/thing`) has parts, so that two of the same kind are alike
without being the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from hardwon.text.errors import steady
from hardwon.text.errors.form import CODES

MOST = 60
"""Words of a line that are looked at."""


class Sort(IntEnum):
    WORD = 0
    FILE = 1
    NUMBER = 2
    """A port or a status: one that means something."""
    FLAG = 3
    NAME = 4
    VARIABLE = 5
    CODE = 6


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    sort: Sort = Sort.WORD
    quoted: bool = False
    parts: tuple[str, ...] = ()

    @property
    def names(self) -> bool:
        """Whether it is the name of one thing."""
        return self.sort in (Sort.NAME, Sort.VARIABLE, Sort.FLAG) or (self.quoted and self.sort is Sort.WORD)


_URL = re.compile(
    r"\b[a-z][a-z0-9+]{1,10}://(?:[^\s/@']{1,80}@)?(?P<host>[^\s/:'?,)]{1,120})(?P<port>:\d{1,5})?[^\s')]{0,300}"
)
_HOST_PORT = re.compile(
    r"(?<![\w.])(?P<host>localhost|\d{1,3}(?:\.\d{1,3}){3}|\[?::1?\]?|[a-z][\w-]{0,60}(?:\.[\w-]{1,60}){0,5}):(?P<port>\d{2,5})\b(?![:.\w])"
)
_LOCAL = re.compile(r"127\.\d+\.\d+\.\d+|localhost|\[?::1?\]?|0\.0\.0\.0")
_PLACE = re.compile(
    r"(?<=[\w)]):\d{1,7}(?::\d{1,7})?(?=[:\s,)]|$)|\(\d{1,7}(?:[,:]\s?\d{1,7})?\)|,? (?:on |at )?line:? \d{1,7}"
)
_TELLING_NUMBER = re.compile(
    r"(?i)\b(?:status(?: code)?|code|errno|http(?:/[\d.]+)?|error|exit(?:ed with)?|returned)[ :=]{1,3}\(?"
    r"(?P<n>\d{1,5})\b"
)
_STATUS = re.compile(r"(?<![\w.:/-])(?P<n>[45]\d\d)(?= [A-Z][a-z])")
_BARE_PORT = re.compile(r"(?i)(?:\bport:? |(?<![\w.]):|::)(?P<port>\d{2,5})\b(?![.\w])")
_REASON = re.compile("|".join(sorted(map(re.escape, CODES), key=len, reverse=True)), re.IGNORECASE)
_QUOTED = re.compile(r"'([^'\n]{1,80})'")
_TOKEN = re.compile(r"--?[A-Za-z][\w-]*|[@\w][\w@./\\:+~-]*[\w]|[^\W\d]|#")
_PATH = re.compile(r"(?:[A-Za-z]:)?[\\/~.]|.*[\\/].*[\\/]|.*[\\/][\w.-]*\.\w{1,6}$")
_CODE = re.compile(
    r"E[A-Z]{3,14}|[A-Z]{1,8}[-_]?\d{2,6}[A-Z]?|ERR_\w+|[0-9][0-9A-Z]*\d[A-Z]\w*|[A-Z]{2,}\d+[A-Z\d]*|\d[A-Z0-9]{4}"
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_VERSION = re.compile(
    r"[v^~=<>]*\d[\d.,]*(?:[-+._]?(?:alpha|beta|rc|dev|post|pre|a|b|SNAPSHOT)[.-]?\d*|\.x)?[smhdkKMGB]{0,3}%?"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPLIT = re.compile(r"[^A-Za-z0-9\u0080-\U0003134f]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_RANDOM = re.compile(r"(?=\w*\d)(?=\w*[a-zA-Z])[0-9a-fA-F]{7,}|[\w-]{36,}")


@lru_cache(maxsize=2_048)
def words(line: str) -> tuple[Word, ...]:
    """In order; the same word may come twice."""
    for pattern, mark in steady.RULES:
        line = pattern.sub(mark, line)
    line = _URL.sub(lambda match: f" {match['host']}{match['port'] or ''} ", line)
    ports = [match["port"] for match in _HOST_PORT.finditer(line)]
    line = _HOST_PORT.sub(lambda match: f" {'localhost' if _LOCAL.fullmatch(match['host']) else match['host']} ", line)
    ports += [match["port"] for match in _BARE_PORT.finditer(line)]
    statuses = [match["n"] for pattern in (_TELLING_NUMBER, _STATUS) for match in pattern.finditer(line)]
    line = _PLACE.sub(" ", line)
    quoted = {word for match in _QUOTED.findall(line) for word in match.split() if len(match.split()) < 4}
    found = [Word(CODES[match[0].lower()].lower(), Sort.CODE) for match in _REASON.finditer(line)]
    for match in _TOKEN.finditer(line):
        found += _word(match[0].rstrip(".:/-"), match[0] in quoted or match[0].rstrip(".:") in quoted)
        if len(found) >= MOST:
            break
    found += [Word(f"#{port}", Sort.NUMBER) for port in dict.fromkeys(ports) if int(port) < 32_768]
    found += [Word(f"#{status}", Sort.CODE) for status in dict.fromkeys(statuses) if int(status) > 1]
    return tuple(found[:MOST])


def _word(token: str, quoted: bool) -> list[Word]:
    if token.startswith("-"):
        return [Word(token.lstrip("-").lower(), Sort.FLAG, quoted, _parts(token))]
    if not token or token == "#" or _VERSION.fullmatch(token) or _RANDOM.fullmatch(token):
        return [Word("#")]
    if _CODE.fullmatch(token):
        return [Word(token.lower(), Sort.CODE, quoted)]
    if _VARIABLE.fullmatch(token):
        return [Word(token.lower(), Sort.VARIABLE, quoted, _parts(token))]
    if _WIDE.search(token):
        return [Word(pair) for run in _WIDE.findall(token) for pair in (run[i : i + 2] for i in range(len(run) - 1))]
    if not token.startswith("@") and _PATH.match(token):
        name = steady.name(token)
        return [Word(name.lower(), Sort.FILE, quoted, _parts(name))] if name != "#" else [Word("#")]
    parts = _parts(token)
    if len(parts) > 1:
        name = re.sub(r"(?<=.)@[\d^~v].*$|[=<>]=.*$", "", token)
        return [Word(name.lower(), Sort.NAME, quoted, parts)]
    return [Word(token.lower(), Sort.WORD, quoted)]


def _parts(token: str) -> tuple[str, ...]:
    return tuple(
        part.lower()
        for piece in _SPLIT.split(token)
        for part in _CAMEL.split(piece)
        if len(part) > 1 and not part.isdigit()
    )
