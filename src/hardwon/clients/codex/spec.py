from __future__ import annotations

from hardwon.clients.client import Client, Delivery, Reaches, Skills
from hardwon.event import Moment

CLIENT = Client(
    name="codex",
    title="Codex",
    package="hardwon.clients.codex",
    modules=frozenset({"messages", "transcript", "recipe"}),
    delivery={
        Moment.SESSION_START: Delivery(Reaches.AT_ONCE, "additionalContext of SessionStart, with the first prompt"),
        Moment.AFTER_COMPACTION: Delivery(Reaches.AT_ONCE, "additionalContext of SessionStart, source compact"),
        Moment.PROMPT: Delivery(Reaches.AT_ONCE, "additionalContext of UserPromptSubmit"),
        Moment.SKILL: Delivery(
            Reaches.AT_ONCE,
            "additionalContext of PostToolUse for a SKILL.md in the shell, of UserPromptSubmit for $skill",
        ),
        Moment.AFTER_FAILURE: Delivery(
            Reaches.AT_ONCE, "additionalContext of PostToolUse, for a command: its exit status stands in the rollout"
        ),
        Moment.BEFORE_ACTION: Delivery(Reaches.WITH_RESULT, "additionalContext of PreToolUse; a denial comes before"),
    },
    skills=Skills(
        in_project=(".agents/skills", ".codex/skills"), in_home=(".agents/skills", ".codex/skills"), own=".codex"
    ),
    settings=".codex",
    settings_variable="CODEX_HOME",
    instructions=("AGENTS.md",),
    session_variables=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    marks=("CODEX_SANDBOX",),
    programs=("codex",),
    tested="0.169.0",
)
