"""`hardwon recall --explain`: how the question was read, what a prompt of it would get, and why each memory came."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Kind
from hardwon.store import changes
from tests.commandline import Cli
from tests.daemon.running import keep
from tests.support import now, opened

ASKED = "why did we put the sessions into cookies? npm test"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "h", folder)


@pytest.fixture
def decided(cli: Cli) -> tuple[str, str]:
    """What holds, and what it replaced."""
    with opened(cli.home) as store:
        old = keep(store, "sessions live in redis", Kind.DECISION, folder=cli.folder)
        new = keep(store, "sessions are signed cookies", Kind.DECISION, folder=cli.folder)
        changes.supersede(store, old, new, now())
    return new, old


def test_explain_says_how_the_question_was_read(cli: Cli, decided: tuple[str, str]) -> None:
    """What it names, what it is after, the risk, what a prompt would get, how much was looked at."""
    found = cli.json("recall", ASKED, "--explain")
    assert "command=npm test" in found["pivots"]
    assert (found["intent"], found["risk"]) == ("why", "medium")
    assert found["policy"] == {"candidates": 15, "items": 5, "tokens": 600, "min_coverage": 0.306}
    assert found["counts"]["said"] == len(found["items"]) == 1
    assert found["counts"]["candidates"] >= 1
    assert found["counts"]["tokens"] > 0
    said = cli.run("recall", ASKED, "--explain").stdout
    assert "pivots: command=npm test" in said
    assert "intent: why (risk: medium)" in said
    assert "at a prompt: 15 candidates, 5 memories, 600 tokens, from 31% of the question on" in said


def test_explain_says_why_each_memory_came_and_what_belongs_to_it(cli: Cli, decided: tuple[str, str]) -> None:
    """The words, the factor of the intent among the others, and the chain."""
    new, old = decided
    found = cli.json("recall", ASKED, "--explain")
    (item,) = found["items"]
    assert item["id"] == new
    assert "cookies" in item["why"]
    assert item["factors"]["intent"] == 1.15
    assert found["chains"][new] == [{"relation": "replaced", "id": old, "headline": "sessions live in redis"}]
    said = cli.run("recall", ASKED, "--explain").stdout
    assert f"{new[-6:]} replaced: {old[-6:]} sessions live in redis" in said


def test_without_explain_nothing_of_it_is_printed(cli: Cli, decided: tuple[str, str]) -> None:
    """The answer is as short as before."""
    assert set(cli.json("recall", ASKED)) == {"items", "silent"}
    assert "pivots" not in cli.run("recall", ASKED).stdout


def test_a_command_in_plain_words_finds_what_is_known_of_it(cli: Cli) -> None:
    """As it does at a prompt."""
    with opened(cli.home) as store:
        known = keep(store, "needs Node 20", folder=cli.folder, command="npm test")
    assert [item["id"] for item in cli.json("recall", "what about npm test here")["items"]] == [known]
