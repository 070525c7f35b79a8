"""Claude Code: a plugin that it reads from our home, or hooks of the user when plugins are not wanted.

A folder can be a marketplace, and what is installed from it is read live: an update of the folder is an update of the
plugin. The settings name it; `known_marketplaces.json` does, too, because an older client (2.1.197) else loads it only
from the second session on, and any client looks for a home that was moved in its old place once more. An entry there
without all of its fields makes the client refuse every marketplace: it has to be exactly as the client writes it.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon import __version__
from hardwon.clients.claude_code.messages import HOOKS, NAME
from hardwon.clients.client import Hook
from hardwon.clients.installing import files, manifest
from hardwon.clients.installing.json_text import JsonText
from hardwon.clients.installing.recipe import Config, Wanted
from hardwon.hook import install
from hardwon.paths import Home, user_folder

TEMPLATES = Path(__file__).parents[2] / "integrations" / "claude_code"
MARKETPLACE = "hardwon-local"
PLUGIN = f"hardwon@{MARKETPLACE}"
SERVER = "memory"
"""The tools are named after it."""

SECONDS = 5
"""After which the client ends a hook. They end themselves long before; SessionEnd would else have 1.5 s."""
SIGN = re.compile(r"/hook/client\.py['\"]* .+ claude-code \w+ \d+ 2>/dev/null \|\| :\s*$")
"""A hook's command is ours, of this or another version, with this or another home."""
PROGRAM = b"/hook/hardwon"
"""So is a skill or a command that calls this."""


class ClaudeCode:
    name = NAME
    title = "Claude Code"

    def folder(self, environ: Mapping[str, str]) -> Path:
        if environ.get("CLAUDE_CONFIG_DIR"):
            return Path(environ["CLAUDE_CONFIG_DIR"]).absolute()
        return (user_folder(environ) or Path("/")) / ".claude"

    def is_here(self, environ: Mapping[str, str]) -> bool:
        return self.folder(environ).is_dir() or shutil.which("claude", path=environ.get("PATH", "")) is not None

    def missing(self, environ: Mapping[str, str]) -> str:
        return (
            f"Claude Code was not found: there is no {self.folder(environ)} and no `claude` on the PATH. "
            "Install it and start it once, or set CLAUDE_CONFIG_DIR to its folder."
        )

    def wanted(self, home: Home, folder: Path, *, user_hooks: bool) -> Wanted:
        templates = dict(_rendered(home))
        if user_hooks:
            return Wanted(_configs(folder, hooks=groups(home)), _in_client(folder, templates), {}, PROGRAM)
        root = manifest.folder(home) / NAME
        own = {root / name: text for name, text in templates.items()}
        own[root / "plugins/hardwon/hooks/hooks.json"] = _hooks_file(home)
        own[root / "plugins/hardwon/.mcp.json"] = _server_file(home)
        data = folder / "plugins" / "data" / f"hardwon-{MARKETPLACE}"
        cache = folder / "plugins" / "cache" / MARKETPLACE
        return Wanted(_configs(folder, source=root), {}, own, PROGRAM, (data, cache))

    def remarks(self, folder: Path) -> tuple[str, ...]:
        settings = folder / "settings.json"
        if _value(settings).get("disableAllHooks"):
            return (f"{settings} says disableAllHooks: the client runs no hook until that is gone",)
        return ()

    def variables(self, folder: Path) -> dict[Path, dict[str, str]]:
        settings = folder / "settings.json"
        given = _value(settings).get("env")
        if not isinstance(given, dict):
            return {}
        return {settings: {name: _text(value) for name, value in given.items() if isinstance(value, str | int)}}


def _value(settings: Path) -> dict[str, Any]:
    """What these settings say; those that are not there, or empty, say nothing."""
    value: dict[str, Any] = JsonText((files.read(settings) or b"").decode()).value
    return value


def _text(value: str | int) -> str:
    """As a variable has it; the client takes a bare number or true, too."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def groups(home: Home, *, server: bool = False) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every hook as the client wants it registered, by event; with a `server`, as calls to it where that can be."""
    return tuple((hook.event, _group(home, hook, server)) for hook in HOOKS)


def _group(home: Home, hook: Hook, server: bool) -> dict[str, Any]:
    run = _call(hook) if server and hook.fields else _command(home, hook)
    return ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [run | {"timeout": SECONDS}]}


def _command(home: Home, hook: Hook) -> dict[str, Any]:
    """The client need not wait where no answer is due."""
    run: dict[str, Any] = {"type": "command", "command": install.command(home, NAME, hook)}
    return run | ({} if hook.limit or hook.waits else {"async": True})


def _call(hook: Hook) -> dict[str, Any]:
    fields = {name: f"${{{name}}}" for name in hook.fields}
    return {"type": "mcp_tool", "server": f"plugin:hardwon:{SERVER}", "tool": "hook", "input": fields}


def _hooks_file(home: Home) -> bytes:
    by_event: dict[str, list[dict[str, Any]]] = {}
    for event, group in groups(home, server=True):
        by_event.setdefault(event, []).append(group)
    described = {"description": "Sends what happens to hardwon, and its answers back", "hooks": by_event}
    return (json.dumps(described, indent=2, ensure_ascii=False) + "\n").encode()


def _server_file(home: Home) -> bytes:
    run = {"command": str(install.mcp_server(home)), "args": [NAME]}
    return (json.dumps({"mcpServers": {SERVER: run}}, indent=2, ensure_ascii=False) + "\n").encode()


def _configs(
    folder: Path, source: Path | None = None, hooks: tuple[tuple[str, dict[str, Any]], ...] = ()
) -> tuple[Config, ...]:
    """All files that name us, whichever way is wanted; the settings last, for they switch it on."""
    place = {"source": "directory", "path": str(source)} if source else None
    entry: dict[str, Any] = {"source": place, "installLocation": str(source), "lastUpdated": "2026-01-01T00:00:00.000Z"}
    named: dict[tuple[str, ...], Any] = {
        ("extraKnownMarketplaces", MARKETPLACE): place and {"source": place},
        ("enabledPlugins", PLUGIN): place and True,
    }
    plugins = folder / "plugins"
    return (
        Config(plugins / "installed_plugins.json", {("plugins", PLUGIN): None}, by_client=True),
        Config(plugins / "known_marketplaces.json", {(MARKETPLACE,): place and entry}, touched=("lastUpdated",)),
        Config(folder / "settings.json", named, hooks, SIGN),
    )


def _rendered(home: Home) -> Iterator[tuple[str, bytes]]:
    """Each template by its path in the plugin's folder."""
    program = shlex.quote(str(install.program(home)))
    words = {"@VERSION@": __version__, "@PROGRAM@": program, "@RULE@": json.dumps(program, ensure_ascii=False)[1:-1]}
    for path in sorted(TEMPLATES.rglob("*")):
        if path.is_file():
            text = path.read_text("utf-8")
            for word, meaning in words.items():
                text = text.replace(word, meaning)
            yield path.relative_to(TEMPLATES).as_posix(), text.encode()


def _in_client(folder: Path, templates: Mapping[str, bytes]) -> dict[Path, bytes]:
    """The skill and the commands without a plugin: a command in a folder has the folder's name before its own."""
    plugin = "plugins/hardwon/"
    moved = {f"{plugin}skills/": "skills/", f"{plugin}commands/": "commands/hardwon/"}
    return {
        folder / name.replace(old, new): text
        for name, text in templates.items()
        for old, new in moved.items()
        if name.startswith(old)
    }


RECIPE = ClaudeCode()
