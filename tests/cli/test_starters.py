"""`hardwon starters` as a user meets it, and the offer at the end of setup."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commandline import Cli

GOOD = "---\nskill: deploy\n---\n\n- [port] It listens on 8080.\n  source: https://example.org/readme\n"


def install(cli: Cli, skill: str, folder: str = ".claude/skills") -> None:
    place = cli.home.parent / folder / skill
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(f"---\nname: {skill}\ndescription: x\n---\n")


def test_add_list_and_remove(cli: Cli) -> None:
    """Shown first, added with --yes, counted, taken back."""
    install(cli, "voice")
    assert not cli.json("starters", "add", "voice", "--dry-run")["added"]
    assert not cli.home.exists()
    refused = cli.run("starters", "add", "voice", code=1)
    assert "--yes" in refused.stderr
    assert "[say or ask]" in refused.stdout
    added = cli.json("starters", "add", "voice", "--yes")
    assert added["added"] == len(added["items"]) == 5
    (voice,) = [one for one in cli.json("starters", "list")["items"] if one["skill"] == "voice"]
    assert (voice["kept"], voice["lessons"], voice["installed"]) == (5, 5, True)
    assert {one["source"] for one in cli.json("list", "--global", "--skill", "voice")["items"]} == {"starter"}
    assert cli.json("starters", "remove", "voice", "--yes")["removed"] == 5
    assert cli.json("list", "--all", "--every-status")["total"] == 0


def test_one_undo_takes_back_one_add(cli: Cli) -> None:
    """Adding is one command."""
    cli.run("starters", "add", "--all", "--yes")
    cli.run("undo")
    assert cli.json("list", "--all", "--every-status")["total"] == 0


def test_all_leaves_skills_with_lessons_alone(cli: Cli) -> None:
    """--all never mixes starters into what was learned."""
    cli.run("note", "Speak slowly", "--skill", "voice", "--global")
    added = cli.json("starters", "add", "--all", "--yes")["items"]
    assert {one["skipped"] for one in added if one["skill"] == "voice"} == {"the skill has lessons already"}
    assert {one["skipped"] for one in added if one["skill"] != "voice"} == {""}


def test_nothing_is_guessed(cli: Cli) -> None:
    """Neither nothing nor everything at once, and an unknown skill is named with those that there are."""
    for arguments in (["add"], ["add", "voice", "--all"], ["remove"]):
        assert "or say --all" in cli.run("starters", *arguments, code=2).stderr
    assert "browser-use" in cli.run("starters", "add", "nonsense", code=2).stderr


def test_a_pause_holds_for_agents(cli: Cli) -> None:
    """While hardwon is paused an agent adds nothing."""
    cli.run("pause")
    assert "Nothing was kept" in cli.run("starters", "add", "voice", "--yes", code=1).stderr


def test_check_names_file_and_line(cli: Cli) -> None:
    """Status 0 and a count for good files; else file:line and status 1."""
    (cli.folder / "deploy.md").write_text(GOOD)
    assert cli.run("starters", "check", "deploy.md").stdout == "1 file, nothing is wrong\n"
    (cli.folder / "bad.md").write_text(GOOD.replace("It listens on", "Run it on").replace("deploy", "other"))
    bad = cli.run("starters", "check", "bad.md", code=1)
    assert bad.stdout.startswith('bad.md:5: "Run" is an order')
    found = cli.json("starters", "check", ".", code=1)
    assert found["files"] == 2
    assert found["items"] == [{"file": "bad.md", "line": 5, "says": found["items"][0]["says"]}]


def test_check_looks_across_files(cli: Cli) -> None:
    """The same text or the same skill in two files is a problem of the second."""
    (cli.folder / "one.md").write_text(GOOD)
    (cli.folder / "two.md").write_text(GOOD)
    says = cli.run("starters", "check", ".", code=1).stdout
    assert "two.md:1: lessons for deploy are also in one.md" in says
    assert "two.md:5: the same is said in one.md" in says


def test_check_bad_input(cli: Cli) -> None:
    """A missing file, an empty folder, bytes that are no text, a huge file: a sentence each."""
    assert "is not there" in cli.run("starters", "check", "none.md", code=1).stderr
    (cli.folder / "empty").mkdir()
    assert "no file" in cli.run("starters", "check", "empty", code=1).stderr
    (cli.folder / "binary.md").write_bytes(b"---\n\xff\xfe\0")
    assert "binary.md:2: it is not UTF-8 text" in cli.run("starters", "check", "binary.md", code=1).stdout
    (cli.folder / "huge.md").write_text("x" * 300_000)
    assert "bytes" in cli.run("starters", "check", "huge.md", code=1).stdout


ANSWER = str(Path(__file__).parents[1] / "setup" / "answer.py")
OFFER = "from hardwon.cli.verbs import starters; starters.offer()"


def offered(cli: Cli) -> subprocess.CompletedProcess[str]:
    """What `setup` calls at its end, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", OFFER], capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=True
    )


def test_setup_offers_what_fits(cli: Cli) -> None:
    """Without one of the skills it is silent; with one, whoever is no person is told the command; after it, no more."""
    assert offered(cli).stderr == ""
    install(cli, "voice")
    install(cli, "browser-use", ".agents/skills")
    assert "`hardwon starters add browser-use voice`" in offered(cli).stderr
    assert not cli.home.exists()
    cli.run("starters", "add", "--all", "--yes")
    assert offered(cli).stderr == ""


@pytest.mark.parametrize(("answer", "kept"), [("y", 5), ("n", 0)])
def test_a_person_is_asked_by_setup(cli: Cli, answer: str, kept: int) -> None:
    """At a terminal it is a question; no leaves nothing but the command for later."""
    install(cli, "voice")
    command = [sys.executable, ANSWER, answer, sys.executable, "-c", OFFER]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=True)
    said = json.loads(done.stdout)
    assert said["code"] == 0, said
    assert "starter lessons, documented facts, for voice" in said["output"]
    assert cli.json("list", "--global", "--skill", "voice")["total"] == kept
    assert ("hardwon starters add voice" in said["output"]) == (answer == "n")
