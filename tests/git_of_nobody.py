"""Git as on a machine that nobody has set up."""

from __future__ import annotations

import os

import pytest


def git_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No trace of the developer's git, and authors for the commits."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "somebody@example.org")
