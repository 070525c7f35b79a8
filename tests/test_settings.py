"""Settings: declared once, read from three places, changed one line at a time."""

from __future__ import annotations

import dataclasses
import os
import runpy
import stat
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.paths import Home
from hardwon.settings import DEFAULTS, KEYS, RedactRule, Settings, SettingsError, load, set_value, unset_value
from hardwon.settings.kinds import (
    Address,
    Choice,
    Folders,
    Model,
    Names,
    Number,
    Repository,
    Rules,
    Switch,
    Whole,
    Word,
)
from hardwon.settings.predecessors import IMPORT_SOURCES, UNUSED
from hardwon.settings.toml_text import statements

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "src" / "hardwon" / "hardwon.example.toml"
USER = {"HOME": "/home/somebody"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    place = Home(tmp_path / "hardwon")
    place.root.mkdir(mode=0o700)
    return place


def value(home: Home, key: str, environ: Mapping[str, str] = USER) -> object:
    return load(home, environ).sources[key].value


def problems(home: Home, environ: Mapping[str, str] = USER) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load(home, environ)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert all(problem.isprintable() for problem in caught.value.problems)
    return caught.value.problems


# --- one declaration -------------------------------------------------------------------------------------------------


def test_defaults_are_as_promised(home: Home) -> None:
    """Without a file and without variables everything has its default, and nothing is remarked."""
    loaded = load(home, {})
    assert loaded.settings == Settings() == DEFAULTS
    assert {(source.origin, source.where) for source in loaded.sources.values()} == {("default", "")}
    assert loaded.remarks == ()
    assert {name: source.value for name, source in loaded.sources.items()} == {
        "control.enabled": True,
        "control.exclude_projects": (),
        "control.exclude_paths": (),
        "store.synchronous": "normal",
        "store.copies": 3,
        "store.busy_seconds": 10,
        "redact.max_chars": 200_000,
        "redact.emails": False,
        "redact.user_names": False,
        "redact.rules": (),
        "retention.journal_days": 90,
        "retention.outline_days": 45,
        "retention.fact_days": 14,
        "retention.journal_mb": 200,
        "retention.showings_days": 365,
        "recall.limit": 5,
        "recall.budget_tokens": 600,
        "recall.min_coverage": 0.34,
        "recall.half_life_days": 60,
        "recall.max_postings": 5_000,
        "recall.session_tokens": 3_000,
        "recall.skill_top": 20,
        "vectors.model": "packaged",
        "vectors.passages": 20_000,
        "vectors.url": "",
        "vectors.endpoint_model": "",
        "vectors.key_variable": "",
        "vectors.dimensions": 0,
        "alerts.note": True,
        "alerts.family": True,
        "alerts.stop_once": True,
        "alerts.guard": "off",
        "skills.default": "on",
        "skills.max": 100,
        "skills.global_max": 100,
        "mirror.enabled": True,
        "mirror.most": 500,
        "daemon.idle_seconds": 1_800,
        "updates.check": False,
        "updates.repository": "",
    }


def test_every_field_is_a_key_and_fits_its_own_rule() -> None:
    """The sections' fields and the table of keys are the same, and each default and example is allowed."""
    declared = {
        f"{section.name}.{one.name}": one.default
        for section in dataclasses.fields(Settings)
        for one in dataclasses.fields(getattr(DEFAULTS, section.name))
    }
    assert declared == {name: key.default for name, key in KEYS.items()}
    for name, key in KEYS.items():
        section, _, field = name.partition(".")
        assert getattr(getattr(DEFAULTS, section), field) == key.default
        assert key.variable == f"HARDWON_{section}_{field}".upper()
        for good in (key.default, key.kind.example):
            in_file = tomllib.loads(f"x = {key.kind.to_toml(good)}")["x"]
            assert key.kind.check(in_file) == good, name
            assert key.kind.check(key.kind.from_text(key.kind.to_text(good))) == good, name


def test_the_types_of_the_fields_are_what_is_read() -> None:
    """A field's annotation and its kind agree, so that the type checker's word is true at run time."""
    types = {
        Switch: "bool",
        Whole: "int",
        Number: "float",
        Choice: "str",
        Names: "tuple[str, ...]",
        Folders: "tuple[str, ...]",
        Rules: "tuple[RedactRule, ...]",
        Repository: "str",
        Address: "str",
        Word: "str",
        Model: "str",
    }
    for section in dataclasses.fields(Settings):
        for one in dataclasses.fields(getattr(DEFAULTS, section.name)):
            assert one.type == types[type(KEYS[f"{section.name}.{one.name}"].kind)]


def test_the_example_is_generated_and_names_every_key() -> None:
    """The example file that is shipped is what the table says."""
    generated = runpy.run_path(str(ROOT / "docs" / "generate_settings.py"))["settings_example"]()
    assert EXAMPLE.read_text(encoding="utf-8") == generated
    assert all(key.variable in generated for key in KEYS.values())


def test_the_example_changes_nothing_and_uncommented_says_the_defaults(home: Home) -> None:
    """Copied as it is the example is no change; with every key uncommented it is a valid file of defaults."""
    text = EXAMPLE.read_text(encoding="utf-8")
    home.settings.write_text(text, encoding="utf-8")
    assert load(home, {}).settings == DEFAULTS
    fields = tuple(f"# {key.field} =" for key in KEYS.values())
    lines = [line[2:] if line.startswith(fields) else line for line in text.splitlines()]
    home.settings.write_text("\n".join(lines), encoding="utf-8")
    loaded = load(home, {})
    assert loaded.settings == DEFAULTS
    assert {source.origin for source in loaded.sources.values()} == {"file"}


def test_the_reference_page_is_generated() -> None:
    """The checked-in page equals what the table says now."""
    generated = runpy.run_path(str(ROOT / "docs" / "generate_settings.py"))["settings_reference"]()
    assert (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8") == generated
    assert all(name in generated for name in (*IMPORT_SOURCES, *UNUSED))


# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "environ", "expected", "origin", "where"),
    [
        ("", {}, 20, "default", ""),
        ("[recall]\n\nskill_top = 7\n", {}, 7, "file", "{path}:3"),
        ("recall.skill_top = 7\n", {}, 7, "file", "{path}:1"),
        ("# x\nrecall = { skill_top = 7 }\n", {}, 7, "file", "{path}:2"),
        ('\ufeff["recall"]\r\n"skill_top" = 7 # mine\r\n', {}, 7, "file", "{path}:2"),
        ("recall.skill_top = 7", {"SKILLS_INJECT_TOP": "8"}, 8, "environment", "SKILLS_INJECT_TOP"),
        ("recall.skill_top = 7", {"HARDWON_RECALL_SKILL_TOP": "9"}, 9, "environment", "HARDWON_RECALL_SKILL_TOP"),
        (
            "recall.skill_top = 7",
            {"SKILLS_INJECT_TOP": "8", "HARDWON_RECALL_SKILL_TOP": "9"},
            9,
            "environment",
            "HARDWON_RECALL_SKILL_TOP",
        ),
        ("recall.skill_top = 7", {"SKILLS_INJECT_TOP": "", "HARDWON_RECALL_SKILL_TOP": " "}, 7, "file", "{path}:1"),
        ("", {"SKILLS_INJECT_TOP": "9999"}, 200, "environment", "SKILLS_INJECT_TOP"),
        ("", {"SKILLS_INJECT_TOP": "-1"}, 0, "environment", "SKILLS_INJECT_TOP"),
    ],
)
def test_a_later_place_wins_and_is_named(
    home: Home, file: str, environ: dict[str, str], expected: int, origin: str, where: str
) -> None:
    """Default, then the file, then an earlier tool's variable, then ours; each value says where it came from."""
    home.settings.write_bytes(file.encode())
    loaded = load(home, environ)
    source = loaded.sources["recall.skill_top"]
    assert loaded.settings.recall.skill_top == source.value == expected
    assert (source.origin, source.where) == (origin, where.format(path=home.settings))


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        *(("control.enabled", word, True) for word in ("1", "true", "YES", " on ")),
        *(("control.enabled", word, False) for word in ("0", "False", "no", "off")),
        ("control.exclude_projects", "client-*, diary,,", ("client-*", "diary")),
        ("control.exclude_projects", '["a,b", "c"]', ("a,b", "c")),
        ("control.exclude_projects", "[]", ()),
        ("control.exclude_projects", "[ab]*", ("[ab]*",)),
        ("control.exclude_paths", "~/private:/srv/x/:~", ("/home/somebody/private", "/srv/x", "/home/somebody")),
        ("control.exclude_paths", "*/secret/*", ("*/secret/*",)),
        ("store.synchronous", "FULL", "full"),
        ("store.busy_seconds", "2.5", 2.5),
        ("store.busy_seconds", "120", 120.0),
        ("redact.max_chars", "50_000", 50_000),
        ("redact.rules", '[{"name": "t", "pattern": "T-\\\\d+"}]', (RedactRule("t", "T-\\d+"),)),
        ("retention.journal_days", "0", 0),
        ("recall.min_coverage", "1", 1.0),
    ],
)
def test_a_variable_is_read(home: Home, key: str, text: str, expected: object) -> None:
    """Each kind of value can be written in a variable."""
    found = value(home, key, USER | {KEYS[key].variable: text})
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("file", "key", "expected"),
    [
        ("control.enabled = false", "control.enabled", False),
        ('control.exclude_projects = ["a", "b*"]', "control.exclude_projects", ("a", "b*")),
        ('control.exclude_paths = ["~/a/../b"]', "control.exclude_paths", ("/home/somebody/b",)),
        ("store.busy_seconds = 5", "store.busy_seconds", 5.0),
        ("[[redact.rules]]\nname = 'a'\npattern = 'x+'", "redact.rules", (RedactRule("a", "x+"),)),
        ("redact.rules = [{name = 'a', pattern = 'x+'}]", "redact.rules", (RedactRule("a", "x+"),)),
        ("recall.half_life_days = 0.5", "recall.half_life_days", 0.5),
    ],
)
def test_the_file_is_read(home: Home, file: str, key: str, expected: object) -> None:
    """Each kind of value can be written in the file, in any of TOML's ways."""
    home.settings.write_text(file, encoding="utf-8")
    found = value(home, key)
    assert (found, type(found)) == (expected, type(expected))


