"""A setting is changed or taken out one line at a time, and the rest of the file stays."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hardwon.paths import Home
from hardwon.settings import SettingsError, load, set_value, unset_value
from tests.settings.places import EXAMPLE


def test_the_first_change_makes_the_file_from_the_example(tmp_path: Path) -> None:
    """`config set` in a fresh home leaves a private, commented file with the value below its comment."""
    home = Home(tmp_path / "new" / "hardwon")
    change = set_value(home, "recall.limit", "8")
    assert (change.path, change.key, change.before, change.after) == (home.settings, "recall.limit", None, "8")
    text = home.settings.read_text(encoding="utf-8")
    assert "\n# limit = 5\nlimit = 8\n" in text
    assert text.replace("\nlimit = 8", "") == EXAMPLE.read_text(encoding="utf-8")
    assert stat.S_IMODE(home.settings.stat().st_mode) == 0o600
    assert os.listdir(home.root) == ["hardwon.toml"]
    assert unset_value(home, "recall.limit").before == "8"
    assert home.settings.read_bytes() == EXAMPLE.read_bytes()


def test_unset_without_a_file_makes_none(tmp_path: Path) -> None:
    """Taking out what is not there leaves no trace."""
    home = Home(tmp_path / "hardwon")
    assert unset_value(home, "recall.limit").before is None
    assert not home.root.exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[recall]\nlimit = 8\n"),
        ("[recall]\nlimit = 5", "[recall]\nlimit = 8"),
        ("[recall]\nlimit=5 # mine\n", "[recall]\nlimit=8 # mine\n"),
        ("  [ recall ]  # r\n\t'limit'  =  5\t# mine\n", "  [ recall ]  # r\n\t'limit'  =  8\t# mine\n"),
        ("recall.limit = 5\n[store]\ncopies = 1\n", "recall.limit = 8\n[store]\ncopies = 1\n"),
        ('"recall" . "limit" = 5\n', '"recall" . "limit" = 8\n'),
        ("recall.skill_top = 5 # x\n", "recall.skill_top = 5 # x\nrecall.limit = 8\n"),
        ("[recall]\nskill_top = 1 # x", "[recall]\nskill_top = 1 # x\nlimit = 8"),
        (
            "[recall]\n  skill_top = 1\n\n# next\n[store]\n",
            "[recall]\n  skill_top = 1\n  limit = 8\n\n# next\n[store]\n",
        ),
        ("[recall]\r\nskill_top = 1\r\n", "[recall]\r\nskill_top = 1\r\nlimit = 8\r\n"),
        ("[store]\ncopies = 1", "[store]\ncopies = 1\n\n[recall]\nlimit = 8\n"),
        ("[store]\ncopies = 1\r\n", "[store]\ncopies = 1\r\n\r\n[recall]\r\nlimit = 8\r\n"),
        ("\ufeff[recall]\nlimit = 5\n", "\ufeff[recall]\nlimit = 8\n"),
        ("x = '''\n[recall]\nlimit = 5\n'''\n[recall]\n", "x = '''\n[recall]\nlimit = 5\n'''\n[recall]\nlimit = 8\n"),
        ('[recall]\nx = """\n# limit = 1\n"""\n', '[recall]\nx = """\n# limit = 1\n"""\nlimit = 8\n'),
        (
            '[recall]\nx = ["]", \'#\', # limit = 2\n "=" ]\n# limit = 5\n# end\n',
            '[recall]\nx = ["]", \'#\', # limit = 2\n "=" ]\n# limit = 5\nlimit = 8\n# end\n',
        ),
        ("[recall]\nlimit = 'wrong'\nskill_top = true\n", "[recall]\nlimit = 8\nskill_top = true\n"),
        ("[[other]]\nlimit = 5\n[recall]\n", "[[other]]\nlimit = 5\n[recall]\nlimit = 8\n"),
        ("[recall.sub]\nx = 1\n", "[recall.sub]\nx = 1\n\n[recall]\nlimit = 8\n"),
    ],
)
def test_set_changes_one_line_and_keeps_the_rest(home: Home, before: str, after: str) -> None:
    """Comments, order, spaces, line ends and other sections stay as their owner wrote them."""
    home.settings.write_bytes(before.encode())
    set_value(home, "recall.limit", "8")
    assert home.settings.read_bytes().decode() == after
    unset_value(home, "recall.limit")
    assert "limit" not in tomllib.loads(home.settings.read_text(encoding="utf-8-sig")).get("recall", {})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[recall]\nlimit = 5\nskill_top = 1\n", "[recall]\nskill_top = 1\n"),
        ("[recall]\n  limit = 5 # because\n", "[recall]\n  # because\n"),
        ("[recall]\r\nlimit = 5 # because\r\n", "[recall]\r\n# because\r\n"),
        ("[recall]\nlimit = 5 # because", "[recall]\n# because"),
        ("[recall]\nlimit = 5", "[recall]"),
        ("recall.limit = 5\n", ""),
        ("[recall]\nlimit = [\n 1, # one\n 2\n]\nskill_top = 1\n", "[recall]\nskill_top = 1\n"),
        ("[store]\ncopies = 1\n", "[store]\ncopies = 1\n"),
    ],
)
def test_unset_takes_out_one_line_and_keeps_its_comment(home: Home, before: str, after: str) -> None:
    """The default counts again; what was said about the value stays."""
    home.settings.write_bytes(before.encode())
    unset_value(home, "recall.limit")
    assert home.settings.read_bytes().decode() == after


