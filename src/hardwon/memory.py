"""The one unit that is kept, and the words used about it.

A memory is written once and never rewritten: every change to it is a record in the log (`store/log/records.py`), and
what is shown is the fold of these records. So the types here are frozen; to change a memory is to append a record.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

GLOBAL = "*"
"""The project of a memory that holds everywhere."""


def shown(value: object) -> str:
    """A wrong value as a message names it. Never cut: half of a secret would not be known for one any more."""
    text = str(value)
    return f'"{text}"' if len(text) <= 200 else f"{len(text)} characters"


class Word(StrEnum):
    """One of a few words; another one is refused with those that are known."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        name = re.sub("(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
        raise ValueError(f"{shown(value)} is no {name}: one of {', '.join(cls)}")


class Kind(Word):
    LESSON = "lesson"
    FAILURE = "failure"
    FIX = "fix"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    TASK = "task"
    RULE = "rule"
    SUMMARY = "summary"
    HANDOFF = "handoff"
    CHECKPOINT = "checkpoint"


IN_VAIN = ("failed", "partial")
"""The subtypes of a fix that fixed nothing: an attempt."""
LINT_RULE = "lint rule"
"""The subtype of a lesson that only counts how many sessions ran into a rule."""
PAST = "past"
"""The subtype of a fix that cured one layer: the command failed with another error then."""
ATTEMPT = "attempt"
"""What it is counted as."""


class Trust(Word):
    """Who vouches for it, weakest first. The caller's place sets it; nothing can claim more."""

    UNTRUSTED = "untrusted"
    AGENT = "agent"
    VERIFIED = "verified"
    USER = "user"

    @property
    def rank(self) -> int:
        return list(Trust).index(self)


class LessonType(Word):
    """What sort of lesson it is; kept as the `subtype`."""

    GOTCHA = "gotcha"
    DISCOVERY = "discovery"
    FIX = "fix"
    WORKFLOW = "workflow"


class Status(Word):
    CANDIDATE = "candidate"
    ACTIVE = "active"
    RESOLVED = "resolved"
    SUPERSEDED = "superseded"
    STALE = "stale"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


class Visibility(Word):
    PRIVATE = "private"
    TEAM = "team"


class AnchorKind(Word):
    FILE = "file"
    DIRECTORY = "directory"
    COMMAND = "command"
    SYMBOL = "symbol"
    PACKAGE = "package"
    ERROR = "error"
    TOPIC = "topic"


class LinkKind(Word):
    """From the memory that carries the link to the other one."""

    FIXES = "fixes"
    SUPERSEDES = "supersedes"
    EVIDENCE = "evidence"
    CAUSED_BY = "caused_by"
    SUMMARISES = "summarises"
    SAME_AS = "same_as"
    """It says nearly the same as an earlier one, in other words."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a memory holds: in one skill or in none, in one project or everywhere."""

    project: str
    skill: str | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing in the world that a memory is about; the strongest reason to bring it back."""

    kind: AnchorKind
    value: str

    def __str__(self) -> str:
        return f"{self.kind}={self.value}"


@dataclass(frozen=True, slots=True)
class Link:
    kind: LinkKind
    target: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An alternative that a decision turned down, and the reason."""

    what: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody wants kept: a memory that has no id yet."""

    kind: Kind
    body: str
    scope: Scope
    trust: Trust
    source: str
    title: str = ""
    subtype: str = ""
    intent: str = ""
    author: str = ""
    visibility: Visibility = Visibility.PRIVATE
    anchors: tuple[Anchor, ...] = ()
    evidence: tuple[str, ...] = ()
    because: str = ""
    rejected: tuple[Rejected, ...] = ()
    links: tuple[Link, ...] = ()
    origin_key: str | None = None
    skill_mark: str = ""
    origin_project: str = ""
    candidate: bool = False
    """It waits for a person to accept it, whoever vouches for the words."""


ACCEPTED = "accepted in review"
"""Why a memory is active that a person looked at."""
HEARD = frozenset({"marked", "agreed", "refused", "unmarked", "habit"})
"""Sources of what a person said in passing."""
ALSO_SAID = "also said as: "
"""How the evidence begins that is another wording of the same."""
SAID = "said: "
"""How the evidence begins that is a line of what a program printed."""


@dataclass(frozen=True, slots=True)
class Memory:
    id: str
    kind: Kind
    body: str
    scope: Scope
    trust: Trust
    source: str
    status: Status
    created_at: int
    updated_at: int
    title: str = ""
    subtype: str = ""
    intent: str = ""
    author: str = ""
    visibility: Visibility = Visibility.PRIVATE
    anchors: tuple[Anchor, ...] = ()
    evidence: tuple[str, ...] = ()
    because: str = ""
    rejected: tuple[Rejected, ...] = ()
    links: tuple[Link, ...] = ()
    origin_key: str | None = None
    skill_mark: str = ""
    """What the skill's text was like when this was learned (`text/mark.py`); empty when that is not known."""
    origin_project: str = ""
    """Where something was learned that holds everywhere."""
    pinned: bool = False
    reason: str = ""
    """Why it has the status that it has."""
    superseded_by: str | None = None
    complaints: tuple[str, ...] = ()
    """What was said against it by callers who may not overrule it."""

    @property
    def headline(self) -> str:
        """The title, or the first line of the text."""
        first = self.body.partition("\n")[0]
        return first if self.is_heard else self.title or first

    @property
    def is_heard(self) -> bool:
        """The text is a person's own sentence, and the title an agent's."""
        return self.source in HEARD

    @property
    def wordings(self) -> tuple[str, ...]:
        """In which other words it was said."""
        return tuple(one.removeprefix(ALSO_SAID) for one in self.evidence if one.startswith(ALSO_SAID))

    @property
    def said(self) -> tuple[str, ...]:
        """The telling lines of the output, where it is a failure."""
        return tuple(one.removeprefix(SAID) for one in self.evidence if one.startswith(SAID))

    @property
    def short_id(self) -> str:
        return short_id(self.id)


def new_id(now: int) -> str:
    """A UUIDv7 for this moment (UTC milliseconds). Its first half is time, its last half chance."""
    chance = int.from_bytes(os.urandom(10), "big")
    value = (now & (1 << 48) - 1) << 80 | 7 << 76 | (chance >> 62 & 0xFFF) << 64 | 2 << 62 | chance & (1 << 62) - 1
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


SHORT_ID = 6


def short_id(id: str) -> str:
    """The last characters: the first ones of a UUIDv7 are only its time."""
    return id[-SHORT_ID:]


_LIST_MARKER = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+")
_DATE_PREFIX = re.compile(r"\[\d{4}-\d{2}(?:-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?)?\]\s*")
_HIT_SUFFIX = re.compile(r"\s*\[HIT:\d+\]\s*$", re.IGNORECASE)


def normalise(text: str) -> str:
    """The form in which two texts are the same memory.

    Case, blanks, a list marker, a date prefix and a HIT suffix don't count; every other character does, so that
    "port 5432" and "port 5433" stay two memories.
    """
    folded = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    bare = _HIT_SUFFIX.sub("", _DATE_PREFIX.sub("", _LIST_MARKER.sub("", folded, count=1), count=1))
    return bare or folded
