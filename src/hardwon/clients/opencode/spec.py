from __future__ import annotations

from hardwon.clients.client import Client, Skills

_FOLDERS = (".opencode/skills", ".opencode/skill")

CLIENT = Client(
    name="opencode",
    title="OpenCode",
    package="hardwon.clients.opencode",
    skills=Skills(
        in_project=_FOLDERS, in_home=(*_FOLDERS, ".config/opencode/skills", ".config/opencode/skill"), own=".opencode"
    ),
    instructions=("AGENTS.md",),
    marks=("OPENCODE",),
    programs=("opencode",),
)
