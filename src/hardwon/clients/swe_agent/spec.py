from __future__ import annotations

from hardwon.clients.client import Client

CLIENT = Client(
    name="swe-agent",
    title="SWE-agent",
    package="hardwon.clients.swe_agent",
    modules=frozenset({"transcript"}),
)