# --- what is wrong ---------------------------------------------------------------------------------------------------

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


# --- remarks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "remark"),
    [
        ("[recall]\nlimt = 5", "hardwon.toml line 2: recall.limt is not a setting; did you mean recall.limit?"),
        ("[recal]\nlimit = 5", "hardwon.toml line 2: recal.limit is not a setting; did you mean recall.limit?"),
        ("limit = 5", "hardwon.toml line 1: limit is not a setting; did you mean recall.limit?"),
        ("[recall]\n'' = 5", "hardwon.toml line 2: recall. is not a setting"),
        ("'\\e[31m' = 5", "hardwon.toml line 1: \\e[31m is not a setting"),
        ('"\\u001b" = 5', "hardwon.toml line 1: \\x1b is not a setting"),
        ("a.b.c.d = 5", "hardwon.toml line 1: a.b is not a setting"),
        ("[recall.weights]\nx = 1", "hardwon.toml line 1: recall.weights is not a setting"),
    ],
)
def test_an_unknown_key_is_remarked(home: Home, file: str, remark: str) -> None:
    """A key from a newer version or with a typing error is no error; the nearest known key is named."""
    home.settings.write_text(file, encoding="utf-8")
    (found,) = load(home, {}).remarks
    assert found.startswith(remark)
    assert found.isprintable()


