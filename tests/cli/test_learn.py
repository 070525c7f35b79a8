"""`hardwon learn` as a user meets it: the plan, the question, the figures, an interruption, the offer of setup."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon.paths import Home
from hardwon.store.tables import journal
from tests.clients import sessions
from tests.commandline import HARDWON, Cli
from tests.support import opened

ANSWER = str(Path(__file__).parents[1] / "setup" / "answer.py")
OFFER = "from hardwon.cli.verbs import learn; learn.offer()"
NOTHING = {"sessions": 0, "events": 0, "failures": 0, "fixes": 0, "rules": 0, "decisions": 0, "new": 0}


def past(cli: Cli, name: str, *records: dict[str, Any], folder: Path | None = None) -> Path:
    """A session of Claude Code in its own folder."""
    path = cli.home.parent / ".claude" / "projects" / "-app" / f"{name}.jsonl"
    return sessions.claude(path, name, folder or cli.folder, *records)


def rollout(cli: Cli) -> Path:
    """A session of Codex in its own folder; it worked in the project app."""
    recorded = Path(__file__).parents[1] / "clients" / "codex" / "transcripts" / "rollout-exec-failures.jsonl"
    path = cli.home.parent / ".codex" / "sessions" / "2026" / "11" / "15" / "rollout-1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(recorded.read_text("utf-8").replace("/home/user/project", str(cli.folder)))
    return path


def figures(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: answer[name] for name in NOTHING}


def test_nothing_to_read(cli: Cli) -> None:
    """No client has left a session, or an empty folder: said, and no failure."""
    assert "there is nothing to read" in cli.run("learn", "--yes").stdout
    (cli.home.parent / ".claude" / "projects").mkdir(parents=True)
    assert figures(cli.json("learn", "--yes")) == NOTHING


def test_the_plan_is_shown_before_anything_is_read(cli: Cli) -> None:
    """Sessions, size and client per project; a dry run leaves no home behind, and without a yes nothing is read."""
    past(cli, "s1", *sessions.mended("one"))
    rollout(cli)
    planned = cli.run("learn", "--dry-run").stdout
    assert "app" in planned
    assert "2 sessions" in planned
    assert "claude-code, codex" in planned
    assert not cli.home.exists()
    dry = cli.json("learn", "--dry-run")
    assert (dry["dry_run"], dry["sessions"], dry["plan"]["app"]["sessions"]) == (True, 2, 2)
    refused = cli.run("learn", code=1)
    assert "--yes" in refused.stderr
    with opened(cli.home, write=False) as store:
        assert journal.count(store) == 0


def test_what_was_learned_is_said_per_project(cli: Cli) -> None:
    """And what goes wrong most often; a second run reads nothing, --again reads and learns nothing new."""
    for number in range(3):
        past(cli, f"s{number}", *sessions.mended(f"call{number}"))
    rollout(cli)
    answer = cli.json("learn", "--yes")
    assert figures(answer) | {"failures": 0, "fixes": 0, "new": 0} == NOTHING | {"sessions": 4, "events": 17}
    assert answer["failures"] >= 1
    assert answer["fixes"] >= 1
    assert answer["new"] == sum(value for name, value in answer["projects"][0].items() if name != "project")
    assert [(one["times"], "pytest tests/test_parser.py" in one["text"]) for one in answer["repeated"]] == [(3, True)]
    assert figures(cli.json("learn", "--yes")) == NOTHING
    assert figures(cli.json("learn", "--yes", "--again")) == NOTHING | {"sessions": 4}
    shown = cli.run("learn", "--yes", "--again").stdout
    assert "nothing new was learned" in shown
    assert "3 times" in shown


def test_only_what_is_asked_for(cli: Cli) -> None:
    """By client, project and time; what is not there is an error that says what is."""
    old = past(cli, "s1", *sessions.mended("one"))
    other = cli.folder.parent / "other"
    other.mkdir()
    past(cli, "s2", *sessions.mended("two"), folder=other)
    os.utime(old, (1_700_000_000, 1_700_000_000))
    assert cli.json("learn", "--dry-run", "--client", "codex")["sessions"] == 0
    assert list(cli.json("learn", "--dry-run", "--since", "30d")["plan"]) == ["other"]
    assert set(cli.json("learn", "--dry-run", "--since", "2023-01-01")["plan"]) == {"app", "other"}
    cli.run("learn", "--yes", "--client", "claude-code")
    assert list(cli.json("learn", "--dry-run", "--again", "--project", "app")["plan"]) == ["app"]
    for arguments, says in (
        (("--client", "clippy"), "codex"),
        (("--since", "yesterday"), "30d"),
        (("nowhere.jsonl",), "not there"),
    ):
        assert says in cli.run("learn", *arguments, code=2).stderr
    assert "other" in cli.run("learn", "--project", "othre", code=1).stderr


def test_a_file_by_its_relative_and_its_absolute_path_is_one(cli: Cli) -> None:
    """Read by one name, it is known by the other; from wherever the command is run."""
    path = past(cli, "s1", *sessions.mended("one"))
    assert cli.json("learn", "s1.jsonl", "--yes", cwd=path.parent)["sessions"] == 1
    assert cli.json("learn", str(path), "--yes")["sessions"] == 0
    assert cli.json("learn", "--yes")["sessions"] == 0


def test_files_from_anywhere_are_for_a_person_to_name(cli: Cli) -> None:
    """A made-up transcript would teach verified fixes: an agent can't have one read, a person can."""
    path = sessions.claude(cli.folder / "fetched.jsonl", "s1", cli.folder, *sessions.mended("one"))
    refused = cli.run("learn", str(path), "--yes", code=1)
    assert "comes from an agent" in refused.stderr
    link = cli.home.parent / ".claude" / "projects" / "-app" / "link.jsonl"
    link.parent.mkdir(parents=True)
    link.symlink_to(path)
    assert "comes from an agent" in cli.run("learn", str(link), "--yes", code=1).stderr
    link.unlink()
    assert not Home(cli.home).database.exists()
    assert "learned 1 failure, 1 fix" in cli.person("learn", str(path), "--yes")
    assert "is no session" in cli.person("learn", "/etc/hostname", "--yes", code=1)