@pytest.mark.parametrize(
    ("file", "key", "text"),
    [
        ("# x\nrecall = { limit = 5 }\n", "recall.limit", "7"),
        ("# x\nrecall = 7\n", "recall.limit", "7"),
        ("# x\nrecall.limit.most = 7\n", "recall.limit", "7"),
        ("# x\n[recall.limit]\n", "recall.limit", "7"),
        ("# x\n[[recall]]\n", "recall.limit", "7"),
        ("# x\n[[redact.rules]]\nname = 'a'\npattern = 'b'\n", "redact.rules", "[]"),
    ],
)
def test_what_one_line_cannot_change_is_left_to_its_owner(home: Home, file: str, key: str, text: str) -> None:
    """A key written as a table or as blocks is not rewritten; the line is named, and no byte changes."""
    home.settings.write_text(file, encoding="utf-8")
    message = rf"hardwon.toml line 2: {key} is not written as .* by hand"
    with pytest.raises(SettingsError, match=message):
        set_value(home, key, text)
    with pytest.raises(SettingsError, match=message):
        unset_value(home, key)
    assert home.settings.read_text(encoding="utf-8") == file


@pytest.mark.parametrize(
    ("key", "text", "problem"),
    [
        ("recall.limit", "lots", 'recall.limit must be a whole number from 1 to 50, got "lots" — try 5'),
        ("recall.limit", "", 'recall.limit must be a whole number from 1 to 50, got "" — try 5'),
        ("recall.limt", "5", "recall.limt is not a setting; did you mean recall.limit? — hardwon config show lists"),
        ("recall", "5", "recall is not a setting"),
        ("redact.rules", "x", 'redact.rules must be a list of { name, pattern } in JSON, got "x" — try [{"name"'),
        ("control.exclude_projects", "\udc80", "could not be changed in place"),
        ("control.exclude_projects", "x" * 300_000, "could not be changed in place"),
    ],
)
def test_a_wrong_value_is_not_written(home: Home, key: str, text: str, problem: str) -> None:
    """What could not be read back is refused before the file is touched."""
    with pytest.raises(SettingsError) as caught:
        set_value(home, key, text)
    assert problem in str(caught.value)
    assert os.listdir(home.root) == []


def test_a_link_to_a_file_elsewhere_stays_a_link(home: Home, tmp_path: Path) -> None:
    """Settings kept in a dotfiles repository are changed there."""
    real = tmp_path / "dotfiles.toml"
    real.write_text("recall.limit = 5\n", encoding="utf-8")
    home.settings.symlink_to(real)
    set_value(home, "recall.limit", "8")
    assert home.settings.is_symlink()
    assert real.read_text(encoding="utf-8") == "recall.limit = 8\n"


def test_a_write_that_fails_changes_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves the old file whole and no half-written one beside it."""
    home.settings.write_text("recall.limit = 5\n", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SettingsError, match="cannot be written: No space left on device — nothing was changed"):
        set_value(home, "recall.limit", "8")
    assert home.settings.read_text(encoding="utf-8") == "recall.limit = 5\n"
    assert os.listdir(home.root) == ["hardwon.toml"]


def test_changes_at_the_same_time_are_all_kept(home: Home) -> None:
    """Two commands at once wait for each other."""
    wanted = {"recall.limit": "8", "store.copies": "9", "retention.journal_days": "10", "recall.skill_top": "11"}
    code = """
import sys
from pathlib import Path
from hardwon.paths import Home
from hardwon.settings import load, set_value, unset_value
home, key, text = Home(Path(sys.argv[1])), *sys.argv[2:]
for _ in range(30):
    unset_value(home, key)
    set_value(home, key, text)
    assert str(load(home, {}).sources[key].value) == text
"""
    running = [subprocess.Popen([sys.executable, "-c", code, str(home.root), *pair]) for pair in wanted.items()]
    assert [process.wait() for process in running] == [0] * len(wanted)
    found = load(home, {}).sources
    assert {key: str(found[key].value) for key in wanted} == wanted
