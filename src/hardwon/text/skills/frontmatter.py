"""The frontmatter of a SKILL.md, and what it says about the skill's memory.

Read as leniently as the clients read it: what one of them loads must not fail here, so nothing raises, a line that
means nothing is passed over, and every scalar stays the text that was written. It is not YAML: no anchors, no types.

    skill-memory: {enabled: true, top: 10, ranking_relevance: 0.6, ranking_recency: 0.2, ranking_hits: 0.2}

The key may stand at the top or under `metadata:`, with `-` or `_`, nested or inline, or be just `on` or `off`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

Value: TypeAlias = "str | dict[str, Value] | list[Value]"
Map: TypeAlias = "dict[str, Value]"

MOST_CHARACTERS = 64_000
"""Of the file: a frontmatter that is longer is cut."""
MOST_LINES = 100
"""Over which an inline map may go on."""
DEEPEST = 12
"""Maps in maps; what is deeper is text."""


EXAMPLE = "skill-memory: {enabled: true, top: 20, ranking_hits: 0.2, min_score: 0.1}"
"""With values that can be used, for who wrote others."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each counts in a lesson's score; only their proportion matters."""

    relevance: float = 0.8
    recency: float = 0.1
    hits: float = 0.1


@dataclass(frozen=True, slots=True)
class SkillTuning:
    enabled: bool | None = None
    """None: the frontmatter does not say."""
    top: int | None = None
    weights: Weights = Weights()
    min_score: float = 0.0
    problems: tuple[str, ...] = ()
    """What was written and could not be used."""


UNTUNED = SkillTuning()


