from __future__ import annotations

from hardwon.clients.client import Client

CLIENT = Client(
    name="aider",
    title="Aider",
    package="hardwon.clients.aider",
    modules=frozenset({"transcript"}),
    programs=("aider",),
)