def test_an_excluded_project_is_untouched(cli: Cli) -> None:
    """It is said how many stay out, and why; nothing of it is in the home."""
    past(cli, "s1", *sessions.mended("one"))
    cli.home.mkdir()
    (cli.home / "hardwon.toml").write_text('[control]\nexclude_projects = ["app"]\n')
    done = cli.run("learn", "--yes")
    assert "1 session left out" in done.stderr
    assert "exclude_projects" in done.stderr
    assert not any(b"parser_id" in file.read_bytes() for file in cli.home.rglob("*") if file.is_file())


def test_a_pause_holds_for_learning_too(cli: Cli) -> None:
    """Nothing is read while it lasts."""
    past(cli, "s1", *sessions.mended("one"))
    cli.run("pause")
    assert "paused" in cli.run("learn", "--yes", code=1).stderr
    cli.run("resume")
    assert cli.json("learn", "--yes")["sessions"] == 1


def test_an_interrupted_run_goes_on(cli: Cli) -> None:
    """Ctrl-C says how far it came; the next run reads the rest, and together they know what one run would."""
    calls = [sessions.passed(f"toolu_{number:05}", f"make {number}", "some output\n" * 200) for number in range(6_000)]
    flat = [record for pair in calls for record in pair]
    first = past(cli, "s1", *flat, *sessions.mended("one"))
    process = subprocess.Popen(
        [HARDWON, "learn", "--yes"], cwd=cli.folder, env=cli.environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while entries(cli) < 400:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "goes on from there" in said
    before = entries(cli)
    assert 400 <= before < 6_003
    again = cli.json("learn", "--yes")
    assert (again["sessions"], again["failures"], again["fixes"]) == (1, 1, 1)
    assert entries(cli) == 6_003
    assert again["bytes"] < first.stat().st_size


def entries(cli: Cli) -> int:
    if not Home(cli.home).database.exists():
        return 0
    with opened(cli.home, write=False) as store:
        return journal.count(store)


def test_undo_takes_back_no_learning(cli: Cli) -> None:
    """It takes back what was commanded: the note before, not what was learned since."""
    cli.run("note", "the parser is slow")
    past(cli, "s1", *sessions.mended("one"))
    cli.run("learn", "--yes")
    cli.run("undo")
    kinds = {one["kind"] for one in cli.json("list", "--every-status")["items"]}
    assert {"failure", "fix"} <= kinds
    assert "lesson" not in kinds


def offered(cli: Cli) -> str:
    done = subprocess.run(
        [sys.executable, "-c", OFFER], capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=True
    )
    return done.stderr


def test_setup_offers_to_learn(cli: Cli) -> None:
    """Silent without sessions; whoever is no person is told the command; when all was read, silent again."""
    assert offered(cli) == ""
    past(cli, "s1", *sessions.mended("one"))
    assert "1 past session" in offered(cli)
    assert "`hardwon learn`" in offered(cli)
    assert not cli.home.exists()
    cli.run("learn", "--yes")
    assert offered(cli) == ""


@pytest.mark.parametrize(("answer", "learned"), [("y", 2), ("n", 0)])
def test_a_person_is_asked_by_setup(cli: Cli, answer: str, learned: int) -> None:
    """At a terminal it is a question."""
    past(cli, "s1", *sessions.mended("one"))
    command = [sys.executable, ANSWER, answer, sys.executable, "-c", OFFER]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=True)
    said = json.loads(done.stdout)
    assert said["code"] == 0, said
    assert "Learn from 1 past session" in said["output"]
    assert cli.json("list", "--every-status")["total"] == learned


