"""What export leaves where: a backup that is there is never lost to a worse one, and it is its owner's alone."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.commandline import HARDWON, Cli
from tests.store.faults.damages import first_page_of


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_new_export_is_its_owners_alone(cli: Cli, tmp_path: Path) -> None:
    """Also in the place of a file that others could read."""
    file = tmp_path / "b.jsonl"
    cli.run("export", str(file))
    assert mode(file) == 0o600
    file.chmod(0o644)
    cli.run("note", "one more lesson")
    cli.run("export", "--force", str(file))
    assert mode(file) == 0o600
    assert "one more lesson" in file.read_text()
    assert sorted(os.listdir(tmp_path)) == ["app", "b.jsonl", "home"]


@pytest.mark.parametrize("force", [True, False], ids=["over the last one", "under a new name"])
def test_an_export_that_fails_leaves_the_last_one(cli: Cli, tmp_path: Path, force: bool) -> None:
    """The database is damaged: the backup that was there is what it was, and no half one is beside it."""
    cli.run("note", "a lesson about redis")
    good = tmp_path / "b.jsonl"
    cli.run("export", str(good))
    before = good.read_bytes()
    first_page_of("records", cli.home)
    done = cli.run("export", *(("--force", str(good)) if force else (str(tmp_path / "c.jsonl"),)), code=1)
    assert "is damaged" in done.stderr
    assert good.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["app", "b.jsonl", "home"]


def test_a_name_that_is_taken(cli: Cli, tmp_path: Path) -> None:
    """Nothing is replaced without --force, be it a file or a link to nowhere; a folder never."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link", "app"):
        assert "exists: say --force" in cli.run("export", str(tmp_path / name), code=1).stderr
    assert "Is a directory" in cli.run("export", "--force", str(tmp_path / "app"), code=1).stderr
    assert "No such file or directory" in cli.run("export", str(tmp_path / "no" / "file"), code=1).stderr
    assert (tmp_path / "file").read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["app", "file", "link"]


def test_a_link_stays_one(cli: Cli, tmp_path: Path) -> None:
    """The file that it leads to is replaced, or made."""
    cli.run("note", "a lesson about redis")
    (tmp_path / "there").mkdir()
    for name in ("known", "new"):
        (tmp_path / name).symlink_to(tmp_path / "there" / name)
    (tmp_path / "there" / "known").write_text("an older export")
    for name in ("known", "new"):
        cli.run("export", "--force", str(tmp_path / name))
        assert (tmp_path / name).is_symlink()
        assert "a lesson about redis" in (tmp_path / "there" / name).read_text()
    assert sorted(os.listdir(tmp_path / "there")) == ["known", "new"]


def test_what_is_no_file_is_written_to(cli: Cli, tmp_path: Path) -> None:
    """A pipe with somebody at its other end, and standard output by its name, wherever that leads."""
    cli.run("note", "a lesson about redis")
    expected = cli.run("export").stdout
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE, text=True) as reader:
        cli.run("export", "--force", str(tmp_path / "pipe"))
        assert reader.communicate(timeout=60)[0] == expected
    assert (tmp_path / "pipe").is_fifo()
    assert cli.run("export", "--force", "/dev/stdout").stdout == expected
    cli.run("export", "--force", "/dev/null")
    to_file = ["bash", "-c", f"'{HARDWON}' export --force /dev/stdout > out.jsonl"]
    subprocess.run(to_file, cwd=tmp_path, env=cli.environment(), check=True, timeout=60)
    assert (tmp_path / "out.jsonl").read_text() == expected
