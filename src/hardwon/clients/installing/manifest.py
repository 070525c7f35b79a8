"""What was done to a client, so that it can be undone: kept in the home, beside what the client reads from there.

It holds no copy of a client's settings, which may have keys in them, but the way back: where our characters stand.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardwon import __version__
from hardwon.clients.installing import files
from hardwon.clients.installing.json_text import Splice
from hardwon.clients.installing.recipe import SetupError
from hardwon.paths import Home


@dataclass(frozen=True, slots=True)
class Record:
    """A file of the client as we left it, and how it becomes what it was."""

    left: str
    """The hash of its bytes."""
    created: bool
    """There was none before."""
    whole: bool = False
    """All of it is ours."""
    undo: tuple[Splice, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()
    """The objects and lists in it that were not there before."""

    def is_of(self, data: bytes | None) -> bool:
        return data is not None and fingerprint(data) == self.left


@dataclass(frozen=True, slots=True)
class Manifest:
    client: str
    version: str = __version__
    places: dict[str, bool] = field(default_factory=dict)
    """Each folder of the client that we are in, and whether by hooks of the user instead of a plugin."""
    files: dict[str, Record] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    """What we made for these files, the outermost first."""
    absent: tuple[str, ...] = ()
    """Files that the client writes for us, and that were not there before."""

    def to_json(self) -> bytes:
        return (json.dumps(dataclasses.asdict(self), indent=1, ensure_ascii=False) + "\n").encode()


def fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


FOLDER = "clients"


def folder(home: Home) -> Path:
    return home.root / FOLDER


def path(home: Home, client: str) -> Path:
    return folder(home) / f"{client}.json"


def load(home: Home, client: str) -> Manifest | None:
    """What was recorded; None when nothing was."""
    where = path(home, client)
    data = files.read(where)
    if data is None:
        return None
    try:
        return _manifest(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SetupError(
            f"{where} is damaged: {error}. Move it away and run this again: our entries are found without it."
        ) from error


def _manifest(raw: dict[str, Any]) -> Manifest:
    records = {name: _record(one) for name, one in raw["files"].items()}
    return Manifest(
        raw["client"], raw["version"], dict(raw["places"]), records, tuple(raw["folders"]), tuple(raw.get("absent", ()))
    )


def _record(raw: dict[str, Any]) -> Record:
    undo = tuple(Splice(**one) for one in raw["undo"])
    return Record(raw["left"], raw["created"], raw["whole"], undo, tuple(map(tuple, raw["made"])))
