"""The clients that hardwon knows, a folder each. A new one is a folder with a `spec.py`, and its line here.

`HARDWON_CLIENTS` names further packages, for trying one out before it is here.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import lru_cache

from hardwon.clients.client import Client, Messages, Reaches, Typed
from hardwon.clients.installing.recipe import Recipe
from hardwon.clients.logs import Logs
from hardwon.event import Moment

__all__ = [
    "Client",
    "Messages",
    "Reaches",
    "Typed",
    "every",
    "find",
    "logs",
    "messages",
    "reaches",
    "recipe",
    "recipes",
    "session_of",
]

PACKAGES = (
    "hardwon.clients.claude_code",
    "hardwon.clients.codex",
    "hardwon.clients.opencode",
    "hardwon.clients.kilo",
    "hardwon.clients.pi",
    "hardwon.clients.swe_agent",
    "hardwon.clients.aider",
)


def every() -> tuple[Client, ...]:
    return _loaded(PACKAGES) + _tried(_named())[0]


def not_there() -> tuple[str, ...]:
    """What `HARDWON_CLIENTS` names and nobody can import: passed over, so that the others are heard."""
    return _tried(_named())[1]


def _named() -> tuple[str, ...]:
    return tuple(os.environ.get("HARDWON_CLIENTS", "").split())


@lru_cache(maxsize=4)
def _loaded(packages: tuple[str, ...]) -> tuple[Client, ...]:
    return tuple(importlib.import_module(f"{package}.spec").CLIENT for package in packages)


@lru_cache(maxsize=4)
def _tried(packages: tuple[str, ...]) -> tuple[tuple[Client, ...], tuple[str, ...]]:
    found: list[Client] = []
    missing: list[str] = []
    for package in packages:
        try:
            found += _loaded((package,))
        except (ImportError, AttributeError):
            missing.append(package)
    return tuple(found), tuple(missing)


def find(name: str) -> Client | None:
    return next((client for client in every() if client.name == name), None)


def messages(name: str) -> Messages | None:
    """What a client's messages mean; None for one that sends none, or that nobody knows."""
    client = find(name)
    return client.messages if client else None


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


def logs(name: str) -> Logs | None:
    """How a client's records of sessions are read."""
    client = find(name)
    return client.logs if client else None


def recipes() -> tuple[Recipe, ...]:
    """Every client that hardwon can be put into."""
    return tuple(recipe for client in every() if (recipe := client.recipe))


def recipe(name: str) -> Recipe | None:
    return next((one for one in recipes() if one.name == name), None)
