"""Odd file systems: broken, closed, deleted and strangely named folders still have an answer."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardwon.project import Alias, Known, Match, Place, describe, identify, relative_file
from tests.project.visits import HUB, Git, Make, Projects


def path_only(folder: Path) -> Place:
    place = describe(folder)
    assert (place.is_git, place.aliases) == (False, (Alias("path", place.root),))
    return place


def test_a_git_file_that_leads_nowhere_falls_back_to_the_path(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """The main work tree was moved away; a known work tree is still known by its path, from any folder inside."""
    app = make("app")
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree/src").mkdir()
    first = projects.visit(tmp_path / "tree")
    app.rename(tmp_path / "moved")
    assert path_only(tmp_path / "tree/src").root == str(tmp_path / "tree")
    assert projects.visit(tmp_path / "tree/src") == first


@pytest.mark.parametrize("content", ["", "gitdir: nowhere", "gitdir:", "nonsense", "gitdir: ../tree\0", "\xff"])
def test_a_broken_git_file_falls_back_to_the_path(tmp_path: Path, content: str) -> None:
    """Whatever it says."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.git").write_text(content, encoding="latin-1")
    path_only(tmp_path / "tree")


def test_a_git_folder_that_is_none_is_passed_over(make: Make, tmp_path: Path) -> None:
    """As git does: an empty .git hides nothing."""
    app = make("app")
    (app / "sub/.git").mkdir(parents=True)
    assert describe(app / "sub").root == str(app)


def test_a_pipe_does_not_make_us_wait(make: Make) -> None:
    """A file that never ends, where the configuration should be."""
    app = make("app", HUB)
    (app / ".git/config").unlink()
    os.mkfifo(app / ".git/config")
    assert not describe(app).of("remote")


@contextmanager
def somebody_else() -> Iterator[None]:
    """A user without the rights of root, for whom a closed folder is closed."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[None]:
    """pytest closes its folders to other users; opened for one test, when there is another user."""
    modes = {folder: folder.stat().st_mode for folder in (tmp_path, *tmp_path.parents)} if os.geteuid() == 0 else {}
    closed = {folder: mode for folder, mode in modes.items() if not mode & 0o005}
    for folder, mode in closed.items():
        folder.chmod(mode | 0o055)
    yield
    for folder, mode in closed.items():
        folder.chmod(mode)


@pytest.mark.parametrize("closed", [".git", ".git/config", ".git/HEAD", "."])
def test_what_may_not_be_read_is_as_if_it_were_not_there(
    make: Make, tmp_path: Path, open_to_all: None, closed: str
) -> None:
    """No error, and a place that leads back to the same path."""
    app = make("app", HUB)
    (app / closed).chmod(0)
    try:
        with somebody_else():
            place = describe(app / "src")
            seen = describe(app)
            assert identify(seen, [Known("app", frozenset(seen.aliases))]) == Match("app", (), ())
    finally:
        (app / closed).chmod(0o755)
    assert place.root == str(app / "src" if closed == "." else app)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_has_a_history_all_the_same(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """git itself refuses here; a container with a mounted folder is the usual case."""
    app = make("app")
    for path in (app, *app.rglob("*")):
        os.chown(path, 12345, 12345)
    with pytest.raises(subprocess.CalledProcessError):
        git(app, "rev-list", "HEAD")
    first = projects.visit(app)
    assert projects.visit(app.rename(tmp_path / "moved")) == first


def test_a_deleted_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute or relative, existing or not: there is always an answer."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("PWD", str(gone))
    gone.rmdir()
    assert describe(".").root == describe(gone).root == str(gone)
    assert relative_file("a.py", str(gone), str(gone)) == "a.py"


def test_names_with_blanks_and_letters_of_all_kinds(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """Paths are only text, and git writes them with quotes and escapes."""
    source = make('mein "Projekt" #1; 项目 ü')
    git(tmp_path, "clone", "-q", str(source), "ein Klon \\ mit Strich")
    assert projects.visit(tmp_path / "ein Klon \\ mit Strich") == projects.visit(source)
    assert describe(source).name == 'mein "Projekt" #1; 项目 ü'


@pytest.mark.parametrize("odd", [b"caf\xe9", b"two\nlines", b"x" * 255])
def test_every_value_can_be_stored(tmp_path: Path, odd: bytes) -> None:
    """A name that is no UTF-8 must not break the database, nor a line end the display."""
    folder = tmp_path / os.fsdecode(odd)
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    place = describe(folder)
    for text in (place.root, place.name, *(alias.value for alias in place.aliases), *place.parents):
        text.encode("utf-8")
    assert place.name.isprintable()


def test_a_path_that_no_system_has(tmp_path: Path) -> None:
    """A zero byte, a name without end, a loop of symlinks, a file instead of a folder."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").touch()
    for odd in ("nul\0byte", "x" * 5000, "loop/inside", "file/inside"):
        assert not describe(tmp_path / odd).is_git
        relative_file(odd, str(tmp_path), str(tmp_path))
