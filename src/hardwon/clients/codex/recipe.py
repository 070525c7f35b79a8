"""Codex: hooks in the user's own `hooks.json`, the MCP server in `config.toml`, a skill.

A person has to trust each hook once, by its words and its place in the list; hooks of a plugin again after each update
of it. So ours stand in the user's file, behind all others, with commands that stay the same. They name everything by
its whole path: at the terminal they are run by a server in the background (0.169.0), which has the variables of the
first session only.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardwon.clients.client import Hook
from hardwon.clients.codex import trust
from hardwon.clients.codex.messages import HOOKS, NAME
from hardwon.clients.installing import files
from hardwon.clients.installing.recipe import Config, Wanted
from hardwon.hook import install
from hardwon.paths import Home, user_folder

TEMPLATES = Path(__file__).parents[2] / "integrations" / "codex"
SERVER = "hardwon"
"""Its tools are `mcp__hardwon__recall` and so on."""
SECONDS = 5
"""After which the client ends a hook. They end themselves long before."""
LEAVING = 2
"""The same when a session or a turn is ended: the client allows 3 at most, and says in each run where it is more."""
SIGN = re.compile(rf"/hook/run['\"]* codex \w+ \d+ 2>/dev/null \|\| :\s*$|^mcp_tool {SERVER} hook$")
"""A hook's command is ours, with this or another home, or its call."""
PROGRAM = b"/hook/hardwon"
STATE = ("hooks", "state")
"""Where the client writes what is trusted: under nothing at first, so that setup sees whether the table was there."""
RUNS = ("trusted", "managed")
HOW = (
    "Codex runs hooks only when you have trusted them, and says nothing when it does not: start `codex` once, and at "
    '"Hooks need review" press 2 ("Trust all and continue") and Enter'
)


class Codex:
    name = NAME
    title = "Codex"

    def folder(self, environ: Mapping[str, str]) -> Path:
        if environ.get("CODEX_HOME"):
            return Path(environ["CODEX_HOME"]).absolute()
        return (user_folder(environ) or Path("/")) / ".codex"

    def is_here(self, environ: Mapping[str, str]) -> bool:
        return self.folder(environ).is_dir() or shutil.which("codex", path=environ.get("PATH", "")) is not None

    def missing(self, environ: Mapping[str, str]) -> str:
        return (
            f"Codex was not found: there is no {self.folder(environ)} and no `codex` on the PATH. "
            "Install it and start it once, or set CODEX_HOME to its folder."
        )

    def wanted(self, home: Home, folder: Path, *, user_hooks: bool) -> Wanted:  # noqa: ARG002  there is no other way
        server = {"command": str(install.mcp_server(home)), "args": [NAME]}
        keys = ["", *(one.key for one in trust.entries(folder / "hooks.json", SIGN))]
        traces = tuple((*STATE, key) for key in keys)
        configs = (
            Config(folder / "config.toml", {("mcp_servers", SERVER): server}, traces=traces),
            Config(folder / "hooks.json", {}, groups(home), SIGN),
        )
        return Wanted(configs, _skill(home, folder), {}, PROGRAM)

    def remarks(self, folder: Path) -> tuple[str, ...]:
        found = []
        if _settings(folder).get("features", {}).get("hooks") is False:
            found.append(f"{folder / 'config.toml'} says hooks = false: the client runs no hook until that is gone")
        mine = trust.entries(folder / "hooks.json", SIGN)
        states = trust.written(folder / "config.toml", mine).values()
        if len(mine) < len(HOOKS) or any(state != "trusted" for state in states):
            found.append(HOW)
        return tuple(found)

    @property
    def consent(self) -> str:
        return HOW

    def withheld(self, folder: Path, environ: Mapping[str, str]) -> str:
        """The client's own word counts; where it can't be asked, what it has written down."""
        if _settings(folder).get("features", {}).get("hooks") is False:
            return f"{folder / 'config.toml'} says hooks = false"
        mine = trust.entries(folder / "hooks.json", SIGN)
        said = trust.asked(folder, environ)
        states = trust.written(folder / "config.toml", mine) if said is None else said
        waiting = [one.key.split(":")[-3] for one in mine if states.get(one.key) not in RUNS]
        return f"{len(waiting)} of {len(mine)} hooks are not trusted ({', '.join(waiting)})" if waiting else ""

    def variables(self, folder: Path) -> dict[Path, dict[str, str]]:  # noqa: ARG002
        """It has a table of variables for what its model runs; nothing of ours was ever kept there."""
        return {}


def _settings(folder: Path) -> dict[str, Any]:
    """What its settings say; those that are not there, or can't be read, say nothing."""
    try:
        found = tomllib.loads((files.read(folder / "config.toml") or b"").decode("utf-8-sig"))
    except ValueError:
        return {}
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def groups(home: Home) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every hook as the client wants it registered, by event."""
    return tuple((hook.event, _group(home, hook)) for hook in HOOKS)


def _group(home: Home, hook: Hook) -> dict[str, Any]:
    seconds = LEAVING if hook.event in ("SessionEnd", "Interrupt") else SECONDS
    run = _call(hook) if hook.fields else {"type": "command", "command": install.lasting_command(home, NAME, hook)}
    return ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [run | {"timeout": seconds}]}


def _call(hook: Hook) -> dict[str, Any]:
    """A call to our server, which costs no process."""
    fields = {name: f"${{{name}}}" for name in hook.fields}
    return {"type": "mcp_tool", "server": SERVER, "tool": "hook", "input": fields}


def _skill(home: Home, folder: Path) -> dict[Path, bytes]:
    program = shlex.quote(str(install.program(home)))
    return {
        folder / path.relative_to(TEMPLATES): path.read_text("utf-8").replace("@PROGRAM@", program).encode()
        for path in sorted(TEMPLATES.rglob("*"))
        if path.is_file()
    }


RECIPE = Codex()