def split(text: str) -> tuple[list[str], str]:
    """The lines between the fences, and the text after them.

    Without a closing fence the first blank line ends it.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if start == len(lines) or lines[start].rstrip() != "---":
        return [], "\n".join(lines)
    ends = (number for number in range(start + 1, len(lines)) if lines[number].rstrip() in ("---", "..."))
    blanks = (number for number in range(start + 1, len(lines)) if not lines[number].strip())
    end = next(ends, None) or next(blanks, len(lines))
    inside = "\n".join(lines[start + 1 : end])[:MOST_CHARACTERS]
    return inside.split("\n"), "\n".join(lines[end + 1 :])


def parse(text: str) -> Map:
    """The frontmatter of a text as maps, lists and texts; of two members with one name the last one counts."""
    return _Block(split(text)[0]).map(0, 0)


# The tuning


def tuning(text: str) -> SkillTuning:
    """What a SKILL.md says about its memory."""
    top = parse(text)
    found = _member(top, "skill_memory")
    if found is None and isinstance(inner := _member(top, "metadata"), str):
        top["metadata"] = inline(inner)
    if found is None and isinstance(inner := _member(top, "metadata"), dict):
        found = _member(inner, "skill_memory")
    if isinstance(found, str) and found.lstrip().startswith("{"):  # a client that wants texts only
        found = inline(found)
    if isinstance(found, dict):
        return _tuned(found)
    if found is None or found == "":
        return SkillTuning()
    if isinstance(found, str) and (enabled := boolean(found)) is not None:
        return SkillTuning(enabled=enabled)
    return SkillTuning(problems=(f'skill-memory "{_short(found)}" is neither a map nor on or off',))


def _member(given: Map, name: str) -> Value | None:
    return next((value for key, value in reversed(given.items()) if _plain(key) == name), None)


def _plain(key: str) -> str:
    return key.strip().lower().replace("-", "_")


def _tuned(given: Map) -> SkillTuning:
    found, problems = SkillTuning(), []
    for key, value in given.items():
        changed = _with(found, _plain(key), value)
        if isinstance(changed, str):
            problems.append(f'skill-memory.{_short(key)} "{_short(value)}" {changed}')
        else:
            found = changed
    return replace(found, problems=tuple(problems))


def _with(found: SkillTuning, key: str, value: Value) -> SkillTuning | str:
    """With this one taken in, or what is wrong with it."""
    said = value if isinstance(value, str) else ""
    if key == "enabled":
        enabled = boolean(said)
        return "is neither true nor false" if enabled is None else replace(found, enabled=enabled)
    if key == "top":
        most = number(said, 200)
        return "is no whole number from 0 to 200" if most is None or most % 1 else replace(found, top=int(most))
    if key == "min_score":
        least = number(said, 1)
        return "is no number from 0 to 1" if least is None else replace(found, min_score=least)
    factor = key.removeprefix("ranking_")
    if factor in Weights.__slots__ and key != factor:
        weight = number(said, 100)
        if weight is None:
            return "is no number from 0 to 100"
        return replace(found, weights=replace(found.weights, **{factor: weight}))
    return "is not known"


_TRUE = frozenset({"true", "yes", "on", "y", "1", "enabled"})
_FALSE = frozenset({"false", "no", "off", "n", "0", "disabled", "null", "~", "none"})


def boolean(text: str) -> bool | None:
    word = text.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def number(text: str, most: float) -> float | None:
    """A plain decimal number from 0 to `most`."""
    if not re.fullmatch(r"\+?\d{0,6}(?:\.\d{0,12})?", text.strip()) or not any(char.isdigit() for char in text):
        return None
    value = float(text)
    return value if 0 <= value <= most else None


def _short(value: Value) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "…"


# The lines

# Patterns are compiled when they are first used: every command that recalls imports this, few read a file.
_KEY = r"""(?x)(?:"(?P<double>[^"]{0,120})"|'(?P<single>[^']{0,120})'
                 |(?P<bare>(?:-\S|[^\s#"'{}\[\],&*!|>%@`-])[^\n]{0,120}?))
           [ \t]{0,8}:(?=[ \t]|$)[ \t]*(?P<rest>.*)"""
_BLOCK_TEXT = r"[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?$"


class _Block:
    """Lines as nested maps, by their indentation; a tab is as wide as two blanks."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.replace("\t", "  ").rstrip() for line in lines]
        self.next = 0

    def map(self, indent: int, depth: int) -> Map:
        found: Map = {}
        while (line := self._peek()) is not None:
            width = _width(line)
            if width < indent and depth:
                break
            self.next += 1
            match = re.match(_KEY, line.strip())
            if match is None or depth > DEEPEST:
                continue  # means nothing here
            name = next(key for key in (match["double"], match["single"], match["bare"]) if key is not None)
            found[name.strip()] = self._value(match["rest"], width, depth)
        return found

    def _peek(self) -> str | None:
        """The next line that is neither blank nor a comment."""
        while self.next < len(self.lines):
            line = self.lines[self.next]
            if line.strip() and not line.lstrip().startswith("#"):
                return line
            self.next += 1
        return None

    def _value(self, rest: str, width: int, depth: int) -> Value:
        if re.match(_BLOCK_TEXT, rest):
            return "\n".join(line.strip() for line in self._deeper(width))
        if rest[:1] in ("{", "["):
            for _ in range(MOST_LINES):
                more = None if _balanced(rest) else next(self._deeper(width), None)
                if more is None:
                    break
                rest += " " + without_comment(more.strip())
            return inline(rest)
        if without_comment(rest):
            folded = [without_comment(line.strip()) for line in self._deeper(width)]
            return unquoted(" ".join([without_comment(rest), *folded]))
        below = self._peek()
        if below is None:
            return ""
        if re.match(r"-(?:\s|$)", below.strip()) and _width(below) >= width:
            return self._list(_width(below))
        return self.map(_width(below), depth + 1) if _width(below) > width else ""

    def _list(self, width: int) -> list[Value]:
        found: list[Value] = []
        while (line := self._peek()) is not None and _width(line) >= width:
            if _width(line) == width and not re.match(r"-(?:\s|$)", line.strip()):
                break
            self.next += 1
            item = line.strip().removeprefix("-").strip()
            found.append(inline(item) if item[:1] in ("{", "[") else unquoted(without_comment(item)))
        return found

    def _deeper(self, width: int) -> Iterator[str]:
        """The lines that follow and stand further in."""
        while self.next < len(self.lines) and (not self.lines[self.next] or _width(self.lines[self.next]) > width):
            self.next += 1
            yield self.lines[self.next - 1]


def _width(line: str) -> int:
    return len(line) - len(line.lstrip())


def without_comment(text: str) -> str:
    """Without ` # …`, unless it stands in quotes."""
    if text[:1] in ("'", '"') and (end := text.find(text[0], 1)) > 0:
        return text[: end + 1] if text[end + 1 :].lstrip()[:1] in ("", "#") else text
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()


def unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


# On one line: {a: b, c: [d, e]}


def _balanced(text: str) -> bool:
    bare = re.sub(r""""[^"]*"|'[^']*'""", "", text)
    return bare.count("{") <= bare.count("}") and bare.count("[") <= bare.count("]")


_TOKEN = r"""(?x)[{}\[\],]|"[^"]*"|'[^']*'|:(?=[\s"'{\[]|$)
             |[^\s{}\[\],:"'](?:[^{}\[\],:]|:(?![\s"'{\[]|$))*|\S"""


def inline(text: str) -> Value:
    """A map or a list on one line; a missing bracket at the end is no matter."""
    return _Inline(re.findall(_TOKEN, text)).value(0)


class _Inline:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.next = 0

    def _take(self) -> str:
        self.next += 1
        return self.tokens[self.next - 1] if self.next <= len(self.tokens) else ""

    def _see(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def value(self, depth: int) -> Value:
        token = self._take()
        if depth > DEEPEST:
            return token
        if token == "{":
            return self._map(depth)
        if token == "[":
            found: list[Value] = []
            while self._see() not in ("]", ""):
                found.append(self.value(depth + 1)) if self._see() != "," else self._take()
            self._take()
            return found
        return unquoted(token)

    def _map(self, depth: int) -> Map:
        found: Map = {}
        while (token := self._take()) not in ("}", ""):
            if token in (",", ":", "{", "[", "]"):
                continue
            key, colon, rest = token.partition(":") if token[0] not in "'\"" else (unquoted(token), "", "")
            if colon:  # written without a blank: {enabled:true}
                found[key.strip()] = unquoted(rest)
            elif self._see() == ":":
                self._take()
                found[key.strip()] = "" if self._see() in (",", "}", "") else self.value(depth + 1)
        return found
