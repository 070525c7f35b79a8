"""The MCP server as a client runs it: the installed script, a pipe in and a pipe out."""

from __future__ import annotations

import json
import subprocess
import threading
from types import TracebackType
from typing import Any

from hardwon.hook import install
from tests.daemon.running import Daemon


class Server:
    def __init__(self, daemon: Daemon, client: str = "claude-code", *, seconds: str = "20.0", **env: str) -> None:
        """`seconds`: how long a call may take, put into the installed script so that a test need not wait so long."""
        install.refresh(daemon.home)
        if not daemon.home.settings.exists():  # a daemon that the server starts takes no variables
            daemon.home.settings.write_text('[vectors]\nmodel = "off"\n')
        if seconds != "20.0":
            script = daemon.home.hook / "mcp.py"
            script.write_text(script.read_text().replace("TOOL_SECONDS = 20.0", f"TOOL_SECONDS = {seconds}"))
        self.process = subprocess.Popen(
            [str(install.mcp_server(daemon.home)), client],
            cwd=daemon.folder,
            env=daemon.environ(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._ids = 0
        self._asking = threading.Lock()

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to one request."""
        with self._asking:
            self._ids += 1
            message = {"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params}
            self.send(json.dumps(message).encode())
            answer = self.receive()
        assert answer["id"] == self._ids
        return answer

    def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """What a tool said, and whether it was an error."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return "".join(block["text"] for block in result["content"]), result["isError"]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
