"""The clients that hardwon knows, a folder each. A new one is a folder with a `spec.py`, and its line here.

`HARDWON_CLIENTS` names further packages, for trying one out before it is here.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import lru_cache

from hardwon.clients.client import Client, Messages, Reaches
from hardwon.event import Moment

__all__ = ["Client", "Messages", "Reaches", "every", "find", "reaches", "session_of"]

PACKAGES = (
    "hardwon.clients.claude_code",
    "hardwon.clients.codex",
    "hardwon.clients.swe_agent",
    "hardwon.clients.aider",
)


def every() -> tuple[Client, ...]:
    return _loaded((*PACKAGES, *os.environ.get("HARDWON_CLIENTS", "").split()))


@lru_cache(maxsize=4)
def _loaded(packages: tuple[str, ...]) -> tuple[Client, ...]:
    return tuple(importlib.import_module(f"{package}.spec").CLIENT for package in packages)


def find(name: str) -> Client | None:
    return next((client for client in every() if client.name == name), None)


def reaches(client: str, moment: Moment) -> Reaches | None:
    """None for a client that nothing is said to."""
    found = find(client)
    return found.reaches(moment) if found else None


def session_of(environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The client and the session that a command was started by."""
    for client in every():
        for name in client.session_variables:
            if environ.get(name):
                return client.name, environ[name]
    return None
