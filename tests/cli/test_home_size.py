"""What `hardwon status` says the home takes: the folder that it names, with all that is in it."""

from __future__ import annotations

import os
from pathlib import Path

from hardwon.cli.support.home_size import home_size
from tests.commandline import Cli


def sizes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def test_status_counts_what_is_in_the_folder(cli: Cli) -> None:
    """The copies and the write-ahead log, too, and not only the database."""
    cli.run("note", "The tests need Redis")
    (cli.home / "copies").mkdir(exist_ok=True)
    (cli.home / "copies" / "one.db").write_bytes(bytes(3_000_000))
    said = cli.json("status")["bytes"]
    beside = said - sizes(cli.home)
    assert 0 <= beside < 100_000, "besides the files that a reader needs while it reads"
    assert f"{cli.home} ({said / 1_000_000:.1f} MB)" in cli.run("status").stdout


def test_nothing_is_remembered_yet(cli: Cli) -> None:
    """A folder that is not there takes nothing."""
    assert cli.json("status")["bytes"] == 0


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither to a file nor to a folder, also around in a circle; but the home itself may be one."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    (home / "inside").mkdir(parents=True)
    elsewhere.mkdir()
    (home / "file").write_bytes(bytes(100))
    (home / "inside" / "file").write_bytes(bytes(10))
    (elsewhere / "large").write_bytes(bytes(1000))
    (home / "large").symlink_to(elsewhere / "large")
    (home / "folder").symlink_to(elsewhere)
    (home / "circle").symlink_to(home)
    (home / "nowhere").symlink_to(tmp_path / "gone")
    os.mkfifo(home / "pipe")
    assert home_size(home) == (110, True)
    (tmp_path / "link").symlink_to(home)
    assert home_size(tmp_path / "link") == (110, True)


def test_a_folder_with_very_many_files(tmp_path: Path) -> None:
    """It is given up after so many, and said that this is not all."""
    for number in range(20):
        (tmp_path / str(number)).write_bytes(b"x")
    assert home_size(tmp_path, most=20) == (20, True)
    assert home_size(tmp_path, most=19) == (19, False)
