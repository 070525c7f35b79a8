"""A redaction rule that cannot be used is refused; where one is set already, every command says so in a sentence."""

from __future__ import annotations

import json

import pytest

from tests.commandline import Cli

SLOW = ["(a+)+$", "([a-z]+ ?)+!"]
RULES = {
    "slow": '[redact]\nrules = [{ name = "x", pattern = "(a+)+$" }]\n',
    "name": '[redact]\nrules = [{ name = "x y", pattern = "BADGE-[0-9]+" }]\n',
    "no expression": '[redact]\nrules = [{ name = "x", pattern = "(" }]\n',
}


@pytest.mark.parametrize("pattern", SLOW)
def test_a_slow_rule_is_not_set(cli: Cli, pattern: str) -> None:
    """It is named with what is wrong with it, and nothing is written."""
    rules = json.dumps([{"name": "x", "pattern": pattern}])
    said = cli.run("config", "set", "redact.rules", rules, code=1).stderr
    assert "redact.rules[0]" in said
    assert repr(pattern) in said
    assert "takes far too long" in said
    assert not (cli.home / "hardwon.toml").exists()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "call", [["list"], ["note", "y"], ["recall", "hello"], ["status"], ["review", "list"], ["search", "hello"]]
)
def test_every_command_says_which_rule_it_is(cli: Cli, rule: str, call: list[str]) -> None:
    cli.run("note", "hello there")
    (cli.home / "hardwon.toml").write_text(RULES[rule])
    done = cli.run(*call, code=1)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "redact.rules" in done.stderr
    cli.run("config", "unset", "redact.rules")
    cli.run("list")


@pytest.mark.parametrize("kept", [True, False], ids=["memories", "empty home"])
def test_doctor_names_the_rule(cli: Cli, kept: bool) -> None:
    """Also where nothing is remembered yet."""
    cli.run(*(("note", "hello") if kept else ("config", "set", "recall.limit", "5")))
    (cli.home / "hardwon.toml").write_text(RULES["slow"])
    found = [one for one in cli.json("doctor", code=1)["findings"] if not one["ok"]]
    assert [one["what"] for one in found] == ["settings"]
    assert "redact.rules: redaction rule 'x': '(a+)+$' takes far too long" in found[0]["says"]
