"""Settings are read from three places, the later one wins, and reading costs little."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hardwon.paths import Home
from hardwon.settings import KEYS, RedactRule, load
from tests.settings.places import USER


def value(home: Home, key: str, environ: Mapping[str, str] = USER) -> object:
    return load(home, environ).sources[key].value


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
