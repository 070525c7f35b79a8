"""A stdio MCP server of two tools: `recall` answers, `boom` fails. Other methods are not found."""

import json
import sys
from typing import Any

METHOD_NOT_FOUND = -32601


def tool(name: str) -> dict[str, Any]:
    # Not deferred: the client shows the model a tool's schema only when told so.
    return {"name": name, "inputSchema": {"type": "object"}, "_meta": {"anthropic/alwaysLoad": True}}


def called(name: str) -> dict[str, Any]:
    text = "RECALLED" if name == "recall" else "BOOM: no such table"
    return {"content": [{"type": "text", "text": text}], "isError": name != "recall"}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    match message["method"]:
        case "initialize":
            version = message["params"]["protocolVersion"]
            server = {"name": "mem", "version": "1"}
            return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}}
        case "tools/list":
            return {"result": {"tools": [tool("recall"), tool("boom")]}}
        case "tools/call":
            return {"result": called(message["params"]["name"])}
        case other:
            return {"error": {"code": METHOD_NOT_FOUND, "message": f"no {other} here"}}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(message)}), flush=True)
