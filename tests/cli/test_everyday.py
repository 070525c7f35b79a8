"""What a stranger types first does the natural thing, and says what it means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardwon.cli.app import EVERYDAY, MODULES
from hardwon.memory import Kind, Trust
from tests.commandline import Cli
from tests.daemon.running import keep
from tests.support import opened


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "h", folder)


def test_the_rest_of_the_line_is_the_command_to_check(cli: Cli) -> None:
    """As it would be typed, with options of its own; in quotation marks it is the same."""
    with opened(cli.home) as store:
        body = "`make -f ci.mk test` failed: boom"
        keep(store, body, Kind.FAILURE, folder=cli.folder, command="make -f ci.mk test", trust=Trust.VERIFIED)
    by_option = cli.run("check", "--command", "make -f ci.mk test").stdout
    assert "boom" in by_option
    assert cli.run("check", "make", "-f", "ci.mk", "test").stdout == by_option
    assert cli.run("check", "make -f ci.mk test").stdout == by_option
    assert '"near": "exact"' in cli.run("check", "--json", "make", "-f", "ci.mk", "test").stdout


def test_an_option_behind_a_command_in_quotation_marks(cli: Cli) -> None:
    """Is not taken for a part of it: the sentence has the line as it should be."""
    said = cli.run("check", "make test", "--global", code=2).stderr
    assert "Try: hardwon check --global 'make test'" in said
    assert "check one at a time" in cli.run("check", "-c", "make", "npm", "test", code=2).stderr


@pytest.mark.parametrize(
    ("bare", "verb"),
    [
        ("review", "list"),
        ("config", "show"),
        ("project", "list"),
        ("starters", "list"),
        ("daemon", "status"),
        ("vectors", "status"),
    ],
)
def test_a_bare_command_shows_what_there_is(cli: Cli, bare: str, verb: str) -> None:
    """With status 0, and its options are taken, too."""
    cli.run("note", "the tests need redis")
    assert cli.run(bare).stdout == cli.run(bare, verb).stdout
    assert cli.json(bare) == cli.json(bare, verb)
    assert "Usage" in cli.run(bare, "--help").stdout
    assert "nonsense" in cli.run(bare, "nonsense", code=2).stderr


def test_the_first_screen_of_help(cli: Cli) -> None:
    """Explains about ten verbs, names the others, and says where these are explained."""
    said = cli.run("--help").stdout
    assert cli.run().stdout == said == cli.run("help").stdout
    explained = re.findall(r"^. (\w+) +[A-Z]", said, re.MULTILINE)
    assert explained == list(EVERYDAY)
    assert 8 <= len(explained) <= 12
    assert "hardwon help --all" in said
    _, _, others = said.partition("explains the others:")
    assert set(re.findall(r"\w+", others)) == MODULES.keys() - set(EVERYDAY)
    assert re.findall(r"^. (\w+) +[A-Z]", cli.run("help", "--all").stdout, re.MULTILINE) == list(MODULES)


def test_help_for_one_command(cli: Cli) -> None:
    assert cli.run("help", "check").stdout == cli.run("check", "--help").stdout
    assert cli.run("help", "review", "accept").stdout == cli.run("review", "accept", "--help").stdout
    assert "There is no command" in cli.run("help", "chekc", code=2).stderr


def test_status_says_where_its_lines_are_explained(cli: Cli) -> None:
    """Every label that it may print is in its help."""
    done = cli.run("status")
    assert "hardwon status --help" in done.stderr
    said = cli.run("status", "--help").stdout
    labels = [re.split(r"  +", line)[0] for line in done.stdout.splitlines()]
    assert [one for one in labels if one not in ("project", "home") and one not in said] == []


def test_what_is_no_fault_and_not_well_either(cli: Cli) -> None:
    """A memory that no session uses is not "ok": the line has the next step."""
    said = cli.run("doctor").stdout
    assert "ok clients" not in said
    assert "-- clients: none is set up, so no session uses this memory\n   → hardwon setup connects one\n" in said
    (found,) = [one for one in cli.json("doctor")["findings"] if one["what"] == "clients"]
    assert (found["ok"], found["note"]) == (True, True)


def test_the_count_behind_a_lesson_is_explained(cli: Cli) -> None:
    """Beside the text, which is the form of a file."""
    cli.run("note", "Upload images first", "--skill", "docs", "--global")
    done = cli.run("show", "--skill", "docs", "--global")
    assert done.stdout.endswith("Upload images first  [HIT:0]\n")
    assert done.stderr == "[HIT:n]: how often it was learned again\n"
