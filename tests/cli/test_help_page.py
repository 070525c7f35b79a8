"""Help as it lies ready, beside the real one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from docs import help_pages

from hardwon.cli import help_page
from tests.commandline import HARDWON, PERSON, Cli

REAL = "import sys; from hardwon.cli.app import run; run(sys.argv[1:])"
ASKED = [
    ["--help"],
    ["-h"],
    [],
    ["help"],
    ["help", "--all"],
    ["help", "note"],
    ["note", "--help"],
    ["recall", "-h"],
    ["daemon", "status", "--help"],
    ["review", "--help"],
]


def test_the_pages_are_those_that_would_be_made() -> None:
    """Every command has its page, and each is what the commands themselves say today (`python -m docs.generate`)."""
    assert help_pages.PATH.read_text("utf-8") == help_pages.text()


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_it_is_shown_as_the_real_one(cli: Cli, words: list[str]) -> None:
    """In a pipe there is no difference, not even a blank."""
    made = subprocess.run([sys.executable, "-c", REAL, *words], env=cli.environment(), capture_output=True, check=True)
    assert cli.run(*words).stdout == made.stdout.decode()


def test_all_verbs_may_be_asked_for_either_way(cli: Cli) -> None:
    """`hardwon --help --all` is `hardwon help --all`; the first screen has at most twelve of them."""
    every = cli.run("help", "--all").stdout
    assert cli.run("--help", "--all").stdout == cli.run("--all", "-h").stdout == every
    explained = [line for line in cli.run("--help").stdout.splitlines() if line.startswith("│ ") and line[2] != " "]
    assert len([line for line in explained if line[2] != "-"]) <= 12


@pytest.mark.parametrize("columns", ["80", "100"])
def test_a_terminal_shows_it_in_colour(cli: Cli, columns: str) -> None:
    """At a terminal it is what Rich shows on 80 columns; in one that is narrower, or wants no colour, Rich makes it."""
    page = help_page.plain(help_pages.page(("note",)))
    script = f"stty cols {columns}; exec {HARDWON} note --help"
    command = [sys.executable, PERSON, "/bin/sh", "-c", script]
    told = subprocess.run(command, env=cli.environment({"TERM": "xterm"}), capture_output=True, check=True)
    shown = json.loads(told.stdout)["output"].replace("\r\n", "\n")
    assert "\x1b[" in shown
    assert help_page.plain(shown) == page


@pytest.mark.parametrize(
    ("words", "page"),
    [
        (["help", "-a"], "--all"),
        (["help", "daemon", "log"], "daemon log"),
        (["note", "--help"], "note"),
        (["note", "--kind", "--help"], None),
        (["note", "text"], None),
        (["help", "--help"], None),
    ],
)
def test_what_is_a_question_for_help(words: list[str], page: str | None) -> None:
    """Only what is plainly one is answered so; the rest is read by the commands themselves."""
    assert help_page.name(words) == page
