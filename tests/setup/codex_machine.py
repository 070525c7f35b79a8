"""A machine with Codex's configuration and a home for the memory, both below a temporary folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardwon.clients.codex.recipe import RECIPE
from hardwon.clients.installing import removal, setup
from hardwon.paths import Home


@dataclass(frozen=True, slots=True)
class CodexMachine:
    root: Path

    @property
    def home(self) -> Home:
        return Home(self.root / ".hardwon")

    @property
    def config(self) -> Path:
        return self.root / ".codex"

    @property
    def settings(self) -> Path:
        return self.config / "config.toml"

    @property
    def hooks(self) -> Path:
        return self.config / "hooks.json"

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.root), "PATH": ""}

    def set_up(self) -> setup.Plan:
        plan = setup.plan(self.home, RECIPE, self.environ)
        setup.apply(self.home, plan)
        return plan

    def take_out(self) -> removal.Plan:
        plan = removal.plan(self.home, RECIPE, self.environ)
        removal.apply(plan)
        removal.clear(self.home, plan)
        return plan
