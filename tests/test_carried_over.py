"""Variables of earlier tools: what each would become in hardwon.toml, and what is never copied."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from hardwon.paths import Home
from hardwon.settings import carried_over, load
from hardwon.settings.carried_over import Place

CLIENT = "/home/me/.claude/settings.json"
SECRET = "sk-ant-api03-" + base64.urlsafe_b64encode(hashlib.sha512(b"not a real one").digest()).decode().rstrip("=")


def offered(home: Home, *places: dict[str, str]) -> tuple[list[str], str]:
    """The lines that would be written, and all remarks; the first place is a client's settings."""
    names = (CLIENT, "the environment")
    found = carried_over.offer(home, [Place(name, given) for name, given in zip(names, places, strict=False)])
    return [copy.line for copy in found.copies], "\n".join(found.remarks)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "h")


@pytest.mark.parametrize(
    ("variables", "lines"),
    [
        ({}, []),
        ({"SKILLS_INJECT_TOP": "10"}, ["recall.skill_top = 10"]),
        ({"SKILLS_INJECT_TOP": " 10 "}, ["recall.skill_top = 10"]),
        ({"SKILLS_INJECT_TOP": "100000"}, ["recall.skill_top = 200"]),
        ({"SKILLS_INJECT_TOP": "-3"}, ["recall.skill_top = 0"]),
        ({"SKILLS_INJECT_TOP": ""}, []),
        ({"CODEMEMORY_ENABLED": "false"}, ["control.enabled = false"]),
        ({"CODEMEMORY_ENABLED": "1"}, ["control.enabled = true"]),
        ({"CODEMEMORY_ENABLED": "yes", "SKILLS_INJECT_TOP": "7"}, ["control.enabled = true", "recall.skill_top = 7"]),
        ({"HARDWON_RECALL_LIMIT": "3", "PATH": "/bin", "ANTHROPIC_API_KEY": SECRET}, []),
    ],
    ids=repr,
)
def test_what_each_variable_becomes(home: Home, variables: dict[str, str], lines: list[str]) -> None:
    """Only those that have a setting of ours, within its bounds; nothing is written by looking."""
    assert offered(home, variables) == (lines, "")
    assert not home.root.exists()


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"SKILLS_INJECT_TOP": "many"}, 'SKILLS_INJECT_TOP in /home/me/.claude/settings.json must be a whole number'),
        ({"SKILLS_INJECT_TOP": "many"}, 'got "many" — try 20; it is left out'),
        ({"CODEMEMORY_ENABLED": "perhaps"}, "must be true or false"),
        ({"SKILLS_INJECT_TOP": SECRET}, "got what looks like a secret"),
        ({"AI_MEMORY_HOME": "/home/me/.ai-memory"}, "AI_MEMORY_HOME is read only by `hardwon import fireworks`"),
        ({"CODEMEMORY_DATABASE_PATH": "/x/y.db"}, "CODEMEMORY_DATABASE_PATH is set, and hardwon does not use it"),
        ({"CODEMEMORY_EXPANSION_MODEL": "haiku"}, "CODEMEMORY_EXPANSION_MODEL is set, and hardwon does not use it"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_named_and_left_out(home: Home, variables: dict[str, str], said: str) -> None:
    """A bad value, a path, a variable that means nothing here; a secret is not repeated."""
    lines, remarks = offered(home, variables)
    assert lines == []
    assert said in remarks
    assert SECRET not in remarks


def test_the_clients_settings_come_before_the_environment(home: Home) -> None:
    """The other value is named; the same one twice is not."""
    lines, remarks = offered(home, {"SKILLS_INJECT_TOP": "10"}, {"SKILLS_INJECT_TOP": "12"})
    assert lines == ["recall.skill_top = 10"]
    assert "the environment says 12, and recall.skill_top will be 10 already: that stays" in remarks
    assert offered(home, {"SKILLS_INJECT_TOP": "10"}, {"SKILLS_INJECT_TOP": "10"}) == (["recall.skill_top = 10"], "")


def test_a_bad_value_does_not_hide_a_good_one(home: Home) -> None:
    """What the client has is left out, what the shell has is taken."""
    lines, remarks = offered(home, {"SKILLS_INJECT_TOP": "many"}, {"SKILLS_INJECT_TOP": "12"})
    assert lines == ["recall.skill_top = 12"]
    assert 'got "many"' in remarks


@pytest.mark.parametrize(("written", "remark"), [("7", "recall.skill_top is 7 already: that stays"), ("10", "")])
def test_what_the_file_says_stays(home: Home, written: str, remark: str) -> None:
    """The file is the newer word; only another value is worth a remark."""
    home.root.mkdir()
    home.settings.write_text(f"[recall]\nskill_top = {written}  # mine\n")
    lines, remarks = offered(home, {"SKILLS_INJECT_TOP": "10"})
    assert lines == []
    assert remark in remarks
    assert bool(remark) == bool(remarks)


def test_a_file_that_can_not_be_read_is_left_alone(home: Home) -> None:
    """And named with what is wrong in it."""
    home.root.mkdir()
    home.settings.write_text("[recall\n")
    lines, remarks = offered(home, {"SKILLS_INJECT_TOP": "10"})
    assert lines == []
    assert "hardwon.toml" in remarks
    assert home.settings.read_text() == "[recall\n"


def test_written_they_count(home: Home) -> None:
    """Beside what stood in the file, byte for byte."""
    home.root.mkdir()
    home.settings.write_text("# mine\n[recall]\nlimit = 3\n")
    given = {"SKILLS_INJECT_TOP": "10", "CODEMEMORY_ENABLED": "false"}
    carried_over.write(home, carried_over.offer(home, [Place(CLIENT, given)]).copies)
    settings = load(home, {}).settings
    assert (settings.recall.skill_top, settings.recall.limit, settings.control.enabled) == (10, 3, False)
    assert home.settings.read_text().startswith("# mine\n[recall]\nlimit = 3\n")
    assert carried_over.offer(home, [Place(CLIENT, given)]).copies == ()
