"""How much of an event is kept: one table per rule."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.text import tiers

FINISHED, FAILED, ENDED = EventType.TOOL_FINISHED, EventType.TOOL_FAILED, EventType.TURN_ENDED


def event(type_: EventType = FINISHED, **fields: Any) -> Event:
    return Event(type_, "a-client", "s1", 1, **fields)


@pytest.mark.parametrize(
    ("given", "tier"),
    [
        # What a person said, and what the client wrote of all that was said
        (event(EventType.PROMPT_SUBMITTED, text="go on"), Tier.FULL),
        (event(EventType.PROMPT_SUBMITTED, text="no, don't use mocks"), Tier.FULL),
        (event(EventType.COMPACTED, text="a summary"), Tier.FULL),
        # Whatever failed, also a look and bookkeeping
        *[
            (event(FAILED, tool=tool, error="no such file"), Tier.FULL)
            for tool in ("Bash", "Read", "Grep", "TodoWrite")
        ],
        # Changes
        *[(event(tool=tool), Tier.OUTLINE) for tool in ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")],
        # That a command passed without a word is what proves its fix
        (event(tool="Bash", target="make", text=""), Tier.OUTLINE),
        (event(tool="mcp__hardwon__mark"), Tier.OUTLINE),
        # Looks, by the names that clients have for them
        *[
            (event(tool=tool, text="found"), Tier.FACT)
            for tool in ("Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "NotebookRead")
        ],
        *[
            (event(tool=tool, text="found"), Tier.FACT)
            for tool in ("read_file", "list_dir", "grep_files", "web_search", "read", "list", "search_file_content")
        ],
        # Bookkeeping, and what has not happened yet
        *[(event(tool=tool), Tier.NOTHING) for tool in ("TodoRead", "TaskList")],
        *[(event(tool=tool), Tier.OUTLINE) for tool in ("TodoWrite", "ExitPlanMode", "update_plan")],
        (event(EventType.TOOL_STARTING, tool="Bash"), Tier.NOTHING),
        (event(EventType.SKILL_LOADING), Tier.NOTHING),
        (event(EventType.SESSION_STARTED), Tier.OUTLINE),
    ],
)
def test_each_event_has_its_tier(given: Event, tier: Tier) -> None:
    """Words and failures in full, changes in outline, looks as a fact, bookkeeping not at all."""
    assert tiers.tier(given) is tier


LONG = "The parser reads a line and then the next one. " * 12


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        # Decisions, causes and cures, if there is enough of a sentence
        ("I decided to keep the old parser.", Tier.FULL),
        ("We chose SQLite over a server.", Tier.FULL),
        ("Going with the second option here.", Tier.FULL),
        ("I switched from npm to pnpm.", Tier.FULL),
        ("The change was rolled back yesterday.", Tier.FULL),
        ("The root cause is a missing index.", Tier.FULL),
        ("It was caused by a stale cache entry.", Tier.FULL),
        ("The fix is to pin the version.", Tier.FULL),
        ("fix: the lock is taken before the file is read", Tier.FULL),
        ("我决定采用新的解析器，因为旧的解析器在这里太慢了，而且难以维护。", Tier.FULL),
        ("根本原因是缓存没有及时失效，所以每次读取的都是旧的数据内容。", Tier.FULL),
        ("原因は古いキャッシュでした。今はビルドのたびに消すようにしています。", Tier.FULL),
        # Too short for one
        ("decided to go", Tier.OUTLINE),
        ("root cause", Tier.OUTLINE),
        # Long and with a form
        (LONG + "\n```\nx = 1\n```\n", Tier.FULL),
        ("# What was done\n" + LONG, Tier.FULL),
        (LONG + "\n| a | b |\n| - | - |\n", Tier.FULL),
        (LONG + "\n- one\n- two\n", Tier.FULL),
        (LONG + "\n1. one\n2. two\n", Tier.FULL),
        (LONG + "\n    one\n    two\n", Tier.FULL),
        (LONG + "\n\nmore\n\nand more", Tier.FULL),
        # Long without one; a form without length
        (LONG, Tier.OUTLINE),
        (LONG + "\n- one\n", Tier.OUTLINE),
        ("# Done\n- one\n- two\n", Tier.OUTLINE),
        ("All tests pass.", Tier.OUTLINE),
        ("", Tier.OUTLINE),
    ],
)
def test_what_an_agent_says_is_kept_by_what_it_is(text: str, tier: Tier) -> None:
    """A decision or a report in full, anything else in outline."""
    assert tiers.tier(event(ENDED, text=text)) is tier


@pytest.mark.parametrize(
    ("given", "tier", "longest"),
    [
        (event(FAILED, tool="Bash"), Tier.FULL, 8_000),
        (event(tool="Bash"), Tier.OUTLINE, 500),
        (event(tool="Edit"), Tier.OUTLINE, 2_000),
        (event(ENDED), Tier.OUTLINE, 2_000),
        (event(tool="Read"), Tier.FACT, 0),
    ],
)
def test_each_tier_has_its_length(given: Event, tier: Tier, longest: int) -> None:
    """Of a command that passed the least is kept, of an edit enough to quote the change."""
    assert tiers.longest(given, tier) == longest


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("", ""),
        ("one", "1 line, 3 bytes"),
        ("a\n", "1 line, 2 bytes"),
        ("a\nb\nc", "3 lines, 5 bytes"),
        ("ü", "1 line, 2 bytes"),
        ("x", "1 line, 1 byte"),
        ("half \ud800", "1 line, 6 bytes"),
    ],
)
def test_of_a_look_only_its_size_is_kept(text: str, measure: str) -> None:
    """How much was seen, never what."""
    assert tiers.measure(text) == measure
