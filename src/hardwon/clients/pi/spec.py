from __future__ import annotations

from hardwon.clients.client import Client, Delivery, Reaches, Skills
from hardwon.event import Moment

_MESSAGE = "the message of before_agent_start"
_RESULT = "the content of tool_result"

CLIENT = Client(
    name="pi",
    title="Pi",
    package="hardwon.clients.pi",
    modules=frozenset({"messages", "transcript", "recipe"}),
    delivery={
        Moment.SESSION_START: Delivery(Reaches.AT_ONCE, f"{_MESSAGE}, at the first prompt"),
        Moment.AFTER_COMPACTION: Delivery(Reaches.AT_ONCE, f"{_MESSAGE} or {_RESULT}, whichever comes first"),
        Moment.PROMPT: Delivery(Reaches.AT_ONCE, _MESSAGE),
        Moment.SKILL: Delivery(Reaches.AT_ONCE, f"{_RESULT} when its file is read; {_MESSAGE} for a typed /skill:NAME"),
        Moment.AFTER_FAILURE: Delivery(Reaches.AT_ONCE, _RESULT),
        Moment.BEFORE_ACTION: Delivery(Reaches.WITH_RESULT, f"{_RESULT}; a block of tool_call comes before"),
    },
    skills=Skills(
        in_project=(".pi/skills", ".agents/skills"),
        in_home=(".pi/skills", ".pi/agent/skills", ".agents/skills"),
        own=".pi",
    ),
    settings=".pi/agent",
    settings_variable="PI_CODING_AGENT_DIR",
    instructions=("AGENTS.md", "CLAUDE.md"),
    session_variables=("PI_SESSION_ID",),
    marks=("PI_CODING_AGENT",),
    programs=("pi",),
    tested="0.73.1, 0.87.1, 0.99.1",
)