def test_thousands_of_unknown_keys_are_counted(home: Home) -> None:
    """Another tool's file in our place gives a page of remarks, not a book."""
    home.settings.write_text("\n".join(f"key{number} = 1" for number in range(5000)), encoding="utf-8")
    remarks = load(home, {}).remarks
    assert len(remarks) == 21
    assert remarks[-1] == "hardwon.toml: 4980 more keys are not settings"


@pytest.mark.parametrize(
    ("variable", "remark"),
    [
        *((name, f"{name} is read only as an import source, never as our store") for name in IMPORT_SOURCES),
        *((name, f"{name} is set, and hardwon does not use it") for name in UNUSED),
        ("CODEMEMORY_LEAF_CHUNK_TOKENS", "CODEMEMORY_LEAF_CHUNK_TOKENS is set, and hardwon does not use it"),
        ("HARDWON_RECAL_LIMIT", "HARDWON_RECAL_LIMIT is not a setting; did you mean HARDWON_RECALL_LIMIT?"),
        ("HARDWON_ENABLED", "HARDWON_ENABLED is not a setting; did you mean HARDWON_CONTROL_ENABLED?"),
        ("HARDWON_HOME", None),
        ("HARDWON_OF_ANOTHER_PART", None),
        ("CODEMEMORY_ENABLED", None),
        ("SKILLS_INJECT_TOP", None),
        ("CODEX_HOME", None),
    ],
)
def test_a_variable_that_does_nothing_is_remarked(home: Home, variable: str, remark: str | None) -> None:
    """Who moves over from an earlier tool hears which of its variables no longer do what they did."""
    assert load(home, {variable: "1"}).remarks == ((remark,) if remark else ())
    assert load(home, {variable: ""}).remarks == () or variable.startswith("HARDWON_")


# --- changing one line -----------------------------------------------------------------------------------------------


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


NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip)
PATTERNS = st.sampled_from([r"\d+", "a'b", 'a"b', "x\\\\y", "\t+", "中文", "[#=]", "'''", '"""'])
RULE = st.fixed_dictionaries({"name": st.from_regex(r"[a-z0-9_-]{0,9}[a-z]", fullmatch=True), "pattern": PATTERNS})


