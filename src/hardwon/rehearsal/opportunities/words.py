"""Words that can be an answer: what a text has of them, and of which form each is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.rehearsal.opportunities.opportunity import Form


def names(text: str) -> frozenset[str]:
    """The words of a list, for tables."""
    return frozenset(text.split())


_CUT = re.compile(r"[^\s\"'`<>(){}\[\],;|&$=!?*\\…→│]+")
_ENDS = ".:,~^"
_PROGRAMS = names(
    "git gh go npm npx pnpm yarn bun cargo docker kubectl mise make just uv pip pipx poetry brew terraform aws gcloud "
    "deno rustup gradle mvn dotnet helm systemctl apt pre-commit"
)
"""Programs whose first word says what they do: "git pull" is one word of what is known."""
LONGEST = 200
"""Characters of a word; what is longer is data."""


def words(text: str) -> Iterator[str]:
    """Each word of a text, and what a reader would also find in it: the parts of a path, its last names together, a
    program with its verb, or with both of two."""
    before = pair = ""
    for found in _CUT.findall(text):
        word = found.rstrip(_ENDS).lstrip(":")
        if not word or len(word) > LONGEST:
            before = pair = ""
            continue
        yield word
        if pair:
            yield f"{pair} {word}"
        pair = f"{before} {word}" if before in _PROGRAMS else ""
        if pair:
            yield pair
        if "/" in word:
            yield from _parts(word)
        if ":" in word:
            head = word.partition(":")[0]
            if head:
                yield head
                if "/" in head:
                    yield from _parts(head)
        before = word


def _parts(path: str) -> Iterator[str]:
    names = [name for name in path.split("/") if name]
    yield from names
    for count in (2, 3):
        if len(names) > count:
            yield "/".join(names[-count:])


_PATH = re.compile(r"(?:[\w.@+-]+/)*[\w@+-]*\.[A-Za-z][\w]{0,9}|(?:[\w.@+-]+/){2,}[\w.@+-]+")
_ID = re.compile(r"#?\d{2,8}|[A-Z][A-Z0-9]{1,9}-\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BRANCH = re.compile(r"(?=.*[a-z])(?:[\w.]+/)?[\w.]+(?:-[\w.]+){1,}(?:/[\w.-]+)*|[a-z][\w.-]*/[\w.-]+")


def form(token: str) -> Form:
    if token.startswith("-"):
        return Form.OPTION
    if " " in token:
        return Form.COMMAND
    if _ID.fullmatch(token):
        return Form.ID
    if _PATH.fullmatch(token):
        return Form.PATH
    return Form.BRANCH if _BRANCH.fullmatch(token) else Form.WORD


def holds(text: str, token: str) -> bool:
    """Whether a text has a word; in any case, for a saying may begin with it."""
    wanted = token.casefold()
    return wanted in text.casefold() and any(word.casefold() == wanted for word in words(text))


def rivals(text: str, shape: Form) -> int:
    """Among how many of its form an answer stands in a text; at least 1. Of wordings, one stands in each line."""
    if shape in (Form.COMMAND, Form.WORD, Form.OPTION):
        own = [line.strip() for line in text.splitlines()]
        found = {line for line in own if len(line) > 2 and not line.startswith("<") and not line.endswith(":")}
    else:
        found = {word.strip("/").rsplit("/", 1)[-1] for word in whole(text) if form(word) is shape}
    return max(1, len(found))


def whole(text: str) -> Iterator[str]:
    """The words alone, without the parts of any."""
    for found in _CUT.findall(text):
        if word := found.rstrip(_ENDS):
            yield word
