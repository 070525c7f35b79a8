"""A shell line taken apart: its parts, the words of each, what joins them. As far as memory needs it, no further.

Quotation marks are respected, an unfinished quotation is plain words, the body of a here-document is no command.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 20_000
"""What follows in a longer command is kept only as a digest."""

_PIECE = re.compile(
    r"(?P<redirection>&>>?|(?:(?<!\S)\d)?>>?\|?(?:&(?:\d\b|-))?|(?:(?<!\S)\d)?<(?!<)&?|<<<|<<-?)"
    r"|(?P<joint>&&|\|\||\|&|;;|[;|&\n()])"
    r"|(?P<word>(?:(?!(?<!\S)\d[<>])[^\s'\"\\;&|<>()`$]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\$\([^()]*\)"
    r"|\$\(\([^()]*\)\)|\$\(\(?|[$'\"`\\])+)",
    re.DOTALL,
)
_HERE_DOCUMENT = re.compile(r"(?<!<)<<(-?)\s{0,4}(['\"]?)([A-Za-z_]\w{0,40})\2")
_SAFE = re.compile(r"[\w@%+=:,./^-]+")
_SEGMENT = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|((?:[^'\"\\]|\\.)+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command of a line."""

    words: tuple[str, ...]
    redirections: tuple[str, ...] = ()
    """Such as `2>&1` and `> out.txt`."""
    joint: str = ""
    """What stands before it: `&&`, `||`, `|`, `;`, or nothing for the first."""


@lru_cache(maxsize=1_024)
def parts(line: str) -> tuple[Part, ...]:
    """The simple commands of a line, in order."""
    found: list[Part] = []
    words: list[str] = []
    redirections: list[str] = []
    joint = ""
    waiting = ""
    for match in _PIECE.finditer(_without_documents(_cut(line).replace("\\\n", " "))):
        text = match[0]
        if match["joint"] is not None:
            if words or redirections:
                found.append(Part(tuple(words), tuple(redirections), joint))
                words, redirections, joint = [], [], ""
            joint = _stronger(joint, text) if found else ""
        elif match["redirection"] is not None:
            if text.startswith("<<") or text[-1] in "&<>|":
                waiting = text
            else:
                redirections.append(text)
        elif waiting:
            redirections.append(f"{waiting}{'' if waiting.startswith('<<') else ' '}{word(text)}")
            waiting = ""
        else:
            words.append(word(text))
    if words or redirections:
        found.append(Part(tuple(words), tuple(redirections), joint))
    return tuple(found)


def joined(line: tuple[Part, ...]) -> str:
    """The parts as one line again, in one form."""
    text = ""
    for part in line:
        between = "" if not text else "; " if part.joint == ";" else f" {part.joint} "
        text += between + " ".join((*part.words, *part.redirections))
    return text


def bare(text: str) -> str:
    """A word without its quotation marks."""
    return "".join(
        match[1] if match[1] is not None else match[2] if match[2] is not None else match[3]
        for match in _SEGMENT.finditer(text)
    )


def word(text: str) -> str:
    """One form for a word: bare when it can be, in single quotation marks when it needs some."""
    if "'" not in text and '"' not in text:
        return text
    if "".join(match[0] for match in _SEGMENT.finditer(text)) != text:  # an unfinished quotation
        return text
    inner = bare(text)
    if _SAFE.fullmatch(inner):
        return inner
    if "'" in inner or (set(text) & set("$`\\")) or not inner:
        return text
    option, equals, value = inner.partition("=")
    if equals and option.startswith("-") and _SAFE.fullmatch(option):
        return f"{option}='{value}'"
    return f"'{inner}'" if text[0] in "'\"" else text


def _stronger(before: str, text: str) -> str:
    """A line break after `&&` says nothing; a background `&` ends a command like `;`."""
    meant = {"\n": ";", "&": ";", ";;": ";", "(": "", ")": "", "|&": "|"}.get(text, text)
    return before if before and meant in (";", "") else meant or before or ";"


def _cut(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return f"{line[:LONGEST]} {_digest(line)}"


def _without_documents(line: str) -> str:
    """Each here-document as a digest of its body, so that two scripts are two commands."""
    if "<<" not in line or "\n" not in line:
        return line
    kept: list[str] = []
    body: list[str] = []
    end = ""
    for row in line.split("\n"):
        if end:
            if row.strip() == end:
                kept[-1] += " <<" + _digest("\n".join(body))
                end, body = "", []
            else:
                body.append(row.strip())
            continue
        if match := _HERE_DOCUMENT.search(row):
            end = match[3]
            row = row[: match.start()] + row[match.end() :]
        kept.append(row)
    if end:  # its end was cut off
        kept[-1] += " <<" + _digest("\n".join(body))
    return "\n".join(kept)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:8]
