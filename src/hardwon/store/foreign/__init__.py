"""Memories that other tools kept, read where they lie and never written to.

Each reader gives `Foreign` memories and names what it could not read; `taking` compares them with what is here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon.memory import Kind


@dataclass(frozen=True, slots=True)
class Foreign:
    """A memory as another tool had it."""

    body: str
    where: str
    """The file and the line or row, for people."""
    skill: str | None = None
    title: str = ""
    kind: Kind = Kind.LESSON
    subtype: str = ""
    intent: str = ""
    author: str = ""
    created_at: int | None = None
    hits: int = 0
    pinned: bool = False
    project: str = ""
    """What the other tool called its project; empty when it holds everywhere."""
    order: int = 0
    """Its place among those of the same time."""


@dataclass(slots=True)
class Gathered:
    found: list[Foreign] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Sentences, each beginning with the file."""
