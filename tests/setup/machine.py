"""A machine with a client's configuration and a home for the memory, both below a temporary folder."""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code.recipe import ClaudeCode
from hardwon.clients.installing import removal, setup
from hardwon.clients.installing.json_text import JsonText
from hardwon.paths import Home

CLIENT = ClaudeCode()
WAYS = [False, True]
"""As a plugin, and by hooks of the user."""


@dataclass(frozen=True, slots=True)
class Machine:
    root: Path
    home: Home

    @property
    def config(self) -> Path:
        return self.root / ".claude"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.root), "PATH": ""}

    def write(self, text: str | bytes) -> None:
        """The user's settings."""
        self.config.mkdir(exist_ok=True)
        self.settings.write_bytes(text if isinstance(text, bytes) else text.encode())

    def value(self) -> Any:
        return JsonText(self.settings.read_bytes().decode()).value

    def set_up(self, user_hooks: bool | None = None) -> setup.Plan:
        plan = setup.plan(self.home, CLIENT, self.environ, user_hooks)
        setup.apply(self.home, plan)
        return plan

    def take_out(self) -> removal.Plan:
        plan = removal.plan(self.home, CLIENT, self.environ)
        removal.apply(plan)
        removal.clear(self.home, plan)
        return plan


def tree(folder: Path) -> dict[str, tuple[str, str]]:
    """Every file, link and folder below: its mode, and what it holds or where it leads."""
    return {str(path.relative_to(folder)): _state(path) for path in sorted(folder.rglob("*"))}


def _state(path: Path) -> tuple[str, str]:
    mode = stat.filemode(path.lstat().st_mode)
    if path.is_symlink():
        return mode, str(path.readlink())
    return mode, "" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
