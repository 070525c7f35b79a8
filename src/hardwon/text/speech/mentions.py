"""Commands, packages and topics that a person mentions in plain words, without back quotes.

"Why does npm test hang?" names a command as surely as `npm test` does; "make the parser faster" names none. So only a
program together with a word that it takes counts. Where its name is a word of plain English, too ("make", "go"), it
counts if it is said to be run, or goes on like a command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from hardwon.memory import Anchor, AnchorKind
from hardwon.text import commands
from hardwon.text.commands.vocabulary import names
from hardwon.text.speech.categories import categories

MOST_COMMANDS, MOST_PACKAGES, MOST_TOPICS = 6, 6, 8

_JAVASCRIPT = (
    r"(?:npm|pnpm|yarn|bun)\ (?:run\ [\w:.-]+|test|install|ci|build|start|audit|publish|dev|lint|typecheck|add|update)"
)
_PROGRAMS = rf"""
    {_JAVASCRIPT}
  | cargo\ (?:test|build|check|clippy|run|fmt|bench|publish|install|update|doc|nextest|add)
  | docker(?:\ |-)compose\ (?:up|down|build|run|exec|logs|pull|ps|restart|config) | docker\ (?:build|run|push|pull|exec)
  | git\ (?:push|pull|rebase|merge|commit|checkout|switch|clone|fetch|cherry-pick|bisect|stash|reset|revert|submodule)
  | kubectl\ (?:apply|get|delete|logs|rollout|exec|describe) | helm\ (?:install|upgrade|template|lint)
  | terraform\ (?:init|plan|apply|destroy|validate|import)
  | (?:uv\ )?pip3?\ (?:install|compile|sync|uninstall) | uv\ (?:sync|lock|add|build)
  | poetry\ (?:install|lock|add|update|build)
  | (?:uv\ run|poetry\ run|npx|bunx|bundle\ exec|python3?\ -m)\ [\w.-]+
  | mvn\ (?:test|verify|package|install|clean|deploy) | (?:\./)?gradlew?\ [\w:-]+
  | dotnet\ (?:build|test|restore|run|publish)
  | bundle\ install | composer\ (?:install|update|require) | mix\ (?:test|compile|deps\.get)
  | rails\ (?:test|db:\w+|server)
  | ruff\ (?:check|format) | alembic\ (?:upgrade|downgrade|revision) | (?:python3?\ )?manage\.py\ \w+ | pre-commit\ run
  | swift\ (?:build|test|run) | flutter\ (?:build|test|run|pub) | deno\ (?:test|run|task|lint) | cmake\ --build
"""
# Programs whose names are words of English.
_SPOKEN = r"""
    go\ (?:test|build|vet|run|generate|install|mod\ tidy|mod\ download|get)
  | make\ (?:tests?|check|lint|build|clean|install|docs?|format|fmt|bench|dist|deploy|ci|[a-z]+[-_:][\w:-]+)
