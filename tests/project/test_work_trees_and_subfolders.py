"""Many folders, one project: work trees, subfolders and links belong to what they are part of."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.project import Alias, describe
from tests.project.visits import Git, Make, Projects


def test_work_trees_share_a_project(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """With or without a remote, from any folder inside; and the session that removes its own work tree ends in it."""
    app = make("app")
    first = projects.visit(app)
    tree = tmp_path / "trees" / "fix"
    git(app, "worktree", "add", "-q", str(tree))
    (tree / "src").mkdir()
    assert projects.visit(tree / "src") == first
    assert describe(tree).root == str(tree)
    assert describe(tree).name == "app"
    git(app, "worktree", "remove", "--force", str(tree))
    assert projects.visit(tree / "src") == first


def test_a_work_tree_seen_before_the_main_one(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """The order in which folders are visited does not matter."""
    app = make("app")
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert projects.visit(tmp_path / "tree") == projects.visit(app)


def test_work_trees_of_a_bare_repository(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """`app/.bare` with work trees beside it is called app."""
    make("source")
    git(tmp_path, "clone", "-q", "--bare", "source", "app/.bare")
    git(tmp_path / "app/.bare", "remote", "remove", "origin")
    for name in ("one", "two"):
        git(tmp_path / "app/.bare", "worktree", "add", "-q", str(tmp_path / "app" / name))
    places = [tmp_path / "app/one", tmp_path / "app/two", tmp_path / "app/.bare", tmp_path / "app/.bare/refs"]
    assert len({projects.visit(place) for place in places}) == 1
    assert {describe(place).name for place in places} == {"app"}


def test_a_subfolder_belongs_to_the_repository(projects: Projects, make: Make) -> None:
    """A package of a monorepo is the project of the top, and so is the folder of git itself."""
    app = make("mono")
    (app / "packages/ui").mkdir(parents=True)
    first = projects.visit(app)
    assert projects.visit(app / "packages/ui") == first
    assert projects.visit(app / ".git/refs") == first
    assert describe(app / "packages/ui").root == describe(app / ".git/refs").root == str(app)


def test_a_deleted_subfolder_belongs_to_the_repository(projects: Projects, make: Make) -> None:
    """An agent may delete the folder it stands in."""
    app = make("app")
    assert projects.visit(app / "gone/deeper") == projects.visit(app)


def test_a_symlink_is_the_folder_it_leads_to(projects: Projects, make: Make, tmp_path: Path) -> None:
    """One folder, two ways to it."""
    app = make("real/app")
    (tmp_path / "link").symlink_to(app)
    assert projects.visit(tmp_path / "link") == projects.visit(app)
    assert describe(tmp_path / "link").root == str(app)


def test_a_subfolder_of_a_folder_without_git_belongs_to_it(projects: Projects, tmp_path: Path) -> None:
    """The nearest known folder above counts, and the path of the subfolder is not written down."""
    (tmp_path / "notes/2024/may").mkdir(parents=True)
    notes = projects.visit(tmp_path / "notes")
    assert projects.visit(tmp_path / "notes/2024") == notes
    assert projects.visit(tmp_path / "notes/2024/may") == notes
    assert projects.rows == {notes: {Alias("path", str(tmp_path / "notes"))}}


def test_a_subfolder_known_before_its_parent_stays_itself(projects: Projects, tmp_path: Path) -> None:
    """What has been a project is not swallowed later."""
    (tmp_path / "notes/2024").mkdir(parents=True)
    inner = projects.visit(tmp_path / "notes/2024")
    assert projects.visit(tmp_path / "notes") != inner
    assert projects.visit(tmp_path / "notes/2024") == inner


def test_home_and_temporary_folders_are_nobodys_parent(projects: Projects, tmp_path: Path) -> None:
    """One may work in the home folder, but what lies below is not part of that."""
    home = tmp_path / "home"
    (home / "notes").mkdir()
    assert describe(home).name == "~"
    assert describe(home).parents == describe("/").parents == ()
    assert projects.visit(home) != projects.visit(home / "notes")
    assert projects.visit(Path("/")) not in {projects.visit(home), projects.visit(tmp_path)}
    assert describe(home / "notes").parents == ()


def test_parents_end_below_what_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the temporary folder, nor what contains it or the home folder."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    inside, beside = tmp_path / "scratch/a/b", tmp_path / "beside/b"
    assert describe(inside).parents == (str(tmp_path / "scratch/a"),)
    assert describe(beside).parents == (str(tmp_path / "beside"),)
