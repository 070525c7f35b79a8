"""What the verbs for clients without hooks share: a skill's name, its lessons in the form of a KNOWLEDGE.md."""

from __future__ import annotations

import datetime
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.memory import Kind, Memory
from hardwon.render.plain import one_line, visible
from hardwon.text.skills.knowledge_entries import Entry, written

SkillName = Annotated[str, typer.Option("--skill", "-s", metavar="NAME", help="The skill", show_default=False)]


def named(name: str) -> str:
    """Any name will do: it is a word in the database, and no path is made of it."""
    if not name.strip():
        fail("--skill is empty: give the name of the skill.", code=2)
    return name.strip()


def entry(memory: Memory, hits: int = 0, body: str | None = None) -> str:
    """`- [2026-03] [title] text  [HIT:4]`; a checkpoint with its time and without hits."""
    is_checkpoint = memory.kind is Kind.CHECKPOINT
    when = datetime.datetime.fromtimestamp(memory.created_at / 1000, datetime.UTC)
    date = when.strftime("%Y-%m-%d %H:%M:%S" if is_checkpoint else "%Y-%m")
    text = visible(memory.body if body is None else body)
    return written(Entry(text, visible(memory.title), date, hits), with_hits=not is_checkpoint)


def headline(title: str, text: str) -> str:
    """For a list: the title before the text, on one line."""
    return one_line(f"[{title}] {text}" if title else text, 120)
