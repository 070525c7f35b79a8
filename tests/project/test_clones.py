"""Many folders, one project: clones of a remote, of a folder, and of each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hardwon.project import Alias, describe
from tests.project.visits import HUB, Git, Make, Projects


def test_clones_of_one_remote_are_one_project(projects: Projects, make: Make) -> None:
    """Two folders, one remote, whatever way it is spelled and however they are called."""
    first = projects.visit(make("work/app", HUB))
    assert projects.visit(make("play/app-again", "git@github.com:acme/app.git")) == first
    assert projects.visit(make("third", "ssh://git@ssh.github.com:443/Acme/App")) == first


def test_a_shallow_clone_joins_by_its_remote(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """It has no first commit to be known by, and git says none rather than a wrong one."""
    source = make("source")
    git(source, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "shallow")
    assert not describe(tmp_path / "shallow", with_root_commit=True).of("root_commit")
    assert projects.visit(tmp_path / "shallow") == projects.visit(source)


@pytest.mark.parametrize("clone_first", [False, True])
@pytest.mark.parametrize("remote", ["", HUB])
def test_a_clone_of_a_folder_joins_that_folder(
    projects: Projects, make: Make, git: Git, tmp_path: Path, clone_first: bool, remote: str
) -> None:
    """`git clone ../a b` is the same project as a, whichever is seen first and whether a has a remote or not."""
    source = make("a", remote)
    git(tmp_path, "clone", "-q", "a", "b")
    folders = [tmp_path / "b", source] if clone_first else [source, tmp_path / "b"]
    assert len({projects.visit(folder) for folder in folders}) == 1


def test_a_clone_of_a_clone_belongs_to_the_remote_of_the_first(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """A sandbox cloned from a work tree is the project of the host, even if that work tree was never visited."""
    first = projects.visit(make("elsewhere", HUB))
    make("a", HUB)
    git(tmp_path, "clone", "-q", "a", "b")
    git(tmp_path, "clone", "-q", "b/.git", "c")
    assert projects.visit(tmp_path / "c") == first
    assert describe(tmp_path / "c").name == "app"


def test_a_clone_of_a_folder_known_before_it_was_a_repository(
    projects: Projects, git: Git, tmp_path: Path, make: Make
) -> None:
    """The store has only a path of it then, and that is enough."""
    (tmp_path / "a").mkdir()
    first = projects.visit(tmp_path / "a")
    git(tmp_path / "a", "init", "-q")
    git(tmp_path / "a", "commit", "-q", "--allow-empty", "-m", "first")
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first


def test_a_clone_into_a_known_folder_joins_where_it_came_from(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """What was cloned says more than what the folder was before."""
    first = projects.visit(make("a"))
    (tmp_path / "b").mkdir()
    assert projects.visit(tmp_path / "b") != first
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first


def test_a_clone_in_the_place_of_a_known_repository_joins_where_it_came_from(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """The old one had no remote and the git dir has the same path, but the history is that of the origin."""
    first, other = projects.visit(make("a")), projects.visit(make("b"))
    shutil.rmtree(tmp_path / "b")
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first != other


def test_a_remote_that_is_a_foreign_folder_does_not_take_the_project_away(
    projects: Projects, make: Make, git: Git
) -> None:
    """Somebody adds an unrelated repository as a remote: the own history stays where it was."""
    make("a")
    own = make("b")
    first = projects.visit(own)
    projects.visit(own.with_name("a"))
    git(own, "remote", "add", "origin", "../a")
    assert projects.visit(own) == first


def test_a_clone_of_a_folder_that_is_gone_joins_what_was_there(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Its only remote leads to a path of the project: that is no other remote, even if the project also has one."""
    source = make("a", HUB)
    first = projects.visit(source)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "b")
    shutil.rmtree(source)
    assert projects.visit(tmp_path / "b") == first


def test_the_origin_of_a_clone_may_change_after_it(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """It gets a remote and another first commit: the clone still says that it came from here."""
    source = make("a")
    git(tmp_path, "clone", "-q", "a", "b")
    first = projects.visit(tmp_path / "b")
    git(source, "commit", "-q", "--amend", "--allow-empty", "-m", "better words")
    git(source, "remote", "add", "origin", HUB)
    assert projects.visit(source) == first


def test_a_remote_with_a_relative_path_starts_at_the_work_tree(projects: Projects, make: Make, git: Git) -> None:
    """git reads such a path from the top of the work tree, not from the current folder."""
    source, clone = make("a"), make("b", "../a")
    (clone / "deep").mkdir()
    assert Alias("remote", f"file:{source}") in describe(clone / "deep").aliases


def test_two_that_name_each_other_as_remote_do_not_go_in_circles(projects: Projects, make: Make) -> None:
    """A remote is only text; following it must end."""
    a, b = make("a", "../b"), make("b", "../a")
    assert projects.visit(a) == projects.visit(b)


def test_what_was_pushed_and_cloned_elsewhere_joins_by_history(projects: Projects, make: Make, git: Git) -> None:
    """The clone is seen first, the folder it came from had no remote when it was seen: one history, one project."""
    app = make("app")
    first = projects.visit(app)
    git(app, "remote", "add", "origin", HUB)
    shutil.copytree(app, app.with_name("clone"))
    assert projects.visit(app.with_name("clone")) == first
    assert projects.visit(app) == first
