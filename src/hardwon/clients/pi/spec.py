from __future__ import annotations

from hardwon.clients.client import Client, Skills

CLIENT = Client(
    name="pi",
    title="Pi",
    package="hardwon.clients.pi",
    skills=Skills(in_project=(".pi/skills",), in_home=(".pi/skills", ".pi/agent/skills"), own=".pi"),
    instructions=("AGENTS.md",),
    marks=("PI_CODING_AGENT",),
    programs=("pi",),
)
