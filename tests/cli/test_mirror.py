"""The markdown files as a user meets them: commands, an editor, a person who is asked."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.commandline import HARDWON, Cli
from tests.support import bodies, files_with

FIRST = "Rebase before you push to main"
SECOND = "The index lock is left behind by a crashed git"


def knowledge(cli: Cli, skill: str = "git") -> Path:
    return cli.home / "skills" / skill / "KNOWLEDGE.md"


def listed(cli: Cli, status: str = "active") -> list[str]:
    return sorted(item["body"] for item in cli.json("list", "--global", "--status", status)["items"])


def test_a_note_is_in_the_file_and_an_edit_of_the_file_in_the_memory(cli: Cli) -> None:
    """`note --skill` writes it; what is typed there is what `recall --skill` says next."""
    cli.run("note", FIRST, "--skill", "git", "-g")
    cli.run("note", SECOND, "--skill", "git", "-g")
    cli.run("note", "a principle", "-g")
    assert FIRST in knowledge(cli).read_text()
    assert "a principle" in (cli.home / "global" / "KNOWLEDGE.md").read_text()
    knowledge(cli).write_text(
        knowledge(cli).read_text().replace("to main", "to trunk") + "- Tags go with --follow-tags\n"
    )
    said = cli.run("recall", "--skill", "git", "-g").stdout
    assert "to trunk" in said
    assert "--follow-tags" in said
    assert listed(cli) == sorted(
        ["Rebase before you push to trunk", SECOND, "Tags go with --follow-tags", "a principle"]
    )
    knowledge(cli).write_text(
        "".join(line for line in knowledge(cli).read_text().splitlines(True) if SECOND not in line)
    )
    cli.run("note", "another", "--skill", "git", "-g")
    assert listed(cli, "archived") == [SECOND]
    (gone,) = cli.json("list", "--global", "--status", "archived")["items"]
    assert gone["reason"] == "deleted from KNOWLEDGE.md"
    cli.run("reopen", gone["id"])
    assert SECOND in knowledge(cli).read_text()


def test_a_person_vouches_for_what_the_files_say(cli: Cli) -> None:
    """Read on the way they are an agent's word; `hardwon mirror` at a terminal makes it the person's."""
    cli.person("note", FIRST, "--skill", "git", "-g")
    cli.run("note", SECOND, "--skill", "git", "-g")
    knowledge(cli).write_text(knowledge(cli).read_text().replace("to main", "to trunk"))
    assert "edited" in cli.person("mirror")
    (memory,) = [item for item in cli.json("list", "--global")["items"] if "trunk" in item["body"]]
    assert memory["trust"] == "user"
    knowledge(cli).write_text(knowledge(cli).read_text().replace("to trunk", "to develop"))
    told = cli.json("mirror")
    assert [change["what"] for file in told["files"] for change in file["changes"]] == ["beside"]
    assert sorted(body for body in listed(cli) if "Rebase" in body) == [
        "Rebase before you push to develop",
        "Rebase before you push to trunk",
    ]
    assert "undone" in cli.run("undo").stdout
    assert sorted(body for body in listed(cli) if "Rebase" in body) == ["Rebase before you push to trunk"]


def test_an_emptied_file_is_a_question(cli: Cli) -> None:
    """Nothing is archived until somebody says so; doctor names it."""
    cli.run("note", FIRST, "--skill", "git", "-g")
    cli.run("note", SECOND, "--skill", "git", "-g")
    for text in ("", None):
        if text is None:
            knowledge(cli).unlink()
        else:
            knowledge(cli).write_text(text)
        told = cli.run("mirror", code=1)
        assert "2 bullets gone, nothing archived" in told.stdout
        assert "--archive" in told.stderr
        assert len(listed(cli)) == 2
        assert "has lost 2 bullets" in cli.run("doctor", code=1).stdout
    cli.run("mirror", "--keep")
    assert FIRST in knowledge(cli).read_text()
    knowledge(cli).unlink()
    assert cli.json("mirror", "--archive")["files"][0]["changes"][0]["what"] == "archived"
    assert listed(cli) == []
    cli.run("mirror", "--archive", "--keep", code=2)


@pytest.mark.parametrize(("answer", "active", "written"), [("y", 0, False), ("n", 2, True), ("", 2, True)])
def test_somebody_at_a_terminal_is_asked(cli: Cli, answer: str, active: int, written: bool) -> None:
    """Yes archives, anything else writes the file again."""
    cli.run("note", FIRST, "--skill", "git", "-g")
    cli.run("note", SECOND, "--skill", "git", "-g")
    knowledge(cli).unlink()
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(
        [HARDWON, "mirror"],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.PIPE,
        cwd=cli.folder,
        env=cli.environment(),
        timeout=60,
        check=True,
    )
    asked = os.read(ours, 65536).decode()
    os.close(ours)
    os.close(theirs)
    assert "2 bullets gone" in asked
    assert "Archive what is gone?" in asked
    assert b"skills/git/KNOWLEDGE.md" in done.stdout
    assert len(listed(cli)) == active
    assert knowledge(cli).exists() == written


def test_a_dry_run_says_and_does_nothing(cli: Cli) -> None:
    """What would be taken in and written, and nothing is."""
    cli.run("note", FIRST, "--skill", "git", "-g")
    knowledge(cli).write_text(knowledge(cli).read_text() + "- more\n")
    before = knowledge(cli).read_bytes()
    told = cli.json("mirror", "--dry-run")
    assert told["dry_run"] is True
    assert [(change["what"], change["id"]) for file in told["files"] for change in file["changes"]] == [("added", None)]
    assert "would be written" in cli.run("mirror", "--dry-run").stdout
    assert knowledge(cli).read_bytes() == before
    assert bodies(cli.home) == [FIRST]
    cli.run("mirror")
    assert cli.run("mirror").stdout == "files and memories say the same\n"


def test_forget_reaches_the_files_at_once(cli: Cli) -> None:
    """Not one byte of it under the home, in a bullet or in prose."""
    id = cli.json("note", "The zyzzyva sleeps in the parrot cage at night", "--skill", "git", "-g")["id"]
    knowledge(cli).write_text(
        knowledge(cli).read_text() + "\nMy words: the zyzzyva sleeps in the parrot cage at night.\n"
    )
    assert files_with(cli.home, "zyzzyva")
    cli.run("forget", id, "--yes")
    assert files_with(cli.home, "zyzzyva", "parrot cage") == {}
    assert "My words:" in knowledge(cli).read_text()


def test_switched_off(cli: Cli) -> None:
    """No file is written, and the verb says how to switch it on."""
    cli.run("config", "set", "mirror.enabled", "false")
    cli.run("note", FIRST, "--skill", "git", "-g")
    assert not (cli.home / "skills").exists()
    assert "mirror.enabled true" in cli.run("mirror", code=1).stderr
    cli.run("config", "set", "mirror.enabled", "true")
    cli.run("mirror")
    assert FIRST in knowledge(cli).read_text()


def test_a_file_that_can_not_be_written_does_not_fail_a_note(cli: Cli) -> None:
    """The lesson is kept; the file is a remark."""
    (cli.home / "skills").mkdir(parents=True, mode=0o700)
    (cli.home / "skills" / "git").write_text("in the way")
    told = cli.run("note", FIRST, "--skill", "git", "-g")
    assert told.stdout.startswith("kept ")
    assert bodies(cli.home) == [FIRST]


def test_room_is_made_after_a_note(cli: Cli) -> None:
    """Above `skills.max` the least useful is archived, and `SKILL_MAX` of the predecessor says the same."""
    for number in range(4):
        cli.run("note", f"lesson number {number}", "--skill", "git", "-g", env={"SKILL_MAX": "3"})
    assert len(listed(cli)) == 3
    assert listed(cli, "archived") == ["lesson number 0"]
    (gone,) = cli.json("list", "--global", "--status", "archived")["items"]
    assert gone["reason"] == "made room"
    assert "lesson number 0" not in knowledge(cli).read_text()
    assert "undone" in cli.run("undo").stdout
    assert "lesson number 3" not in listed(cli)
