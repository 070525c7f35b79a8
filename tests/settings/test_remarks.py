"""Unknown keys and variables that do nothing are remarked, and are no error."""

from __future__ import annotations

import pytest

from hardwon.paths import Home
from hardwon.settings import load
from hardwon.settings.predecessors import IMPORT_SOURCES, UNUSED


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
        *((name, f"{name} is read only by `{verb}`, and is never our store") for name, verb in IMPORT_SOURCES.items()),
        ("CODEMEMORY_DATABASE_PATH", "CODEMEMORY_DATABASE_PATH is set, and hardwon does not use it"),
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
