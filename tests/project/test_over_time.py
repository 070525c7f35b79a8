"""A folder stays the same project while it is committed, moved, pushed and renamed."""

from __future__ import annotations

import shutil
from pathlib import Path

from hardwon.project import Alias
from tests.project.visits import HUB, OTHER, Git, Make, Projects


def test_a_folder_stays_itself_while_it_becomes_a_repository(projects: Projects, git: Git, tmp_path: Path) -> None:
    """Initialised, committed, amended, pushed to a folder and then to a host: the same project at every step."""
    app, bare = tmp_path / "app", tmp_path / "app.git"
    app.mkdir()
    first = projects.visit(app)
    steps: list[tuple[str, ...]] = [
        ("init", "-q"),
        ("commit", "-q", "--allow-empty", "-m", "first"),
        ("commit", "-q", "--amend", "--allow-empty", "-m", "the first commit is another one now"),
        ("init", "-q", "--bare", str(bare)),
        ("remote", "add", "origin", str(bare)),
        ("push", "-q", "-u", "origin", "HEAD"),
        ("remote", "set-url", "origin", HUB),
    ]
    for step in steps:
        git(app, *step)
        assert projects.visit(app) == first, step
    assert len(projects.rows) == 1
    assert Alias("remote", "github.com/acme/app") in projects.rows[first]


def test_a_first_commit_amended_unseen_and_then_pushed_is_the_same(projects: Projects, git: Git, make: Make) -> None:
    """Between two sessions anything may happen to a young repository; the git dir says it is the same one."""
    app = make("app")
    first = projects.visit(app)
    git(app, "commit", "-q", "--amend", "--allow-empty", "-m", "better words")
    git(app, "remote", "add", "origin", HUB)
    assert projects.visit(app) == first


def test_a_repository_without_a_remote_survives_a_move(projects: Projects, make: Make, tmp_path: Path) -> None:
    """Its first commit is what a moved or renamed repository can be known by."""
    app = make("app")
    first = projects.visit(app)
    (tmp_path / "elsewhere").mkdir()
    moved = app.rename(tmp_path / "elsewhere" / "renamed")
    assert projects.visit(moved) == first
    assert projects.visit(moved.rename(tmp_path / "again")) == first


def test_a_repository_moved_and_then_pushed_is_the_same(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Both at once between two sessions: the first commit joins, for the project never had a remote."""
    first = projects.visit(make("app"))
    moved = (tmp_path / "app").rename(tmp_path / "new")
    git(moved, "remote", "add", "origin", HUB)
    assert projects.visit(moved) == first


def test_a_repository_with_a_remote_survives_a_move(projects: Projects, make: Make, tmp_path: Path) -> None:
    """The remote is enough, wherever the folder lies."""
    app = make("app", HUB)
    first = projects.visit(app)
    assert projects.visit(app.rename(tmp_path / "renamed")) == first


def test_a_folder_without_git_does_not_survive_a_move(projects: Projects, tmp_path: Path) -> None:
    """Nothing is left to know it by; the user merges the two."""
    notes = tmp_path / "notes"
    notes.mkdir()
    first = projects.visit(notes)
    assert projects.visit(notes.rename(tmp_path / "moved")) != first


def test_a_changed_remote_is_the_same_project(projects: Projects, make: Make, git: Git) -> None:
    """A repository that was renamed or moved to another host keeps its history, and both remotes lead to it."""
    app = make("app", HUB)
    first = projects.visit(app)
    git(app, "remote", "set-url", "origin", OTHER)
    assert projects.visit(app) == first
    assert {"github.com/acme/app", "github.com/acme/other"} <= {alias.value for alias in projects.rows[first]}


def test_a_changed_remote_of_a_shallow_clone_is_the_same_project(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Where no first commit can be read, the same git dir has to be enough."""
    source = make("source")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "app")
    git(tmp_path / "app", "remote", "set-url", "origin", HUB)
    first = projects.visit(tmp_path / "app")
    git(tmp_path / "app", "remote", "set-url", "origin", OTHER)
    assert projects.visit(tmp_path / "app") == first


def test_a_removed_git_folder_leaves_the_path(projects: Projects, make: Make) -> None:
    """Who deletes .git still works on the same thing."""
    app = make("app", HUB)
    first = projects.visit(app)
    shutil.rmtree(app / ".git")
    assert projects.visit(app) == first
