"""Kilo is made of OpenCode, and loads the same plugin."""

from __future__ import annotations

from hardwon.clients.client import Client, Skills
from hardwon.clients.opencode.spec import DELIVERY

_FOLDERS = (".kilo/skills", ".kilo/skill")

CLIENT = Client(
    name="kilo",
    title="Kilo",
    package="hardwon.clients.kilo",
    modules=frozenset({"messages", "recipe"}),
    delivery=DELIVERY,
    skills=Skills(in_project=_FOLDERS, in_home=(*_FOLDERS, ".config/kilo/skills", ".config/kilo/skill"), own=".kilo"),
    settings=".config/kilo",
    instructions=("AGENTS.md", "CLAUDE.md"),
    marks=("KILO", "OPENCODE"),
    programs=("kilo",),
    tested="7.7.9",
)
