"""Where a project is: the folder that is listed for it follows the repository."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.memory import Trust
from hardwon.project import Alias
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.log import exchange
from tests.commandline import Cli
from tests.git_of_nobody import git_of_nobody
from tests.support import now, opened

HUB = "https://github.com/acme/app.git"
OTHER = "https://github.com/acme/other.git"
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A repository with a first commit, and a remote where one is given."""
    git_of_nobody(monkeypatch)

    def repository(name: str, remote: str = "") -> Path:
        folder = tmp_path / "work" / name
        folder.mkdir(parents=True)
        more = [["remote", "add", "origin", remote]] if remote else []
        for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", f"{name} {remote}"], *more):
            subprocess.run(["git", *arguments], cwd=folder, check=True)
        return folder

    return repository


def root(store: Store, folder: Path) -> str:
    """Where the project of a folder is said to be, once something is kept there; asked twice, written once."""
    _, project = projects.claim(store, folder, now())
    before = store.db.total_changes()
    assert projects.claim(store, folder, now())[1] == project
    assert store.db.total_changes() == before, "nothing was left to write"
    return project.root


def move(folder: Path, name: str) -> Path:
    return folder.rename(folder.with_name(name))


def test_a_moved_repository_is_listed_where_it_is(cli: Cli, make: Make) -> None:
    """From the next note there, and also after the database was lost and made again from the log."""
    app = make("app2")
    cli.run("note", "The tests need Redis", cwd=app)
    moved = move(app, "app3")
    cli.run("note", "Redis needs a password", cwd=moved)
    assert f"* app2\t2 memories\t{moved}\n" in cli.run("project", "list", cwd=moved).stdout
    (cli.home / "memory.db").write_bytes(b"not a database" * 1000)
    cli.run("doctor", "--fix", cwd=moved)
    (item,) = cli.json("project", "list", cwd=moved)["items"]
    assert (item["root"], item["memories"]) == (str(moved), 2)


@pytest.mark.parametrize("remote", ["", HUB], ids=["without a remote", "with one"])
def test_there_and_back_again(tmp_path: Path, make: Make, remote: str) -> None:
    """At a place where it was before nothing is new but the place itself."""
    app = make("app", remote)
    with opened(tmp_path / "home") as store:
        for name in ("app", "app3", "app"):
            app = move(app, name)
            assert root(store, app) == str(app)
        assert len(projects.listed(store)) == 1


def test_a_second_clone_changes_nothing_while_the_first_is_there(tmp_path: Path, make: Make) -> None:
    """The first one is where the project is; when it is gone, it is the other."""
    app = make("app", HUB)
    clone = tmp_path / "work" / "clone"
    shutil.copytree(app, clone)
    with opened(tmp_path / "home") as store:
        assert root(store, app) == root(store, clone) == str(app)
        shutil.rmtree(app)
        assert root(store, clone) == str(clone)


def test_another_repository_in_the_old_place(tmp_path: Path, make: Make) -> None:
    """What lies there now is another project, and two are not listed in one folder."""
    app = make("app", HUB)
    with opened(tmp_path / "home") as store:
        root(store, app)
        moved = move(app, "moved")
        assert root(store, make("app", OTHER)) == str(app)
        assert root(store, moved) == str(moved)
        assert sorted(one.root for one in projects.listed(store)) == [str(app), str(moved)]


def test_a_folder_that_is_gone_is_no_place(tmp_path: Path, make: Make) -> None:
    """An old session is read: where it took place the project was once, not now."""
    app = make("app")
    with opened(tmp_path / "home") as store:
        root(store, app)
        moved = move(app, "moved")
        root(store, moved)
        shutil.rmtree(moved)
        assert root(store, app) == str(moved)


def test_a_folder_below_is_not_the_project(tmp_path: Path) -> None:
    """Without git a folder belongs to the project around it, wherever that one is said to be."""
    inside = tmp_path / "work" / "app" / "src"
    inside.mkdir(parents=True)
    with opened(tmp_path / "home") as store:
        gone = str(tmp_path / "gone")
        _, project = projects.claim(store, inside.parent, now())
        projects.put_back(store, project.id, "app", gone, 1, None, [Alias("path", str(inside.parent))])
        assert root(store, inside) == gone
        assert root(store, inside.parent) == str(inside.parent)


def test_a_folder_named_like_a_key(tmp_path: Path, make: Make) -> None:
    """What is listed is redacted there, too, and it is not written again and again."""
    app = make("app")
    with opened(tmp_path / "home") as store:
        root(store, app)
        moved = move(app, "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
        said = root(store, moved)
        assert "ghp_" not in said
        assert said.startswith(str(app.parent))


def test_each_home_has_its_own_place(tmp_path: Path, make: Make) -> None:
    """A project from an export is where it is here; what another home says later does not move it."""
    app = make("app", HUB)
    with opened(tmp_path / "home") as store, opened(tmp_path / "other") as other:
        root(store, app)
        moved = move(app, "moved")
        exchange.merge(other, exchange.export(store), now(), Trust.USER)
        assert root(other, moved) == str(moved)
        exchange.merge(other, exchange.export(store), now(), Trust.USER)
        assert root(other, moved) == str(moved)
        exchange.merge(store, exchange.export(other), now(), Trust.USER)
        assert [one.root for one in projects.listed(store)] == [str(app)]
