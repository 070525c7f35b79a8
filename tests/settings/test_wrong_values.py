"""What is wrong in the file or a variable is named in a sentence, all of it at once."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from hardwon.paths import Home
from hardwon.settings import DEFAULTS, SettingsError, load, set_value, unset_value
from tests.settings.places import USER


def problems(home: Home, environ: Mapping[str, str] = USER) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load(home, environ)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert all(problem.isprintable() for problem in caught.value.problems)
    return caught.value.problems


LIMIT = "recall.limit must be a whole number from 1 to 50, got {} — try 5"


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ('recall.limit = "lots"', LIMIT.format('"lots"')),
        ("recall.limit = 0", LIMIT.format("0")),
        ("recall.limit = 51", LIMIT.format("51")),
        ("recall.limit = 5.0", LIMIT.format("5")),
        ("recall.limit = true", LIMIT.format("true")),
        ("recall.limit = [5]", LIMIT.format("a list")),
        ("recall.limit.most = 5", LIMIT.format("a table")),
        ("[recall.limit]", LIMIT.format("a table")),
        ("recall.limit = 2024-01-01", LIMIT.format("2024-01-01")),
        (f"recall.limit = 0x{'f' * 9000}", LIMIT.format("a huge number")),
        (f'recall.limit = "{"x" * 500}"', LIMIT.format('"' + "x" * 59 + '…"')),
        ('recall.limit = "\\u001b[31m"', LIMIT.format('"\\x1b[31m"')),
        ('control.enabled = "yes"', 'control.enabled must be true or false, got "yes" — try true'),
        ("control.enabled = 1", "control.enabled must be true or false, got 1 — try true"),
        ('store.synchronous = "off"', 'store.synchronous must be "normal" or "full", got "off" — try "normal"'),
        ("store.busy_seconds = nan", "store.busy_seconds must be a number from 1 to 120, got nan — try 10"),
        ("recall.half_life_days = 0", "a number above 0 and up to 36500, got 0 — try 60"),
        ("recall.min_coverage = 1.01", "a number from 0 to 1, got 1.01 — try 0.34"),
        (
            'control.exclude_projects = "diary"',
            'control.exclude_projects must be a list of names, got "diary" — try ["client-*", "diary"]',
        ),
        ('control.exclude_projects = ["a", 1]', "control.exclude_projects[1] must be a name, got 1"),
        ('control.exclude_projects = [""]', 'control.exclude_projects[0] must be a name, got ""'),
        ('control.exclude_paths = ["private"]', "must be a folder that starts with /, ~/ or *"),
        ('control.exclude_paths = ["~bob/x"]', "must be a folder that starts with /, ~/ or *"),
        ('redact.rules = ["x"]', 'redact.rules[0] must be { name, pattern }, got "x"'),
        ('redact.rules = [{name = "a", regex = "x"}]', "must be { name, pattern }, got { name, regex }"),
        ('redact.rules = [{name = "a", pattern = "("}]', "redact.rules[0].pattern must be a regular expression"),
        ('redact.rules = [{name = "a", pattern = "x*"}]', "which finds nothing everywhere"),
        ('redact.rules = [{name = "a b", pattern = "x"}]', "redact.rules[0].name must be a word of up to 40 letters"),
        (
            'redact.rules = [{name = "a", pattern = "x"}, {name = "a", pattern = "y"}]',
            "redact.rules[1].name must be a name that no other rule has",
        ),
        ("recall = 5", "recall must be a section, got 5 — write [recall] on a line of its own"),
        ("[[recall]]\nlimit = 5", "recall must be a section, got a list — write [recall] on a line of its own"),
    ],
)
def test_a_wrong_value_in_the_file_is_named(home: Home, file: str, problem: str) -> None:
    """The sentence says the file, the line, the key, what it may be, what it is, and a good value."""
    home.settings.write_text("# first\n" + file, encoding="utf-8")
    (found,) = problems(home)
    assert found.startswith("hardwon.toml line 2: ")
    assert problem in found


@pytest.mark.parametrize(
    ("variable", "text", "problem"),
    [
        (
            "HARDWON_RECALL_LIMIT",
            "lots",
            'HARDWON_RECALL_LIMIT must be a whole number from 1 to 50, got "lots" — try 5',
        ),
        ("HARDWON_RECALL_LIMIT", "9" * 9000, "HARDWON_RECALL_LIMIT must be a whole number"),
        ("HARDWON_RECALL_LIMIT", "5.5", 'got "5.5" — try 5'),
        ("HARDWON_RECALL_LIMIT", "500", "got 500 — try 5"),
        ("SKILLS_INJECT_TOP", "lots", 'SKILLS_INJECT_TOP must be a whole number from 0 to 200, got "lots" — try 20'),
        ("CODEMEMORY_ENABLED", "maybe", 'CODEMEMORY_ENABLED must be true or false, got "maybe" — try true'),
        ("HARDWON_STORE_SYNCHRONOUS", "off", 'must be "normal" or "full", got "off" — try normal'),
        ("HARDWON_STORE_BUSY_SECONDS", "inf", "must be a number from 1 to 120, got inf — try 10"),
        ("HARDWON_CONTROL_EXCLUDE_PATHS", "private", "HARDWON_CONTROL_EXCLUDE_PATHS[0] must be a folder that starts"),
        ("HARDWON_REDACT_RULES", "x", 'must be a list of { name, pattern } in JSON, got "x" — try [{"name": "ticket"'),
        ("HARDWON_REDACT_RULES", "[" * 100_000, "must be a list of { name, pattern } in JSON"),
        ("HARDWON_CONTROL_EXCLUDE_PROJECTS", '["a', "must be a list of names in JSON"),
    ],
)
def test_a_wrong_variable_is_named(home: Home, variable: str, text: str, problem: str) -> None:
    """The sentence names the variable that somebody has to change."""
    (found,) = problems(home, {variable: text})
    assert found.startswith(variable)
    assert problem in found


def test_all_wrong_values_are_reported_at_once(home: Home) -> None:
    """Nobody has to fix one value to hear of the next; an overridden value counts too."""
    home.settings.write_text('[recall]\nlimit = "lots"\n[store]\ncopies = 99\n', encoding="utf-8")
    environ = {"HARDWON_RECALL_LIMIT": "7", "HARDWON_STORE_BUSY_SECONDS": "soon"}
    assert [problem.split(" must")[0] for problem in problems(home, environ)] == [
        "hardwon.toml line 2: recall.limit",
        "hardwon.toml line 4: store.copies",
        "HARDWON_STORE_BUSY_SECONDS",
    ]


def test_folders_with_a_tilde_need_a_user(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ~ cannot be known, an exclusion that has one is refused and not silently without effect."""
    monkeypatch.setattr("os.getuid", lambda: 4_000_000_000)
    (found,) = problems(home, {"HARDWON_CONTROL_EXCLUDE_PATHS": "~/private"})
    assert "must be a list of full paths (HOME is not set)" in found


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"[recall]\nlimit = \n", 'hardwon.toml line 2: "limit =" is not TOML (Invalid value) — write a setting as'),
        (b"[recall]\nlimit = lots\n", 'line 2: "limit = lots" is not TOML'),
        (b"[recall\nlimit = 5\n", 'line 1: "[recall" is not TOML'),
        (b"a = 1\na = 2\n", 'line 2: "a = 2" is not TOML'),
        (b'[recall]\nlimit = """five', "is not TOML"),
        (b"x = " + b"9" * 5000, "hardwon.toml is not TOML"),
        (b"x = " + b"[" * 100_000, "hardwon.toml has lists or tables nested too deeply — write them flat"),
        (b"# caf\xe9\n", "hardwon.toml line 1: byte 0xe9 is not UTF-8 — save the file as UTF-8 text"),
        (b"\n\nx = '\0'\n", "hardwon.toml line 3: a NUL byte, so this is no text file"),
        (b"#" * 10_000_000, "has 10,000,000 bytes, which is no settings file"),
        (b"\xff\xfe[\0r\0", "a NUL byte"),
    ],
)
def test_a_file_that_is_not_toml_is_named(home: Home, data: bytes, problem: str) -> None:
    """A broken file gives one clear sentence with its line, never a traceback; variables are checked as well."""
    home.settings.write_bytes(data)
    found, variable = problems(home, {"HARDWON_RECALL_LIMIT": "lots"})
    assert problem in found
    assert variable.startswith("HARDWON_RECALL_LIMIT")
    with pytest.raises(SettingsError, match=r"hardwon\.toml"):
        set_value(home, "recall.limit", "7")
    assert home.settings.read_bytes() == data


def test_a_file_that_is_none_is_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, a pipe that nobody writes to, and a file that may not be read give a sentence each, at once."""
    home.settings.mkdir()
    assert "hardwon.toml is a folder — move it away" in problems(home)[0]
    home.settings.rmdir()
    os.mkfifo(home.settings)
    assert "hardwon.toml is not a file — move it away" in problems(home)[0]
    home.settings.unlink()
    home.settings.touch()
    with monkeypatch.context() as patch:
        patch.setattr("os.open", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
        assert "cannot be read: Permission denied — check its permissions" in problems(home)[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_behind_a_locked_door_is_not_taken_for_none(home: Home) -> None:
    """Exclusions that cannot be read are not the same as no exclusions."""
    home.root.chmod(0)
    try:
        assert "cannot be read: Permission denied" in problems(home)[0]
    finally:
        home.root.chmod(0o700)


def test_a_link_to_nowhere_counts_as_no_file(home: Home) -> None:
    """A dotfiles link that is not there yet does not stop hardwon."""
    home.settings.symlink_to(home.root / "nowhere")
    assert load(home, {}).settings == DEFAULTS
    unset_value(home, "recall.limit")
    assert not (home.root / "nowhere").exists()
