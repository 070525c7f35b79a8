"""What differs from kind to kind, a row for each: when it is said, how much of it, who may write it, where it is shown.

Whoever treats kinds differently asks here. A new kind is a row; a new difference is a column.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from hardwon.memory import Kind


@dataclass(frozen=True, slots=True)
class Traits:
    """Of one kind. A moment's number is how many of them may be said then; 0: none."""

    kind: Kind
    many: str
    """More than one of them, in words."""

    # When it may be said.
    start: int = 0
    """At a session's start."""
    compacted: int = 0
    """After compaction, whoever said it; what was said in the session itself is `session`."""
    order: int = 100
    """In which order kinds come at these two, the lowest first."""
    prompt: bool = False
    action: bool = False
    """Before a call, and after it failed."""
    check: bool = False
    """To an agent that asks before it acts."""
    session: bool = False
    """It holds in the session in which it was said, and is told again after compaction."""
    meanwhile: bool = False
    """When it comes while a session is under way, that session hears of it."""
    changed: bool = True
    """It counts among what is new or changed since the last session."""

    # How it is said.
    heading: str = "Lessons"
    """At a prompt, where several kinds are said together."""
    half_life: float = 1.0
    """How fast it ages, against `recall.half_life_days`."""

    # Who may write it, and where it is kept.
    noted: bool = False
    """An agent may note it."""
    marked: bool = False
    """An agent may mark it as said or found in its session."""
    settled: bool = False
    """An agent may call it done."""
    review: bool = True
    """As a candidate it waits for a person's word, who is told so at a start."""
    decides: bool = False
    """It says what is to be; a later one may take its place."""
    states: bool = False
    """It says what is so."""
    file: str = ""
    """The markdown file that shows it, in a skill's folder."""


ROWS: tuple[Traits, ...] = (
    Traits(Kind.LESSON, "lessons", prompt=True, action=True, check=True, noted=True, states=True,
           file="KNOWLEDGE.md"),
    Traits(Kind.FAILURE, "failures", prompt=True, action=True, check=True, heading="Failed before", marked=True,
           settled=True),
    Traits(Kind.FIX, "fixes", prompt=True, check=True, heading="Failed before"),
    Traits(Kind.DECISION, "decisions", order=50, prompt=True, check=True, session=True,
           heading="Decisions", noted=True, marked=True, decides=True, states=True),
    Traits(Kind.CONSTRAINT, "constraints", start=3, compacted=5, order=40, prompt=True, action=True, check=True,
           session=True, heading="Constraints", noted=True, marked=True, decides=True, states=True),
    Traits(Kind.TASK, "tasks", start=5, order=20, prompt=True, check=True, session=True,
           heading="Open task", noted=True, marked=True, settled=True),
    Traits(Kind.RULE, "rules", start=5, compacted=5, order=30, prompt=True, action=True, check=True, meanwhile=True,
           heading="Constraints", marked=True, decides=True, states=True),
    Traits(Kind.SUMMARY, "summaries", review=False),
    Traits(Kind.HANDOFF, "handoffs", changed=False, noted=True),
    Traits(Kind.CHECKPOINT, "checkpoints", changed=False, review=False, file="CHECKPOINTS.md"),
)  # fmt: skip
"""In the order of `Kind`."""

_OF = MappingProxyType({row.kind: row for row in ROWS})

HEADINGS = ("Open task", "Constraints", "Failed before", "Decisions", "Lessons")
"""In this order at a prompt."""


def of(kind: Kind) -> Traits:
    return _OF[kind]


@cache
def having(trait: str) -> frozenset[Kind]:
    """The kinds of which this column says something: `having("prompt")` are those that may be said at a prompt."""
    return frozenset(row.kind for row in ROWS if getattr(row, trait))


def in_order(kinds: Iterable[Kind]) -> tuple[Kind, ...]:
    """As the table has them."""
    wanted = frozenset(kinds)
    return tuple(row.kind for row in ROWS if row.kind in wanted)


def at_start(*, compacted: bool) -> list[tuple[Kind, int]]:
    """What a session begins with, and how many of each, in the order in which it is told."""
    rows = sorted(ROWS, key=lambda row: row.order)
    counts = ((row.kind, row.compacted if compacted else row.start) for row in rows)
    return [(kind, most) for kind, most in counts if most]


def under(heading: str) -> tuple[Kind, ...]:
    """The kinds under a heading; the first need not be named there again."""
    return tuple(row.kind for row in ROWS if row.heading == heading)
