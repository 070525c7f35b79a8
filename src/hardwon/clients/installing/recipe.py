"""What has to be said about a client so that hardwon can be put into it and taken out again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from hardwon.paths import Home


class SetupError(ValueError):
    """Something that can't be set up or taken out: a sentence with the next step."""


@dataclass(frozen=True, slots=True)
class Config:
    """A file of the client in JSON or TOML, and what of it is ours.

    `members` are ours by their name, wherever they lead; None is one that we once wrote and do not want now. `hooks`
    are groups in lists that we share with others, by event; one is ours when its command has the `sign`.
    """

    path: Path
    members: Mapping[tuple[str, ...], Any]
    hooks: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    sign: re.Pattern[str] | None = None
    touched: tuple[str, ...] = ()
    """Keys of our members that the client changes as it likes."""
    traces: tuple[tuple[str, ...], ...] = ()
    """What the client writes about our entries: it goes when they go, and is left alone until then."""
    by_client: bool = False
    """The client writes it on its own account, for us: we only take our entries out."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Everything of ours that a client should have."""

    configs: tuple[Config, ...]
    files: Mapping[Path, bytes]
    """Whole files of ours in the client's folder, each with the `sign` in it."""
    own: Mapping[Path, bytes]
    """Whole files of ours in the home."""
    sign: bytes
    leftovers: tuple[Path, ...] = ()
    """Folders that the client made for us alone."""


class Recipe(Protocol):
    """A client."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    def folder(self, environ: Mapping[str, str]) -> Path:
        """Where its configuration is, whether it exists or not."""

    def is_here(self, environ: Mapping[str, str]) -> bool:
        """Whether it is installed."""

    def missing(self, environ: Mapping[str, str]) -> str:
        """Why not, with the next step."""

    def wanted(self, home: Home, folder: Path, *, user_hooks: bool) -> Wanted: ...

    def remarks(self, folder: Path) -> tuple[str, ...]:
        """What in the client's own settings keeps us from working."""

    def variables(self, folder: Path) -> Mapping[Path, Mapping[str, str]]:
        """The variables that its settings give to whatever it starts, by the file that they stand in."""


@runtime_checkable
class Consenting(Protocol):
    """A client that runs what was put into it only after a person has agreed to it there."""

    def withheld(self, folder: Path, environ: Mapping[str, str]) -> str:
        """What of ours it does not run, and why; empty when it runs all."""

    @property
    def consent(self) -> str:
        """What the person has to do."""
