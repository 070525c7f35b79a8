"""Where and when hardwon is closed: a pause and the switch to agents, an excluded place to everybody."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.commandline import Cli

LOOKING = [
    ["recall", "redis"],
    ["recall", "--skill", "browser"],
    ["search", "redis"],
    ["search", "redis", "--sessions"],
    ["check", "--command", "make test"],
    ["list"],
    ["inject", "--skill", "browser"],
    ["show", "--skill", "browser"],
]


@pytest.fixture
def filled(cli: Cli) -> Cli:
    cli.run("note", "The tests need Redis", "--anchor", "command=make test", "--global")
    cli.run("note", "The page needs a second click", "--skill", "browser", "--global")
    return cli


@pytest.mark.parametrize("call", LOOKING, ids=" ".join)
def test_a_pause_closes_it_to_agents(filled: Cli, call: list[str]) -> None:
    """Nothing is told to an agent and nothing counts as shown; a person looks as ever."""
    filled.run("pause")
    done = filled.run(*call, code=1)
    assert (done.stdout, done.stderr) == (
        "",
        "hardwon: Nothing was looked up: hardwon is paused; `hardwon resume` ends that.\n",
    )
    assert filled.json("status")["shown_this_week"]["memories"] == 0
    assert "paused" not in filled.person(*call)


def test_a_memory_by_its_id_in_a_pause(filled: Cli) -> None:
    """Not by its id either."""
    id = filled.json("list")["items"][0]["id"]
    filled.run("pause")
    for verb in ("show", "why"):
        assert "hardwon is paused" in filled.run(verb, id, code=1).stderr
        assert "second click" in filled.person(verb, id)
    assert "hardwon is paused" in filled.run("review", "list", code=1).stderr
    assert "paused" not in filled.person("review", "list")


def test_switched_off_tells_agents_nothing(filled: Cli) -> None:
    """control.enabled off means that nothing is said."""
    off = {"HARDWON_CONTROL_ENABLED": "off"}
    assert "switched off" in filled.run("recall", "redis", env=off, code=1).stderr
    assert "Redis" in filled.person("recall", "redis", env=off)


@pytest.mark.parametrize("call", LOOKING, ids=" ".join)
def test_an_excluded_place_is_closed_to_everybody(filled: Cli, call: list[str]) -> None:
    """By path and by name; what is asked of another place is answered."""
    for name, value in (("PATHS", str(filled.folder)), ("PROJECTS", "app")):
        env = {f"HARDWON_CONTROL_EXCLUDE_{name}": value}
        assert "Nothing was looked up" in filled.run(*call, env=env, code=1).stderr
        assert "Nothing was looked up" in filled.person(*call, env=env, code=1)
    if "--sessions" not in call:
        filled.run(*call, "--global", env=env)


def test_an_excluded_part_of_a_project(cli: Cli) -> None:
    """A folder in a project can be closed while the rest is open."""
    subprocess.run(["git", "init", "-q", str(cli.folder)], check=True, env=cli.environment())
    inside: Path = cli.folder / "private"
    inside.mkdir()
    env = {"HARDWON_CONTROL_EXCLUDE_PATHS": str(inside)}
    cli.run("note", "The tests need Redis", env=env)
    cli.run("recall", "redis", env=env)
    assert "is excluded" in cli.run("recall", "redis", env=env, cwd=inside, code=1).stderr
    assert "is excluded" in cli.run("note", "Something else", env=env, cwd=inside, code=1).stderr


def test_status_and_doctor_say_that_it_is_closed(cli: Cli) -> None:
    """Who wonders why nothing happens finds the reason where they look for it; it is no fault."""
    off = {"HARDWON_CONTROL_ENABLED": "off"}
    for verb in ("status", "doctor"):
        assert "switched off" in cli.run(verb, env=off).stdout
        assert "switched off" not in cli.run(verb).stdout
    assert cli.json("status", env=off)["enabled"] is False
    cli.run("pause")
    for verb in ("status", "doctor"):
        assert "until `hardwon resume`" in cli.run(verb).stdout
    cli.run("pause", "--for", "2h")
    assert "paused: until 20" in cli.run("doctor").stdout
    cli.run("resume")
    assert "paused" not in cli.run("doctor").stdout + cli.run("status").stdout


@pytest.mark.parametrize("known", [False, True], ids=["an unknown project", "a known one"])
def test_status_and_doctor_say_that_this_folder_is_excluded(cli: Cli, known: bool) -> None:
    """By path or by name, and which setting says so; nobody is invited to note what would be refused."""
    cli.run("note", "The tests need Redis", *([] if known else ["--global"]))
    assert cli.json("status")["excluded"] is None
    for setting, value in (("exclude_paths", str(cli.folder)), ("exclude_projects", "ap*")):
        env = {f"HARDWON_CONTROL_{setting.upper()}": value}
        for verb in ("status", "doctor"):
            # The doctor also complains that a variable does not reach sessions.
            said = cli.run(verb, env=env, code=int(verb == "doctor")).stdout
            assert f'is excluded (control.{setting} has "{value}"); nothing is kept or looked up here' in said
            assert "begins it" not in said
            assert "excluded" not in cli.run(verb).stdout
        assert f"control.{setting}" in cli.json("status", env=env)["excluded"]
        assert "is excluded" in cli.run("note", "x y", env=env, code=1).stderr


def test_status_says_that_a_part_of_a_project_is_excluded(cli: Cli) -> None:
    """In that folder, and not in the rest."""
    subprocess.run(["git", "init", "-q", str(cli.folder)], check=True, env=cli.environment())
    inside = cli.folder / "private"
    inside.mkdir()
    cli.run("note", "The tests need Redis")
    env = {"HARDWON_CONTROL_EXCLUDE_PATHS": str(inside)}
    assert f'"{inside}" is excluded' in cli.json("status", env=env, cwd=inside)["excluded"]
    assert cli.json("status", env=env)["excluded"] is None


def test_status_invites_nobody_while_switched_off(cli: Cli) -> None:
    """The project begins with the next note, but not now."""
    assert "`hardwon note` begins it" in cli.run("status").stdout
    assert "begins it" not in cli.run("status", env={"HARDWON_CONTROL_ENABLED": "off"}).stdout


def test_doctor_says_what_is_kept_out_of_commands_alone(cli: Cli) -> None:
    """A variable does not reach sessions: who excludes a project by one has to hear that it is not excluded there."""
    env = {"HARDWON_CONTROL_EXCLUDE_PROJECTS": "secret", "HARDWON_REDACT_EMAILS": "on"}
    said = cli.run("doctor", env=env, code=1).stdout
    assert "!! variables: HARDWON_CONTROL_EXCLUDE_PROJECTS counts for commands, not in sessions" in said
    assert "hardwon config set redact.emails" in said
    cli.run("config", "set", "control.exclude_projects", "secret")
    cli.run("config", "set", "redact.emails", "on")
    assert "variables" not in cli.run("doctor", env=env).stdout
    assert "variables" not in cli.run("doctor", env={"HARDWON_RECALL_LIMIT": "3"}).stdout
