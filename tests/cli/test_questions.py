"""The questions of the command line: an end of the input or Ctrl-C ends them at once, and nothing was done."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardwon.store import projects
from hardwon.store.maintenance import retention
from tests.clients import sessions
from tests.commandline import HARDWON, Cli
from tests.setup.machine import tree
from tests.support import contents, opened

KEYS = str(Path(__file__).with_name("keys.py"))
CTRL_C, CTRL_D = r"\x03", r"\x04"
NO_ANSWER = {"the end": CTRL_D, "a yes not entered": f"y{CTRL_D}{CTRL_D}", "no text": r"\xff\n", "nothing": r"\n"}
CALLS = [
    ["starters", "add", "voice"],
    ["starters", "remove", "browser-use"],
    ["forget", "ID"],
    ["setup"],
    ["uninstall"],
    ["import", "lessons.md", "--skill", "git"],
    ["project", "merge", "other", "app"],
    ["learn", "session.jsonl"],
]


def at_a_terminal(cli: Cli, keys: str, *command: str) -> tuple[int, str]:
    """Run it, and press these keys at each question: its exit status, and what it printed."""
    done = subprocess.run(
        [sys.executable, KEYS, keys, *command],
        capture_output=True,
        cwd=cli.folder,
        env=cli.environment(),
        timeout=60,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["code"], answer["output"]


@pytest.fixture
def filled(cli: Cli, tmp_path: Path) -> Cli:
    """Something for each command to ask about."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / "other").mkdir()
    (cli.folder / "lessons.md").write_text("- [2026-03] Rebase before you push  [HIT:0]\n")
    sessions.claude(cli.folder / "session.jsonl", "s1", cli.folder, *sessions.mended("one"))
    cli.run("note", "The tests need Redis")
    cli.run("note", "The tests need Postgres", cwd=tmp_path / "other")
    cli.run("starters", "add", "browser-use", "--yes")
    return cli


def called(cli: Cli, call: list[str]) -> list[str]:
    if call == ["uninstall"]:
        cli.run("setup", "--yes")
    id = cli.json("list")["items"][0]["id"]
    return [HARDWON, *(id if word == "ID" else word for word in call)]


def state(cli: Cli) -> tuple[Any, ...]:
    """What a person would miss: memories, projects, what was read, the client's settings."""
    with opened(cli.home, write=False) as store:
        known = [project.name for project in projects.listed(store)]
        return contents(store), known, retention.size(store), tree(cli.home.parent / ".claude")


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("keys", NO_ANSWER.values(), ids=NO_ANSWER.keys())
def test_who_gives_no_answer_has_not_said_yes(filled: Cli, call: list[str], keys: str) -> None:
    """It ends with a sentence and status 1, and everything is as it was."""
    command = called(filled, call)
    before = state(filled)
    code, said = at_a_terminal(filled, keys, *command)
    assert (code, said.count("[y/N]")) == (1, 1), said
    assert "hardwon: Nothing was " in said
    assert state(filled) == before


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_an_interruption_is_said(filled: Cli, call: list[str]) -> None:
    """Ctrl-C is no crash: the status of an interruption, and a sentence."""
    command = called(filled, call)
    before = state(filled)
    code, said = at_a_terminal(filled, CTRL_C, *command)
    assert (code, said.count("[y/N]")) == (130, 1), said
    assert said.endswith("hardwon: Interrupted: what was asked about was not done.\r\n")
    assert state(filled) == before


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_nobody_is_asked_in_the_background(filled: Cli, call: list[str]) -> None:
    """There a terminal gives no answer: who reads from it is stopped, as below `timeout`, until it is over."""
    command = called(filled, call)
    before = state(filled)
    shell = ["/bin/sh", "-c", 'timeout 20 "$@"; exit $?', "sh", *command]
    code, said = at_a_terminal(filled, r"y\n", *shell)
    assert (code, said.count("[y/N]")) == (1, 0), said
    assert "hardwon: Nothing was " in said
    assert state(filled) == before


def test_a_later_question_of_setup(filled: Cli) -> None:
    """An interruption there ends all of it; what was said yes to before stays."""
    (filled.home.parent / ".claude" / "skills" / "voice").mkdir(parents=True)
    (filled.home.parent / ".claude" / "skills" / "voice" / "SKILL.md").write_text("---\nname: voice\n---\n")
    filled.run("setup", "--yes")
    code, said = at_a_terminal(filled, CTRL_C, HARDWON, "setup")
    assert (code, said.count("[y/N]")) == (130, 1), said
    assert "starter lessons, documented facts, for voice" in said
    code, said = at_a_terminal(filled, CTRL_D, HARDWON, "setup")
    assert code == 0, said
    assert "`hardwon starters add voice`" in said


@pytest.mark.parametrize("keys", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_files_that_have_lost_their_lessons_stay_so(cli: Cli, keys: str) -> None:
    """No is an answer there: without one they are neither archived nor written again."""
    cli.run("note", "Rebase before you push", "--skill", "git", "--global")
    file = cli.home / "skills" / "git" / "KNOWLEDGE.md"
    file.unlink()
    code, said = at_a_terminal(cli, keys, HARDWON, "mirror")
    assert "Archive what is gone?" in said
    assert (code, file.exists()) == (130 if keys == CTRL_C else 1, False), said
    assert cli.json("list", "--global")["total"] == 1
