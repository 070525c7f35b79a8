"""`hardwon setup` offers to copy settings of earlier tools into hardwon.toml."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commandline import Cli
from tests.setup.machine import tree
from tests.setup.test_commands import answering

ENV = {"SKILLS_INJECT_TOP": "10", "AI_MEMORY_HOME": "/home/me/.ai-memory", "ANTHROPIC_API_KEY": "none-of-ours"}
LINE = "recall.skill_top = 10"


@pytest.fixture
def config(cli: Cli) -> Path:
    """Claude Code's settings with variables for what it starts."""
    folder = cli.home.parent / ".claude"
    folder.mkdir(mode=0o700)
    (folder / "settings.json").write_text(json.dumps({"env": ENV}, indent=2))
    return folder


def written(cli: Cli) -> str:
    """What the file says, without its comments."""
    file = cli.home / "hardwon.toml"
    lines = file.read_text().splitlines() if file.exists() else []
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def test_a_dry_run_shows_what_would_be_copied(cli: Cli, config: Path) -> None:
    """The variable, its place, the line in the file; paths are named and not copied, other variables not named."""
    before = tree(cli.home.parent)
    done = cli.run("setup", "claude-code", "--dry-run")
    assert f"for {cli.home}/hardwon.toml" in done.stdout
    assert f"{LINE}        from SKILLS_INJECT_TOP=10 in {config}/settings.json" in done.stdout
    assert "AI_MEMORY_HOME is read only by `hardwon import fireworks`" in done.stderr
    assert "ANTHROPIC_API_KEY" not in done.stderr
    assert tree(cli.home.parent) == before


def test_yes_copies_them(cli: Cli, config: Path) -> None:
    """Once: a second setup finds them in the file. The client's settings keep theirs, and removal leaves the file."""
    done = cli.run("setup", "--yes")
    assert f"1 setting copied into {cli.home}/hardwon.toml" in done.stdout
    assert LINE.partition(".")[2] in written(cli)
    assert cli.json("config", "show")["settings"]["recall.skill_top"]["value"] == 10
    assert cli.run("setup").stdout == "Claude Code is set up already: nothing to change\n"
    cli.run("uninstall", "--yes")
    assert json.loads((config / "settings.json").read_text()) == {"env": ENV}
    assert "skill_top = 10" in written(cli)


@pytest.mark.parametrize(("answers", "copied"), [("yy", True), ("yn", False)])
def test_a_person_is_asked_apart(cli: Cli, config: Path, answers: str, copied: bool) -> None:
    """Whoever wants the hooks need not want the settings."""
    said = answering(cli, answers, "setup")
    assert "Copy these settings?" in said
    assert "Claude Code is set up" in said
    assert ("skill_top = 10" in written(cli)) is copied


def test_without_a_person_nothing_is_copied(cli: Cli, config: Path) -> None:
    """Set up already, and nobody to ask: it says how."""
    cli.run("setup", "--yes")
    cli.run("config", "unset", "recall.skill_top")
    done = cli.run("setup")
    assert "The settings were not copied. Say --yes" in done.stderr
    assert "skill_top" not in written(cli)


def test_what_the_file_says_stays(cli: Cli, config: Path) -> None:
    """Also when it differs; it is named."""
    cli.run("config", "set", "recall.skill_top", "3")
    done = cli.run("setup", "--yes")
    assert "says 10, and recall.skill_top is 3 already: that stays" in done.stderr
    assert "skill_top = 3" in written(cli)


def test_the_environment_of_setup_counts_too(cli: Cli, config: Path) -> None:
    """A bad value there is named and left out, and setup goes on."""
    (config / "settings.json").write_text("{}")
    done = cli.run("setup", "--yes", env={"SKILLS_INJECT_TOP": "many", "CODEMEMORY_ENABLED": "false"})
    assert 'SKILLS_INJECT_TOP in the environment must be a whole number from 0 to 200, got "many"' in done.stderr
    assert "control.enabled is false now: nothing is kept or said until it is true" in done.stderr
    assert "enabled = false" in written(cli)
    assert "skill_top" not in written(cli)


def test_the_json_says_what_was_copied(cli: Cli, config: Path) -> None:
    """Found is what could be copied, copied whether it was."""
    (config / "settings.json").write_text('{"env": {"SKILLS_INJECT_TOP": 10, "CODEMEMORY_ENABLED": true}}')
    found = cli.json("setup", "--dry-run")["settings"]
    where = f"{config}/settings.json"
    assert found["found"] == [
        {"variable": "CODEMEMORY_ENABLED", "where": where, "key": "control.enabled", "value": True},
        {"variable": "SKILLS_INJECT_TOP", "where": where, "key": "recall.skill_top", "value": 10},
    ]
    assert found["copied"] is False
    assert cli.json("setup", "--yes")["settings"]["copied"] is True
    assert cli.json("setup")["settings"]["found"] == []


@pytest.mark.parametrize("env", [None, [], "x", {"SKILLS_INJECT_TOP": {"a": 1}}, {"SKILLS_INJECT_TOP": None}])
def test_settings_of_another_shape_offer_nothing(cli: Cli, config: Path, env: object) -> None:
    """It is the client's file; setup goes on."""
    (config / "settings.json").write_text(json.dumps({"env": env}))
    assert cli.json("setup", "--yes")["settings"]["found"] == []
