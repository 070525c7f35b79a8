"""What a project is called, and how a file in it is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.project import describe, display_name, relative_file
from tests.project.visits import Make


@pytest.mark.parametrize(
    ("folder", "remote", "name"),
    [
        ("app", "", "app"),
        ("checkout-7", "https://github.com/acme/Great-App.git", "Great-App"),
        ("x", "https://token@Git.example.org/team/git.git/", "git"),
        ("x", "/srv/git/tool.git", "tool"),
        ("x", "ssh://host/~me/My%20Tool.git", "My Tool"),
        (".config", "", ".config"),
    ],
)
def test_the_name_is_the_last_part_of_the_remote_or_the_folder(make: Make, folder: str, remote: str, name: str) -> None:
    """What a person would call it, in their spelling."""
    assert describe(make(folder, remote)).name == name


@pytest.mark.parametrize(
    ("wanted", "root", "taken", "name"),
    [
        ("app", "/code/app", (), "app"),
        ("app", "/code/app", ("app",), "code/app"),
        ("app", "/code/app", ("app", "code/app"), "app-2"),
        ("app", "/code/app", ("app", "code/app", "app-2"), "app-3"),
        ("app", "/app", ("app",), "app-2"),
        ("~", "/home/me", (), "~"),
        ("", "/", (), "project"),
        ("..", "/code/x", (), "project"),
        ("a\nb\x1b[31m", "/code/x", (), "ab[31m"),
        ("x" * 300, "/code/x", (), "x" * 60),
    ],
)
def test_a_display_name_is_unique_and_fit_for_a_folder(
    wanted: str, root: str, taken: tuple[str, ...], name: str
) -> None:
    """The plain name, then with the folder above, then with a number; never one that leads out of a folder."""
    assert display_name(wanted, root, taken.__contains__) == name


@pytest.mark.parametrize(
    ("path", "cwd", "stored"),
    [
        ("src/a.py", "", "src/a.py"),
        ("a.py", "src", "src/a.py"),
        ("./src//a.py", "", "src/a.py"),
        ("../src/a.py", "docs", "src/a.py"),
        ("..", "src", "."),
        ("{root}/src/a.py", "/", "src/a.py"),
        ("{root}/gone/a.py", "/", "gone/a.py"),
        ("{root}", "", "."),
        ("{link}", "", "."),
        ("{link}/src/a.py", "", "src/a.py"),
        ("../app/src/a.py", "", "src/a.py"),
        ("{root}-beside/a.py", "", "{root}-beside/a.py"),
        ("../other/a.py", "", "{top}/other/a.py"),
        ("../../../../../../../../../../../etc/passwd", "", "/etc/passwd"),
        ("/etc/passwd", "", "/etc/passwd"),
        ("sources/a.py", "", "src/a.py"),
        ("CLAUDE.md", "", "CLAUDE.md"),
        ("outside/x.py", "", "outside/x.py"),
        ("outside/../x.py", "", "{top}/x.py"),
        ("~/x.py", "", "{top}/home/x.py"),
        ("..hidden/a.py", "", "..hidden/a.py"),
        (r"C:\work\a.py", "", "C:/work/a.py"),
    ],
)
def test_files_are_stored_from_the_root(tmp_path: Path, path: str, cwd: str, stored: str) -> None:
    """One name for a file in every clone; outside the root the whole path; a ".." never leads out unseen."""
    root, link = tmp_path / "app", tmp_path / "link"
    for folder in (root / "src", root / "docs", tmp_path / "away/x"):
        folder.mkdir(parents=True)
    link.symlink_to(root)
    (root / "sources").symlink_to("src")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "outside").symlink_to(tmp_path / "away")
    names = {"root": str(root), "link": str(link), "top": str(tmp_path)}
    assert relative_file(path.format(**names), str(root), str(root / cwd)) == stored.format(**names)
    assert relative_file(path.format(**names), str(link), str(link / cwd)) == stored.format(**names)


def test_without_a_current_folder_a_file_is_taken_from_the_root(tmp_path: Path) -> None:
    """An anchor in a text has no folder of its own."""
    assert relative_file("src/a.py", str(tmp_path), "") == "src/a.py"