@st.composite
def assignments(draw: st.DrawFn) -> tuple[str, Any]:
    """A key and a value that it may have, as TOML has it."""
    key = KEYS[draw(st.sampled_from(sorted(KEYS)))]
    match key.kind:
        case Switch():
            return key.name, draw(st.booleans())
        case Whole(low=low, high=high):
            return key.name, draw(st.integers(low, high))
        case Number(low=low, high=high, above=above):
            return key.name, draw(st.floats(low, high, exclude_min=above))
        case Choice(words=words):
            return key.name, draw(st.sampled_from(words))
        case Repository():
            return key.name, draw(st.sampled_from(["", "https://example.org/x.git", "ssh://git@h/x", "file:///x"]))
        case Address():
            return key.name, draw(st.sampled_from(["", "https://example.org/v1", "http://127.0.0.1:11434/v1"]))
        case Word():
            return key.name, draw(st.sampled_from(["", "OPENAI_API_KEY", "nomic-embed-text:v1.5", "名"]))
        case Model():
            return key.name, draw(st.sampled_from(["packaged", "endpoint", "off", "/models/mini", "~/a 'b' \\ c"]))
        case Folders():
            return key.name, ["/" + name for name in draw(st.lists(NAME, max_size=4))]
        case Names():
            return key.name, draw(st.lists(NAME, max_size=4))
    return key.name, draw(st.lists(RULE, max_size=3, unique_by=lambda rule: str(rule["name"])))


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "# a comment",
            "",
            "other = 1",
            "  # limit = 3",
            "text = '''\n[recall]\nlimit = 4\n# limit = 1\n'''",
            'more = """\\"""\n[store]\ncopies = "" #\n"""""',
            "list = [ # one\n  '[recall]', \"#\",\n  { a = ']' }, # copies = 2\n]",
            "[recall]",
            "[store] # s",
            "[ 'redact' ]",
            "[control]\nenabled = true # c\n",
            "[retention]\n\tjournal_days = 7",
            "[unknown.'a.b']\n\"x=]\" = 1",
            "[[tables]]\nlimit = 1",
        ]
    ),
    max_size=9,
    unique=True,
)


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(
    fragments=FRAGMENTS,
    newline=st.sampled_from(["\n", "\r\n"]),
    end=st.booleans(),
    changes=st.lists(assignments(), min_size=1, max_size=4),
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_survives_in_any_file(
    home: Home, fragments: list[str], newline: str, end: bool, changes: list[tuple[str, Any]]
) -> None:
    """What is set is what is loaded, everything else in the file means what it meant, and unset takes it out again."""
    text = "\n".join(fragments).replace("\n", newline) + newline * end
    if not is_toml(text):
        return
    home.settings.write_bytes(text.encode())
    wanted = {name: (key.kind, raw) for name, raw in changes for key in [KEYS[name]]}
    for name, raw in changes:
        set_value(home, name, KEYS[name].kind.to_text(raw))
    assert statements_agree(home.settings.read_bytes().decode())
    loaded = load(home, {}).sources
    for name, (kind, raw) in wanted.items():
        if name != "control.exclude_paths":
            assert loaded[name].value == kind.check(raw)
    assert all(line in home.settings.read_bytes().decode() for line in fragments if line.startswith("#"))
    for name in wanted:
        unset_value(home, name)
    after = tomllib.loads(home.settings.read_bytes().decode())
    assert without(after, wanted) == without(tomllib.loads(text), wanted)


def without(table: dict[str, Any], keys: Mapping[str, object]) -> dict[str, Any]:
    rest = {
        section: {name: one for name, one in value.items() if f"{section}.{name}" not in keys}
        if isinstance(value, dict)
        else value
        for section, value in table.items()
    }
    return {section: value for section, value in rest.items() if value != {}}


def statements_agree(text: str) -> bool:
    """Each statement, cut out and read by itself, means what tomllib says of the whole."""
    table = tomllib.loads(text)
    for one in statements(text):
        found: Any = table
        for part in one.path:
            found = found[-1][part] if isinstance(found, list) else found[part]
        if not one.header and "\n" not in text[one.value : one.end]:
            assert tomllib.loads(f"x = {text[one.value : one.end]}")["x"] == found
    return True


@given(assignments())
@settings(max_examples=300, deadline=None)
def test_text_is_read_back(assignment: tuple[str, Any]) -> None:
    """Whatever a setting may be can be written as text and as TOML."""
    name, raw = assignment
    kind = KEYS[name].kind
    assert kind.check(kind.from_text(kind.to_text(raw))) == kind.check(raw)
    assert kind.check(tomllib.loads(f"x = {kind.to_toml(raw)}")["x"]) == kind.check(raw)


# --- cost ------------------------------------------------------------------------------------------------------------


def test_loading_nothing_imports_nothing(tmp_path: Path) -> None:
    """Without a file and variables, nobody pays for TOML, JSON, suggestions or editing."""
    code = """
import os, sys
from hardwon.paths import home
from hardwon.settings import load
load(home(os.environ), os.environ)
print(*sorted({"json", "tomllib", "difflib", "typing", "hashlib", "fcntl", "hardwon.settings.edit"} & set(sys.modules)))
"""
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    found = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
