"""No connection is ever made: the interpreter writes down every socket, name and program of a whole working day."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hardwon.paths import Home
from tests import audited
from tests.daemon.running import Daemon

HARDWON = "from hardwon.cli import main; main()"
EXPECTED = {"sh", "git", audited.MINOR, "mcp"}
"""Programs that hardwon may start; `mcp` is the script in its own home that starts the interpreter."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A home, a client and a project below one folder; whatever runs there is watched."""

    root: Path
    python: Path

    @property
    def home(self) -> Path:
        return self.root / "h"

    @property
    def log(self) -> list[list[Any]]:
        file = self.root / "log"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def run(self, *command: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        environ = {
            "PATH": os.defpath,
            "HOME": str(self.root),
            "HARDWON_HOME": str(self.home),
            "TMPDIR": str(self.root / "t"),
            "LANG": "C.UTF-8",
        }
        return subprocess.run(
            command, input=stdin, capture_output=True, cwd=self.root / "app", env=environ, timeout=120, check=False
        )

    def code(self, text: str) -> None:
        """Run Python code; it need not end well."""
        self.run(str(self.python), "-c", text)

    def hardwon(self, *arguments: str) -> str:
        done = self.run(str(self.python), "-P", "-c", HARDWON, *arguments)
        assert done.returncode == 0, (arguments, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout.decode()

    def hooks(self) -> dict[str, list[str]]:
        """The commands that setup registered with the client, by event."""
        settings = json.loads((self.root / ".claude" / "settings.json").read_text())
        return {
            event: [hook["command"] for group in groups for hook in group["hooks"]]
            for event, groups in settings["hooks"].items()
        }

    def watched(self, word: str) -> int:
        """How many processes were run with this among their arguments."""
        return sum(event == "runs" and any(word in str(one) for one in words) for _, event, *words in self.log)


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Its path is short, so that the socket lies in the home."""
    root = Path(tempfile.mkdtemp(prefix="hw-")).resolve()
    for folder in ("app", "t", ".claude"):
        (root / folder).mkdir(mode=0o700)
    subprocess.run(["git", "init", "-q", str(root / "app")], check=True)
    try:
        yield Machine(root, audited.wrapper(root, root / "log"))
    finally:
        Daemon(Home(root / "h"), root / "app").clean_up()
        shutil.rmtree(root, ignore_errors=True)


def foreign(log: list[list[Any]], root: Path) -> list[list[Any]]:
    """What reaches out: a socket that is no Unix socket below the root, a name, a program that is not expected."""
    return [line for line in log if not _is_ours(line[1], line[2:], root)]


def _is_ours(event: str, words: list[Any], root: Path) -> bool:
    if event == "runs":
        return True
    if event == "socket.__new__":
        return bool(words[0] == socket.AF_UNIX)
    if event in audited.SOCKETS:
        return words[0] == socket.AF_UNIX and Path(str(words[1])).is_relative_to(root)
    return event in ("subprocess.Popen", "os.exec", "os.posix_spawn") and _program(words) in EXPECTED


def _program(words: list[Any]) -> str:
    executable, arguments = words
    return Path(executable or arguments[0]).name


def test_a_working_day_makes_no_connection(machine: Machine) -> None:
    """Setup, sessions through the installed hooks with the daemon down and up, the MCP server, every verb that looks
    after it, removal: only Unix sockets below the home, only git, sh and the interpreter."""
    machine.hardwon("setup", "claude-code", "--user-hooks", "--yes")
    machine.hardwon("note", "the integration tests need Redis on port 6380")
    for session in ("s1", "s2"):
        _session(machine, session)
    _serve(machine)
    assert "Redis" in machine.hardwon("recall", "which port do the integration tests need Redis on?")
    machine.hardwon("status")
    machine.hardwon("doctor")
    assert "What worked" in machine.hardwon("demo")
    machine.hardwon("uninstall", "--yes")
    log = machine.log
    assert foreign(log, machine.root) == []
    verbs = ("setup", "note", "recall", "status", "doctor", "demo", "uninstall")
    assert [verb for verb in verbs if not machine.watched(verb)] == []
    assert machine.watched("hook/client.py") > 20
    assert machine.watched("hook/mcp.py") == 2  # the session's, and that which doctor asks
    assert machine.watched("hardwon.daemon") >= 2  # ours, and the one of the demo
    bound = [words[1] for _, event, *words in log if event == "socket.bind"]
    assert str(Home(machine.home).socket) in bound
    assert sum(event == "socket.connect" for _, event, *_ in log) > 20
    assert any(event == "subprocess.Popen" for _, event, *_ in log)


def _session(machine: Machine, id: str) -> None:
    """A command that fails and is fixed, told by every hook that the client would run."""
    call = {"tool_name": "Bash", "tool_use_id": f"toolu_{id}", "tool_input": {"command": "make test"}}
    wrong = {"error": "Exit code 2\nmake: *** No rule to make target 'test'. Stop."}
    right = {"tool_response": {"stdout": "ok", "stderr": ""}}
    again = call | {"tool_use_id": f"toolu_{id}b"}
    edit = {
        "tool_name": "Edit",
        "tool_use_id": f"toolu_{id}e",
        "tool_input": {"file_path": str(machine.root / "app" / "Makefile"), "old_string": "a", "new_string": "b"},
    }
    _tell(machine, id, "SessionStart", {"source": "startup"})
    _tell(machine, id, "UserPromptSubmit", {"prompt": "make the integration tests pass with Redis"})
    _tell(machine, id, "PreToolUse", call)
    _tell(machine, id, "PostToolUseFailure", call | wrong)
    _tell(machine, id, "PostToolUse", edit | right)
    _tell(machine, id, "PostToolUse", again | right)
    _tell(machine, id, "Stop", {})
    _tell(machine, id, "SessionEnd", {"reason": "other"})


def _serve(machine: Machine) -> None:
    """The MCP server that a client starts, asked for what it can do and to keep something."""
    keep = {"name": "note", "arguments": {"text": "the worker needs a queue of its own"}}
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = [("initialize", client), ("tools/list", {}), ("tools/call", keep)]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(asked)
    ]
    done = machine.run(str(machine.home / "hook" / "mcp"), "claude-code", stdin="\n".join([*lines, ""]).encode())
    assert done.stdout.count(b'"result"') == len(asked), done


def _tell(machine: Machine, session: str, event: str, fields: dict[str, Any]) -> None:
    wire = {"session_id": session, "cwd": str(machine.root / "app"), "transcript_path": "", "hook_event_name": event}
    for command in machine.hooks().get(event, []):
        done = machine.run("/bin/sh", "-c", command, stdin=json.dumps(wire | fields).encode())
        assert done.returncode == 0


CONTROLS = {
    "a TCP socket": "import socket; socket.create_connection(('127.0.0.1', 9), 0.1)",
    "without the module": "import _socket; _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM).connect(('::1', 9))",
    "a port": "import socket; socket.socket().bind(('127.0.0.1', 0))",
    "a datagram": "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "a name": "import socket; socket.getaddrinfo('localhost', 80)",
    "a web page": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/', timeout=0.1)",
    "a Unix socket elsewhere": "import socket; socket.socket(socket.AF_UNIX).connect('/tmp/somebody-elses')",
    "a program": "import subprocess; subprocess.run(['env', 'true'])",
    "a shell": "import os; os.system('true')",
    "in place of itself": "import os; os.execv('/usr/bin/env', ['env', 'true'])",
    "a grandchild": "import subprocess, sys; code = 'import socket; socket.socket()';"
    " subprocess.run(['/bin/sh', '-c', '\"$@\"', 'sh', sys.executable, '-E', '-P', '-c', code])",
}


@pytest.mark.parametrize("code", CONTROLS.values(), ids=CONTROLS)
def test_whatever_reaches_out_is_seen(machine: Machine, code: str) -> None:
    """The test above can fail: each of these is written down, and judged to be none of ours."""
    machine.code(code)
    assert foreign(machine.log, machine.root) != []


def test_what_stays_at_home_is_ours(machine: Machine) -> None:
    """The judge does not call everything foreign."""
    machine.code(f"import socket; socket.socket(socket.AF_UNIX).bind('{machine.root}/socket')")
    machine.code("import subprocess; subprocess.run(['git', '--version'])")
    assert [event for _, event, *_ in machine.log if event != "runs"] != []
    assert foreign(machine.log, machine.root) == []
