"""The text as a reader sees it, so that the rules need not know how it was written.

Secrets arrive inside JSON strings (`\\n`, `\\u002d`), quoted by a shell, escaped for a web page, coloured by a
terminal, or with invisible characters between the letters. A `View` has all that resolved, and knows which part of the
original each of its characters stands for.

- `\\n`, `\\r`, `\\t` become as many separators, so positions stay; `SOFT_BREAK` is a line end that was written `\\n`.
- `\\uXXXX`, `\\/`, `&quot;` and a shell's `'"'"'` become the one character that they mean, colour codes and zero-width
  characters become none; a map leads back.
- Coloured text is read twice. A colour may begin inside a secret (`grep --color`), so the codes are taken out; it may
  also be all that stands between a word and a secret, so they are made blanks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from .lazy import compiled

SOFT_BREAK = "\x0b"

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_SHELL_QUOTE = "'\"'\"'"
_ENTITIES = dict(zip("&quot; &#34; &apos; &#39; &#039; &#x27; &lt; &gt;".split(), "\"\"''''<>", strict=True))  # noqa: SIM905
# Quotation marks and signs of Chinese and Japanese typing, each as long as its stand-in.
_SIGNS = tuple(zip("：＝“”‘’「」，\u3000\xa0", ':=""\'\'"",  ', strict=True))

_COLOUR_ARGUMENTS = r"\[[0-9;:?]{0,40}[A-Za-z]"
_COLOUR_ESCAPE = rf"(?:u001[bB]|x1[bB]|033|e){_COLOUR_ARGUMENTS}"
_COLOUR_STARTS = ("\\u001", "\\x1b[", "\\x1B[", "\\033[", "\\e[")
_COLOUR = rf"\x1b{_COLOUR_ARGUMENTS}|\\{{1,64}}{_COLOUR_ESCAPE}"
# Escapes that can hide a secret or the word beside it: printable ASCII, zero-width, Chinese, Japanese, full-width.
_X = r"[0-9a-fA-F]"
_TELLING = rf"u(?P<code>00[2-7]{_X}|200[b-dB-D]|2060|[fF][eE][fF][fF]|30{_X}{_X}|[4-9]{_X}{{3}}|[fF]{{2}}{_X}{_X})"
_TELLING_ESCAPE = rf"\\{_TELLING}"
# Every alternative begins with one of a few characters, which lets the search skip all others.
_RESOLVED = "|".join(
    (
        rf"[\x1b\\&'{_ZERO_WIDTH}](?:(?<=\x1b){_COLOUR_ARGUMENTS}",
        rf"(?<=[{_ZERO_WIDTH}])[{_ZERO_WIDTH}]{{0,1000}}",
        r"(?<=&)(?:quot|apos|lt|gt|#0?39|#x27|#34);",
        r"""(?<=')(?:"'"'){1,60}""",
        rf"(?<=\\)\\{{0,63}}(?:{_COLOUR_ESCAPE}|{_TELLING}|(?P<slash>/)))",
    )
)
# `%3A`, `%3D`, `%22`: only where what joins a name to a value is encoded does the text read differently.
_ENCODED_JOINERS = ("%3A", "%3a", "%3D", "%3d", "%22")
_PERCENT = rf"%(?P<percent>[2-7]{_X})"


@dataclass(frozen=True, slots=True)
class View:
    """What the rules read. `starts[i]` in the view is `origins[i]` in the original; `escapes` are resolved escapes."""

    text: str
    starts: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()
    escapes: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The part of the original that these characters of the view stand for."""
        if not self.starts:
            return start, end
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        begin = self.origins[first] + start - self.starts[first]
        return begin, self.escapes[last] or self.origins[last] + end - self.starts[last]


def views(text: str) -> Iterator[View]:
    """One view for ordinary text, two for coloured text."""
    escaped = "\\" in text
    coloured = ("\x1b" in text and "\x1b[" in text) or (escaped and any(start in text for start in _COLOUR_STARTS))
    if coloured:
        yield View(_flat(compiled(_COLOUR).sub(lambda code: " " * len(code[0]), text)))
    if coloured or _has_entity(text) or _has_zero_width(text) or (escaped and _has_telling_escape(text)):
        yield _resolved(text)
    elif escaped or not text.isascii():
        yield View(_flat(text))
    else:
        yield View(text)
    if "%" in text and any(sign in text for sign in _ENCODED_JOINERS):
        yield _resolved(text, _PERCENT)


def _has_entity(text: str) -> bool:
    return ('"' in text and _SHELL_QUOTE in text) or (
        "&" in text and any(start in text for start in ("&quot;", "&#", "&apos;", "&lt;"))
    )


def _has_zero_width(text: str) -> bool:
    return not text.isascii() and any(char in text for char in _ZERO_WIDTH)


def _has_telling_escape(text: str) -> bool:
    return "\\/\\/" in text or ("\\u" in text and compiled(_TELLING_ESCAPE).search(text) is not None)


def _flat(text: str) -> str:
    """Every replacement is as long as what it replaces."""
    if "\\" in text:
        text = text.replace("\\n", " " + SOFT_BREAK).replace("\\r", " " + SOFT_BREAK).replace("\\t", "  ")
    if not text.isascii():
        for sign, stand_in in _SIGNS:
            text = text.replace(sign, stand_in)
    return text


def _resolved(text: str, source: str = _RESOLVED) -> View:
    """Escapes as their character, colours and zero-width characters gone, with the map back."""
    parts, starts, origins, escapes = [], [], [], []
    size = done = 0
    for found in compiled(source).finditer(text):
        for part, origin, escape in (
            (text[done : found.start()], done, 0),
            (_meaning(found), found.start(), found.end()),
        ):
            if part:
                parts.append(part)
                starts.append(size)
                origins.append(origin)
                escapes.append(escape)
                size += len(part)
        done = found.end()
    parts.append(text[done:])
    starts.append(size)
    origins.append(done)
    escapes.append(0)
    return View(_flat("".join(parts)), tuple(starts), tuple(origins), tuple(escapes))


def _meaning(found: re.Match[str]) -> str:
    if found.re.groupindex.get("percent"):
        return chr(int(found["percent"], 16))
    if found["code"]:
        char = chr(int(found["code"], 16))
        return "" if char in _ZERO_WIDTH else char
    return found["slash"] or _ENTITIES.get(found[0], "'" if found[0][0] == "'" else "")
