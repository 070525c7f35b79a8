"""OpenCode, and clients made of it: our plugin in the folder from which they load each file.

With a plugin, the client waits at its start until it has installed its own package beside it. Where the registry can't
be reached that is 75 seconds, at every start (1.18.33). A lock file that names the package, beside a folder
`node_modules`, says that it is there already. Nothing of ours needs it, so this is written where nothing of the kind
stands yet; a client that was started once before has made both itself.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardwon import __version__, clients
from hardwon.clients.installing import files
from hardwon.clients.installing.recipe import Wanted
from hardwon.hook import install, mcp
from hardwon.paths import Home, user_folder

BUILT = Path(__file__).parents[2] / "integrations" / "opencode" / "hardwon.js"
SIGN = b"written by `hardwon setup`"
PLUGIN = "plugin/hardwon.js"
LOCK = "package-lock.json"
MARKER = "node_modules/.hardwon"
_MARK = SIGN + b": see package-lock.json beside this folder\n"
PACKAGES = ("package.json", LOCK, "node_modules", "bun.lock", "bun.lockb")
"""Any of them says that packages are kept here already."""
TOOLS = {"note": "skill_note", "recall": "skill_recall", "check": "hardwon_check", "mark": "hardwon_mark"}
"""What the tools of the memory are called in the client."""


@dataclass(frozen=True, slots=True)
class LikeOpenCode:
    name: str
    title: str
    program: str
    """The command, and its folder in the person's configuration."""
    package: str
    """What it installs beside a plugin."""

    def folder(self, environ: Mapping[str, str]) -> Path:
        given = environ.get("XDG_CONFIG_HOME", "")
        around = Path(given) if given.startswith("/") else (user_folder(environ) or Path("/")) / ".config"
        return around / self.program

    def is_here(self, environ: Mapping[str, str]) -> bool:
        return self.folder(environ).is_dir() or shutil.which(self.program, path=environ.get("PATH", "")) is not None

    def missing(self, environ: Mapping[str, str]) -> str:
        return (
            f"{self.title} was not found: there is no {self.folder(environ)} and no `{self.program}` on the PATH. "
            "Install it and start it once."
        )

    def wanted(self, home: Home, folder: Path, *, user_hooks: bool) -> Wanted:  # noqa: ARG002  it has no hooks
        own = {folder / PLUGIN: plugin(home, self.name)}
        return Wanted((), own | dict(self._beside(folder)), {}, SIGN)

    def _beside(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        """What keeps its start short, where nothing stands or it is ours."""
        lock, marker = files.read(folder / LOCK), files.read(folder / MARKER)
        if (lock is None and not any((folder / name).exists() for name in PACKAGES)) or (lock and SIGN in lock):
            yield folder / LOCK, _lock(self.package)
            yield folder / MARKER, _MARK
        elif marker and SIGN in marker:  # the client has packages of its own by now
            yield folder / MARKER, _MARK

    def remarks(self, folder: Path) -> tuple[str, ...]:
        return tuple(self._slow(folder))

    def _slow(self, folder: Path) -> Iterator[str]:
        if (folder / LOCK).exists() and (folder / "node_modules").exists():
            return
        if any((folder / name).exists() for name in PACKAGES):
            yield (
                f"{folder} has packages that are not all installed: without a network {self.title} tries to at each "
                f"start, for more than a minute. `npm install` there ends it"
            )

    def variables(self, folder: Path) -> Mapping[Path, Mapping[str, str]]:  # noqa: ARG002  it gives none
        return {}


def _lock(package: str) -> bytes:
    """It stands for the package by its name alone, so that it holds for each version of the client."""
    said = f"{SIGN.decode()}, so that {package} is not waited for at each start; `npm install {package}` if you need it"
    lock = {"//": said, "lockfileVersion": 3, "packages": {"": {"dependencies": {package: "*"}}}}
    return (json.dumps(lock, indent=2) + "\n").encode()


def plugin(home: Home, client: str) -> bytes:
    """The built file with what it has to know of this memory."""
    words = {
        "CLIENT": client,
        "VERSION": __version__,
        "SOCKET": str(home.socket),
        "START": str(home.hook / "start"),
        "PROGRAM": str(install.program(home)),
        "TOOLS": json.dumps(list(_tools())),
        "MARKS": json.dumps(_marks(client)),
    }
    text = BUILT.read_text("utf-8")
    for name, value in words.items():
        text = text.replace(f'"@{name}@"', json.dumps(value))
    return b"// " + SIGN + b"\n" + text.encode()


def _tools() -> Iterator[dict[str, object]]:
    for tool in mcp.TOOLS:
        asked = str(tool["name"])
        yield {
            "name": TOOLS[asked],
            "asked": asked,
            "description": tool["description"],
            "schema": tool["inputSchema"],
        }


def _marks(client: str) -> list[str]:
    """The variables that other clients set for what they run, and this one does not."""
    every = clients.every()
    own = {name for one in every if one.name == client for name in one.marks}
    return list(dict.fromkeys(name for one in every for name in one.marks if name not in own))


RECIPE = LikeOpenCode(name="opencode", title="OpenCode", program="opencode", package="@opencode-ai/plugin")
