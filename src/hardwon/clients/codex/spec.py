from __future__ import annotations

from hardwon.clients.client import Client, Skills

CLIENT = Client(
    name="codex",
    title="Codex",
    package="hardwon.clients.codex",
    modules=frozenset({"transcript"}),
    skills=Skills(
        in_project=(".agents/skills", ".codex/skills"), in_home=(".agents/skills", ".codex/skills"), own=".codex"
    ),
    settings=".codex",
    settings_variable="CODEX_HOME",
    instructions=("AGENTS.md",),
    session_variables=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
    marks=("CODEX_SANDBOX",),
    programs=("codex",),
)
