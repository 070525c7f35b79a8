"""How hardwon is put into the toy: hooks and a server in `~/.toy/toy.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hardwon.clients.installing.recipe import Config, Wanted
from hardwon.hook import install
from hardwon.paths import Home
from tests.clients.toy.messages import HOOKS

SIGN = re.compile(r"/hook/client\.py .* toy ")


class ToyRecipe:
    name = "toy"
    title = "Toy Agent"

    def folder(self, environ: Mapping[str, str]) -> Path:
        return Path(environ["HOME"], ".toy")

    def is_here(self, environ: Mapping[str, str]) -> bool:
        return self.folder(environ).is_dir()

    def missing(self, environ: Mapping[str, str]) -> str:
        return f"there is no {self.folder(environ)}: start the toy once"

    def wanted(self, home: Home, folder: Path, *, user_hooks: bool) -> Wanted:  # noqa: ARG002
        groups = tuple(
            (hook.event, {"hooks": [{"type": "command", "command": install.command(home, "toy", hook)}]})
            for hook in HOOKS
        )
        members: dict[tuple[str, ...], object] = {("servers", "hardwon"): {"run": str(install.mcp_server(home))}}
        return Wanted((Config(folder / "toy.json", members, groups, SIGN),), files={}, own={}, sign=b"hardwon")

    def remarks(self, folder: Path) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def variables(self, folder: Path) -> Mapping[Path, Mapping[str, str]]:  # noqa: ARG002
        return {}


RECIPE = ToyRecipe()
