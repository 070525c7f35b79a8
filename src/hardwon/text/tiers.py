"""How much of an event is worth keeping: all of it, its outline, the bare fact, or nothing.

A call and its result are one event here, so a result has the tier of its call; only a failure is always kept in full.
So an empty result is not dropped: that a command passed without a word is what proves its fix. A result whose call
nobody knows makes no event at all: it names no command, and a text that only looks like an error is not believed. That
a prompt corrects the agent is no mark beside it: `wishes` reads that from the prompt itself when the session is learned
from. What is marked by hand is a memory already, and its call is like any other.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

from hardwon import action
from hardwon.event import Event, EventType, Tier
from hardwon.git import resolve
from hardwon.project import relative_file

FILE_TOOLS = action.FILES
CHANGES = action.CHANGES
LOOKS = action.LOOKS
BOOKKEEPING = action.BOOKKEEPING
PLANS = action.PLANS
"""What an agent means to do: the next session wants to know what is left of it."""

LONGEST = {Tier.FULL: 8_000, Tier.OUTLINE: 2_000, Tier.FACT: 0, Tier.NOTHING: 0}
LONGEST_OUTPUT = 500
"""Characters of what a command said that passed: nothing but its end is ever asked for."""
LONGEST_TARGET = 2_000
"""A command is kept as it was typed, also a long one: a fix names it literally."""
SHORTEST_DECISION = 20
SHORTEST_REPORT = 500


def tier(event: Event) -> Tier:
    """What a person said and what failed in full, changes in outline, looks as a fact, bookkeeping not at all."""
    match event.type:
        case EventType.TOOL_STARTING | EventType.SKILL_LOADING:
            return Tier.NOTHING
        case EventType.TOOL_FAILED | EventType.PROMPT_SUBMITTED | EventType.COMPACTED | EventType.CALL_ANSWERED:
            return Tier.FULL
        case EventType.TOOL_FINISHED if event.tool in BOOKKEEPING:
            return Tier.NOTHING
        case EventType.TOOL_FINISHED if event.tool in LOOKS:
            return Tier.FACT
        case EventType.TURN_ENDED if is_decision(event.text) or is_report(event.text):
            return Tier.FULL
        case _:
            return Tier.OUTLINE


def as_done(event: Event) -> Event:
    """A call that starts is kept as nothing; what it is compared with was kept when it had ended."""
    starting = event.type is EventType.TOOL_STARTING
    return dataclasses.replace(event, type=EventType.TOOL_FINISHED) if starting else event


def longest(event: Event, tier: Tier) -> int:
    """Characters of its text that are kept. An edit's outline is the change itself: fixes quote it."""
    if tier is Tier.OUTLINE and event.tool == action.SHELL:
        return LONGEST_OUTPUT
    return LONGEST[tier]


def measure(text: str) -> str:
    """All that is kept of what a look brought to light. Nothing of a Read: its hook does not send what was read."""
    if not text:
        return ""
    lines, size = len(text.splitlines()), len(text.encode("utf-8", "replace"))
    return f"{lines} line{'' if lines == 1 else 's'}, {size} byte{'' if size == 1 else 's'}"


def is_decision(text: str) -> bool:
    """Whether an agent says what it chose, what the cause was, or what mended it."""
    if len(text.strip()) < SHORTEST_DECISION:
        return False
    folded = text.lower()
    return (not text.isascii() or any(sign in folded for sign in _SIGNS)) and _DECISION.search(text) is not None


_SIGNS = (
    *("decid", "decision", "chose", "opted", "going", "switch", "roll", "reject", "rul", "cause", "culprit", "reason"),
    *("problem", "fix", "instead"),
)
"""Of which every English match has one."""
_DECISION = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:decided|chose|opted)\b|\bdecided (?:to|on|against)\b|\bdecision:|\bgoing with\b"
    r"|\bswitch(?:ed|ing) (?:from|to|over)\b|\broll(?:ed|ing) (?:it )?back\b|\brejected\b|\brul(?:ed|ing) out\b"
    r"|\broot cause\b|\bcaused by\b|\bthe (?:fix|culprit|reason|problem) (?:is|was)\b|\bfixed by\b|\bfix(?:ed)?:"
    r"|\binstead of\b.{1,80}\bbecause\b"
    r"|决定|最终(?:采用|选择)|改用|放弃了?|回滚|根本原因|原因是|已(?:经)?修复|修复方法|总结[:：]"
    r"|に決め|採用し|不採用|却下|に切り替え|根本原因|原因は|修正しました",
    re.IGNORECASE,
)


def is_report(text: str) -> bool:
    """Whether it is long and has a form: code, headings, a table, a list, paragraphs."""
    return len(text) >= SHORTEST_REPORT and any(len(pattern.findall(text)) >= enough for pattern, enough in _STRUCTURE)


_STRUCTURE = (
    (re.compile(r"^\s{0,3}```", re.MULTILINE), 1),
    (re.compile(r"^#{1,6} \S", re.MULTILINE), 1),
    (re.compile(r"^\|.{1,2000}\|[ \t]*$", re.MULTILINE), 2),
    (re.compile(r"^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)]) \S", re.MULTILINE), 2),
    (re.compile(r"^(?: {4}|\t)\S", re.MULTILINE), 2),
    (re.compile(r"\n[ \t]{0,20}\n"), 2),
)


def clip(text: str, longest: int) -> str:
    """The beginning and the end, where the telling lines are."""
    if len(text) <= longest:
        return text
    if longest < 100:
        return ""
    head = longest // 3
    return f"{text[:head]}\n[…]\n{text[-(longest - head - 5) :]}"


def target(event: Event, root: str, real: Callable[[Path], Path] = resolve) -> str:
    """A file as the project knows it, anything else as it is; `real` as in `relative_file`."""
    if event.tool in FILE_TOOLS and root:
        return relative_file(event.target, root, event.cwd, real)
    return event.target
