from __future__ import annotations

import os
from collections.abc import Iterator

from hardwon.clients.client import Client, Delivery, Reaches, Skills
from hardwon.event import Moment


def _told_anyway(transcript: str) -> Iterator[str]:
    """Its memory of the project, and the person's own instructions."""
    project = os.path.dirname(transcript)  # noqa: PTH120
    if project:
        yield os.path.join(project, "memory", "MEMORY.md")  # noqa: PTH118
        yield os.path.join(os.path.dirname(os.path.dirname(project)), "CLAUDE.md")  # noqa: PTH118, PTH120


CLIENT = Client(
    name="claude-code",
    title="Claude Code",
    package="hardwon.clients.claude_code",
    modules=frozenset({"messages", "transcript", "recipe", "typed"}),
    delivery={
        Moment.SESSION_START: Delivery(Reaches.AT_ONCE, "additionalContext of SessionStart"),
        Moment.AFTER_COMPACTION: Delivery(Reaches.AT_ONCE, "additionalContext of SessionStart, source compact"),
        Moment.PROMPT: Delivery(Reaches.AT_ONCE, "additionalContext of UserPromptSubmit"),
        Moment.SKILL: Delivery(Reaches.AT_ONCE, "additionalContext of PostToolUse and UserPromptExpansion"),
        Moment.AFTER_FAILURE: Delivery(Reaches.AT_ONCE, "additionalContext of PostToolUseFailure"),
        Moment.BEFORE_ACTION: Delivery(Reaches.WITH_RESULT, "additionalContext of PreToolUse; a denial comes before"),
    },
    skills=Skills(in_project=(".claude/skills",), in_home=(".claude/skills",), own=".claude"),
    settings=".claude",
    settings_variable="CLAUDE_CONFIG_DIR",
    instructions=("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md"),
    told_anyway=_told_anyway,
    session_variables=("CLAUDE_CODE_SESSION_ID",),
    marks=("CLAUDECODE",),
    programs=("claude",),
    tested="2.1.325",
)
