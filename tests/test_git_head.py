"""Which branch a folder is on, by git's own files: in all of its states, and in a large repository."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from hardwon import git_head

ENVIRONMENT = {
    "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_EDITOR": "true",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.invalid", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
}  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """On `feature`, two commits ahead of `main`."""
    folder = tmp_path.resolve() / "app"
    folder.mkdir()
    run("git init -q -b main && echo 1 > f && git add . && git commit -qm one && git switch -qc feature", folder)
    run("echo 2 > f && git commit -qam two && echo 3 > f && git commit -qam three", folder)
    return folder


def run(command: str, folder: Path) -> None:
    subprocess.run(["sh", "-c", command], cwd=folder, env=ENVIRONMENT, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)  # fmt: skip


# What is done, where it is looked at, and the branch.
STATES = [
    ("true", "", "feature"),
    ("mkdir -p a/b", "a/b", "feature"),
    ("git checkout -q HEAD~1", "", ""),
    ("git worktree add -q ../other main", "../other", "main"),
    ("git checkout -q main; echo 9 > f; git commit -qam nine; git checkout -q feature; git rebase main", "", "feature"),
    ("git bisect start && git bisect bad && git bisect good main", "", ""),
    ("git pack-refs --all", "", "feature"),
    ("git init -q -b sub inner", "inner", "sub"),
]


@pytest.mark.parametrize(("done", "where", "branch"), STATES)
def test_which_branch(repository: Path, done: str, where: str, branch: str) -> None:
    """In a folder below, a linked worktree, a rebase that stopped, a bisect, a repository within."""
    run(done, repository)
    assert git_head.read(str((repository / where).resolve())).branch == branch


def test_outside_git_there_is_none(tmp_path: Path) -> None:
    assert git_head.read("relative") == git_head.NOWHERE
    assert git_head.life(str(tmp_path), "../../etc/passwd") == git_head.Life()


def test_a_ref_is_found_loose_and_packed(repository: Path) -> None:
    """And never outside of the git dir."""
    head = git_head.read(str(repository))
    loose = git_head.ref(head.common, "refs/heads/feature")
    run("git pack-refs --all", repository)
    assert git_head.ref(head.common, "refs/heads/feature") == loose == git_head.commit(head)
    assert git_head.ref(head.common, "refs/heads/../../HEAD") == ""


def test_a_new_branch_of_the_same_name_has_a_new_life(repository: Path) -> None:
    """A rename goes on with the old one, and says what it was called."""
    run("git branch -m feature other", repository)
    head = git_head.read(str(repository))
    life = git_head.life(head.common, "other")
    assert life.born
    assert [name for name, _ in life.names] == ["feature"]
    run("git switch -q main && git branch -D other && git branch other", repository)
    assert git_head.life(head.common, "other").names == ()


def test_fifty_thousand_refs_are_looked_through_in_time(repository: Path) -> None:
    """Far below the limit of a hook; nothing of them is taken apart."""
    head = git_head.read(str(repository))
    sha = git_head.commit(head)
    names = "".join(f"{sha} refs/remotes/origin/team/feature-{number:06}\n" for number in range(50_000))
    Path(head.common, "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{names}")
    began = time.monotonic()
    assert git_head.ref(head.common, "refs/remotes/origin/team/feature-049999") == sha
    assert git_head.ref(head.common, "refs/remotes/origin/team/feature") == ""
    assert git_head.default_branch(head.common) == "main"
    assert time.monotonic() - began < 0.25
