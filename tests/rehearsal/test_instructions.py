"""What CLAUDE.md said at a time: from git where it is tracked, from the disk where it has not changed since."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from hardwon.rehearsal.instructions import OfDisk, OfRepository

DAY = 100_000_000
"""Seconds; git takes no time as early as 1970."""


def commit(folder: Path, text: str, at: int) -> None:
    (folder / "CLAUDE.md").write_text(text)
    when = {"GIT_AUTHOR_DATE": f"@{at} +0000", "GIT_COMMITTER_DATE": f"@{at} +0000", "HOME": str(folder)}
    git = ["git", "-C", str(folder), "-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    for words in (("add", "-A"), ("commit", "-qm", "instructions")):
        subprocess.run([*git, *words], env={**os.environ, **when}, check=True)


def repository(folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(["git", "-C", str(folder), "init", "-q"], check=True)
    commit(folder, "Use tabs.", DAY)
    commit(folder, "Use blanks.", 3 * DAY)
    return folder


def test_a_tracked_file_has_its_past_in_git(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop")
    for known in (OfRepository(str(folder)), OfDisk(None)):
        assert known.at(str(folder), DAY // 2 * 1000) == ()
        assert known.at(str(folder), 2 * DAY * 1000) == ("Use tabs.",)
        assert known.at(str(folder), 4 * DAY * 1000) == ("Use blanks.",)


def test_an_untracked_file_is_known_as_long_as_it_was_not_changed(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use tabs.")
    os.utime(tmp_path / "CLAUDE.md", (DAY, DAY))
    assert OfDisk(None).at(str(tmp_path), 2 * DAY * 1000) == ("Use tabs.",)
    assert OfDisk(None).at(str(tmp_path), DAY // 2 * 1000) is None


def test_a_folder_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    assert OfDisk(None).at(str(tmp_path / "gone"), DAY * 1000) is None


def test_a_repository_that_is_named_stands_for_folders_that_are_gone(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop")
    assert OfRepository(str(folder)).at("/home/ana/gone", 2 * DAY * 1000) == ("Use tabs.",)