def test_the_folder_that_an_earlier_tool_was_told_of(cli: Cli, tmp_path: Path) -> None:
    """CLAUDE_PROJECTS_DIR is read as well where no path is given, once, and not on an agent's word."""
    past(cli, "s1", *sessions.mended("one"))
    own, moved = cli.home.parent / ".claude" / "projects", tmp_path / "moved"
    shutil.copytree(own, moved)
    named = {"CLAUDE_PROJECTS_DIR": str(moved)}
    shutil.rmtree(own)
    assert "not read for an agent" in cli.run("learn", "--dry-run", env=named).stderr
    assert "1 session" in cli.person("learn", "--dry-run", env=named)
    past(cli, "s2", *sessions.mended("two"))
    assert "2 sessions" in cli.person("learn", "--dry-run", env=named)
    assert cli.json("learn", "--dry-run", env={"CLAUDE_PROJECTS_DIR": str(own)})["sessions"] == 1
    assert "is no folder" in cli.run("learn", "--dry-run", env={"CLAUDE_PROJECTS_DIR": "/nowhere"}).stderr


def test_a_copied_folder_of_sessions_is_read_by_a_person(cli: Cli, tmp_path: Path) -> None:
    """All that is in it, of every client, each known by its content; the sub-agents with their sessions."""
    past(cli, "s1", *sessions.mended("one"))
    rollout(cli)
    fetched = tmp_path / "fetched"
    for name in (".claude", ".codex"):
        shutil.move(cli.home.parent / name, fetched / name)
    assert "there is nothing to read" in cli.run("learn", "--yes").stdout
    assert "read 2 sessions" in cli.person("learn", str(fetched), "--yes")


def test_a_link_that_leads_nowhere_is_left_out(cli: Cli) -> None:
    """Among the sessions and among those of a sub-agent, of every client: the others are read."""
    path = past(cli, "s1", *sessions.mended("one"))
    (path.with_suffix("") / "subagents").mkdir(parents=True)
    for dead in (path.with_name("dead.jsonl"), path.with_suffix("") / "subagents" / "agent-1.jsonl"):
        dead.symlink_to("/nonexistent")
    rollout(cli).with_name("rollout-2.jsonl").symlink_to("/nonexistent")
    done = cli.run("setup", "--yes")
    assert "2 past sessions" in done.stderr
    assert "Traceback" not in done.stderr
    assert cli.json("learn", "--yes")["sessions"] == 2
    assert figures(cli.json("learn", "--yes")) == NOTHING
