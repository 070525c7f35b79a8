"""Things that look alike and are two projects: one name, one history, one path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hardwon.project import Alias, describe
from tests.project.visits import HUB, OTHER, Git, Make, Projects


def test_two_folders_of_one_name_are_two_projects(projects: Projects, make: Make, tmp_path: Path) -> None:
    """With git, without, and mixed."""
    folders = [make("a/app"), make("b/app"), tmp_path / "c/app", tmp_path / "d/app"]
    for folder in folders[2:]:
        folder.mkdir(parents=True)
    assert len({projects.visit(folder) for folder in folders}) == 4


def test_a_fork_is_another_project(projects: Projects, make: Make, git: Git) -> None:
    """The same history under another remote; both stay what they are when seen again."""
    app = make("app", HUB)
    fork = app.with_name("fork")
    shutil.copytree(app, fork)
    git(fork, "remote", "set-url", "origin", "https://github.com/somebody/app.git")
    git(fork, "remote", "add", "upstream", HUB)
    assert projects.visit(app) != projects.visit(fork)
    assert projects.visit(app) != projects.visit(fork)


def test_two_projects_of_one_template_are_two(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """Cloned with its history and given other remotes, or none yet."""
    template = make("template")
    for name in ("one", "two", "three", "four"):
        git(tmp_path, "clone", "-q", str(template), name)
        git(tmp_path / name, "remote", "remove", "origin")
    git(tmp_path / "three", "remote", "add", "origin", HUB)
    git(tmp_path / "four", "remote", "add", "origin", OTHER)
    shutil.rmtree(template)
    for count, name in enumerate(("one", "three", "two", "four"), start=1):
        projects.visit(tmp_path / name)
        assert len(projects.rows) == count


def test_a_moved_one_of_two_copies_is_not_guessed(projects: Projects, make: Make, tmp_path: Path) -> None:
    """Two projects with one history are gone from where they were: a third folder could be either."""
    app = make("app")
    shutil.copytree(app, tmp_path / "copy")
    known = {projects.visit(app), projects.visit(tmp_path / "copy")}
    shutil.copytree(app, tmp_path / "third")
    shutil.rmtree(app)
    shutil.rmtree(tmp_path / "copy")
    assert len(known) == 2
    assert projects.visit(tmp_path / "third") not in known


def test_a_submodule_is_its_own_project(projects: Projects, make: Make, git: Git) -> None:
    """It has its own remote and its own git dir inside the one around it."""
    library, app = make("library"), make("app")
    git(app, "submodule", "--quiet", "add", str(library), "vendor/library")
    assert projects.visit(app) != projects.visit(app / "vendor/library")
    assert projects.visit(app / "vendor/library") == projects.visit(library)
    assert describe(app / "vendor/library").root == str(app / "vendor/library")


def test_a_repository_inside_another_is_its_own_project(projects: Projects, make: Make) -> None:
    """The nearest .git counts."""
    assert projects.visit(make("app")) != projects.visit(make("app/inner"))


@pytest.mark.parametrize(("before", "after"), [(HUB, OTHER), (HUB, ""), (HUB, "../source")])
def test_a_path_reused_by_another_repository(
    projects: Projects, make: Make, tmp_path: Path, before: str, after: str
) -> None:
    """Another history under another remote, or under none: a new project, and the path leads to it from now on."""
    make("source")
    old = projects.visit(make("app", before))
    shutil.rmtree(tmp_path / "app")
    new = projects.visit(make("./app", after))
    assert new != old
    assert Alias("path", str(tmp_path / "app")) in projects.rows[new]
    assert Alias("remote", "github.com/acme/app") in projects.rows[old]
    shutil.rmtree(tmp_path / "app")
    (tmp_path / "app").mkdir()
    assert projects.visit(tmp_path / "app") == new


def test_a_path_reused_by_a_clone_of_a_known_project(projects: Projects, make: Make, tmp_path: Path) -> None:
    """The remote is stronger than the path, which changes hands."""
    old, other = projects.visit(make("app", HUB)), projects.visit(make("other", OTHER))
    shutil.rmtree(tmp_path / "app")
    assert projects.visit(make("./app", OTHER)) == other
    assert Alias("path", str(tmp_path / "app")) not in projects.rows[old]


def test_a_work_tree_path_reused_by_another_repository(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Tools give work trees the same few names again and again, also for repositories without a remote."""
    tree = str(tmp_path / "tree")
    seen = []
    for app in (make("app"), make("other")):
        git(app, "worktree", "add", "-q", tree)
        seen.append(projects.visit(tmp_path / "tree"))
        git(app, "worktree", "remove", tree)
    assert seen[0] != seen[1]
    assert seen == [projects.visit(tmp_path / "app"), projects.visit(tmp_path / "other")]


def test_a_clone_of_what_replaced_a_known_repository(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """The path of the origin is known, but what lies there is another repository: its project is not this one."""
    old = projects.visit(make("a", HUB))
    shutil.rmtree(tmp_path / "a")
    make("./a", OTHER)
    git(tmp_path, "clone", "-q", "a", "b")
    new = projects.visit(tmp_path / "b")
    assert new != old
    assert projects.visit(tmp_path / "a") == new