"""
_ARGUMENT = r"(?:--?[A-Za-z][\w-]*(?:=[\w./:@,-]*\w)?|[\w.@*-]*[/:=][\w./:@=*-]*[\w*]|\.{1,3}/[\w./*-]*)"
_COMMAND = rf"(?:(?P<sure>{_PROGRAMS})|(?P<spoken>{_SPOKEN}))(?![\w-])(?P<rest>(?:\ {_ARGUMENT}){{0,8}})"
_RUN = (
    r"(?:\b(?:runs?|running|ran|re-?run|does|did|do|when|after|before|via|with|executed?|executing|call|calling) "
    r"|(?:运行|執行|执行|跑|実行) ?)$"
)
_PROGRAM = re.compile(
    r"(?<![\w./@-])(?:p?npm|yarn|bun|cargo|docker|git|kubectl|helm|terraform|uv|pip3?|poetry|npx|bunx"
    r"|bundle|python3?|mvn"
    r"|dotnet|composer|mix|rails|ruff|alembic|manage\.py|pre-commit|swift|flutter|deno|cmake|go|make"
    r"|(?:\./)?gradlew?)[ -]"
)
_SHELL = re.compile(r"(?m)^[ \t]{0,8}[$❯] (\S[^\n]{1,200})$")


def commands_in(text: str) -> Iterator[Anchor]:
    """In their one form, in order. Those in back quotes are found by `anchors.named_in`."""
    lines = _SHELL.finditer(text) if "$ " in text or "❯ " in text else ()
    found = [match[1] for match in lines]
    found += filter(None, (_command_at(text, match.start()) for match in _PROGRAM.finditer(text)))
    for command in found[:MOST_COMMANDS]:
        normal = commands.normalise(command)
        if " " in normal:
            yield Anchor(AnchorKind.COMMAND, normal)


def _command_at(text: str, place: int) -> str:
    """The command that begins here, as far as it goes; empty when it is only a word."""
    match = _compiled(_COMMAND, re.VERBOSE).match(text, place)
    if match is None:
        return ""
    is_run = match["sure"] or match["rest"] or _compiled(_RUN, re.IGNORECASE).search(text[max(0, place - 16) : place])
    return match[0] if is_run else ""


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    """When first needed: it takes longer than all else that a short command does."""
    return re.compile(pattern, flags)


_NAME = r"@?[A-Za-z][\w-]{1,40}(?:[/.][\w-]{1,40})?"
_PACKAGE = (
    rf"(?:install|add|require|uninstall)\ (?:-[\w-]+\ )*(?P<installed>{_NAME})(?=[@=\s`]|$)"
    rf"|\b(?:the|our|this|of)\ `?(?P<told>{_NAME})`?\ (?:package|library|module|crate|gem|dependency)\b"
    rf"|(?<![\w@/-])(?P<version>{_NAME})(?:==|@|\^|~=|>=)\d"
    rf"|^(?:from|import)\ (?P<imported>[A-Za-z_]\w{{1,40}})\b"
    rf"|(?<![\w/-])(?P<wide>{_NAME})\s?(?:包|库|庫|套件|依赖|依賴|パッケージ|ライブラリ|モジュール)"
)
_MAY_NAME = re.compile(
    r"install|add |require |package|library|module|crate|gem\b|dependency|[=@^~>]=?\d|import |[包库庫套依パラモ]"
)
_NO_NAME = names(
    "a an the it this that these those some any all more new to and or in on for of with from is are fails failed "
    "failing hangs does doesn script scripts step command error errors tests test support same whole following other "
    "another missing latest right wrong first last next python node npm only standard main node_modules as up"
)


def packages_in(text: str) -> Iterator[Anchor]:
    """By a form that only a package has: it is installed, imported, has a version, is called one."""
    if not _MAY_NAME.search(text):
        return
    for match in _compiled(_PACKAGE, re.MULTILINE).finditer(text):
        name = str(match[match.lastgroup or 0]).lower().rstrip(".")
        if name not in _NO_NAME:
            yield Anchor(AnchorKind.PACKAGE, name)


_WORD = re.compile(r"[a-z][a-z0-9+#]*(?:\.js)?")
_WIDE = tuple(name for name in categories() if not name.isascii())
_FIRST_OF_TWO = frozenset(name.split()[0] for name in categories() if " " in name)
_PLAIN_WORDS = names("rest requests spaces tabs black squash soap parcel hatch java nats rebase")
"""Tools that a sentence about something else has, too."""


def topics_in(text: str) -> Iterator[Anchor]:
    """The tools and subjects that decisions are about, by name and by what they are."""
    lower = text.lower()
    known = categories()
    words = _WORD.findall(lower)
    names = [word for word in words if word in known and word not in _PLAIN_WORDS]
    if not _FIRST_OF_TWO.isdisjoint(words):
        names += [f"{one} {two}" for one, two in pairwise(words) if one in _FIRST_OF_TWO and f"{one} {two}" in known]
    if not text.isascii():
        names += [name for name in _WIDE if name in lower]
    for name in dict.fromkeys(names):
        yield Anchor(AnchorKind.TOPIC, name)
        yield Anchor(AnchorKind.TOPIC, f"subject:{known[name]}")
