"""The official SDK's client finds nothing to complain about: it checks every answer against the protocol's types."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp.client.stdio import stdio_client

from hardwon.hook import install
from mcp import ClientSession, StdioServerParameters
from tests.commandline import HARDWON
from tests.daemon.running import Daemon


async def _talk(parameters: StdioServerParameters) -> dict[str, Any]:
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        await session.send_ping()
        listed = await session.list_tools()
        kept = await session.call_tool("note", {"text": "The linter wants Python 3.11"})
        found = await session.call_tool("recall", {"query": "linter wants Python"})
        checked = await session.call_tool("check", {"command": "make lint"})
        marked = await session.call_tool("mark", {"kind": "decision", "text": "Ruff", "rejected": ["flake8: slow"]})
        wrong = await session.call_tool("note", {})
        return {
            "name": hello.server_info.name,
            "tools": [tool.name for tool in listed.tools],
            "schemas": [tool.input_schema for tool in listed.tools],
            "kept": kept.content[0].text,  # type: ignore[union-attr]
            "found": found.content[0].text,  # type: ignore[union-attr]
            "checked": checked.content[0].text,  # type: ignore[union-attr]
            "marked": marked.content[0].text,  # type: ignore[union-attr]
            "errors": [kept.is_error, found.is_error, checked.is_error, marked.is_error, wrong.is_error],
        }


def _parameters(daemon: Daemon, command: str, *arguments: str) -> StdioServerParameters:
    environment = daemon.environ({"HARDWON_HOME": str(daemon.home.root)})
    return StdioServerParameters(command=command, args=list(arguments), env=environment, cwd=daemon.folder)


def test_the_official_client_talks_to_the_installed_server(daemon: Daemon) -> None:
    install.refresh(daemon.home)
    told = asyncio.run(_talk(_parameters(daemon, str(install.mcp_server(daemon.home)), "sdk")))
    assert told["name"] == "hardwon"
    assert told["tools"] == ["note", "recall", "check", "mark"]
    assert told["kept"].startswith("Kept as ")
    assert "Python 3.11" in told["found"]
    assert told["checked"] == "Nothing is known about this."
    assert told["marked"].startswith("Kept as ")
    assert told["errors"] == [False, False, False, False, True]
    assert all(schema["type"] == "object" for schema in told["schemas"])
    daemon.leave()


def test_hardwon_mcp_is_the_same_server(daemon: Daemon) -> None:
    """For the settings of any other client: one command, no path."""
    told = asyncio.run(_talk(_parameters(daemon, HARDWON, "mcp")))
    assert told["tools"] == ["note", "recall", "check", "mark"]
    assert "Python 3.11" in told["found"]
    daemon.leave()
