"""Real repositories in a folder of one's own, without the developer's git around them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.git_of_nobody import git_of_nobody
from tests.project.visits import Git, Projects


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, and no trace of the developer's git."""
    git_of_nobody(monkeypatch)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def projects() -> Projects:
    return Projects()


@pytest.fixture
def git() -> Git:
    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    return run


@pytest.fixture
def make(git: Git, tmp_path: Path) -> Callable[..., Path]:
    """A repository with one commit of its own, and a remote if wanted."""

    def repository(where: str, remote: str = "") -> Path:
        folder = tmp_path / where
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        git(folder, "commit", "-q", "--allow-empty", "-m", f"first of {where}")
        if remote:
            git(folder, "remote", "add", "origin", remote)
        return folder

    return repository
