"""Seat belts in a running daemon, in a real repository with a remote."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import Kind, Trust
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session

TOKEN = "ghp_" + "x7Kq2" * 7 + "a"
AUTHOR = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *AUTHOR, "-C", str(folder), *words], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def work(daemon: Daemon) -> Path:
    """The project as a repository whose main branch is on its remote, and another branch that is not."""
    folder = daemon.folder
    git(folder.parent, "init", "-q", "--bare", str(folder.parent / "remote.git"))
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("x = 1\n")
    (folder / ".gitignore").write_text("*.local\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    git(folder, "remote", "add", "origin", str(folder.parent / "remote.git"))
    git(folder, "push", "-q", "-u", "origin", "main")
    git(folder, "checkout", "-q", "-b", "feat/x")
    with daemon.store(write=True) as store:
        keep(store, "a project", folder=folder)
    return folder


def set_to(daemon: Daemon, section: str, **lines: Any) -> None:
    text = "\n".join([f"[{section}]", *(f"{name} = {value}" for name, value in lines.items()), ""])
    daemon.home.settings.write_text(text.replace("'", '"'))


def note(answer: dict[str, Any]) -> str:
    assert "permissionDecision" not in answer, answer
    return str(answer.get("additionalContext", ""))


def write(session: Session, file: str, text: str) -> dict[str, Any]:
    given = {"file_path": f"{session.cwd or session.daemon.folder}/{file}", "content": text}
    return session.send("PreToolUse-Write", tool_input=given, tool_use_id=session.next_call())


def test_a_push_that_overwrites_is_noted_once_in_a_session(daemon: Daemon, work: Path) -> None:
    """M9, W28: as context that the model reads, in one line, with the branch's name; nothing is held up."""
    assert work.is_dir()
    daemon.start()
    session = Session(daemon)
    said = note(session.before("cd . && git -c core.pager=cat push -uf origin feat/x"))
    assert said.splitlines()[2:-1] == [
        "- This push overwrites `feat/x` on origin (`-uf`): commits that are only there are lost."
    ]
    assert note(session.before("git push -f origin feat/x")) == ""


def test_the_repository_s_own_aliases_are_known(daemon: Daemon, work: Path) -> None:
    """M9: `git yolo` is what the configuration says that it is."""
    git(work, "config", "alias.yolo", "push --force")
    daemon.start()
    assert "overwrites `feat/x`" in note(Session(daemon).before("git yolo"))


def test_a_secret_in_what_is_pushed_is_named(daemon: Daemon, work: Path) -> None:
    """M9: by name and by contents, of the commits that are not on the remote yet; what is there already is not."""
    (work / "deploy").mkdir()
    (work / "deploy" / "id_rsa").write_text("not really one\n")
    (work / "b.py").write_text(f"TOKEN = '{TOKEN}'\n")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "second")
    daemon.start()
    said = note(Session(daemon).before("git push -u origin feat/x"))
    assert "`deploy/id_rsa`, which holds secrets, by its name" in said
    assert "`b.py`, which holds what looks like a secret (github-token)" in said
    assert TOKEN not in said
    git(work, "push", "-q", "-u", "origin", "feat/x")
    assert note(Session(daemon, "s2").before("git push")) == ""


def test_what_was_edited_and_is_not_committed_is_named(daemon: Daemon, work: Path) -> None:
    """M9: only files that this session has changed; the person's own unfinished ones are nobody's business."""
    (work / "a.py").write_text("x = 2\n")
    daemon.start()
    assert note(Session(daemon, "s0").before("git push -u origin feat/x")) == ""
    session = Session(daemon)
    session.before_edit(f"{work}/a.py")
    assert "1 changed file is not committed and not in this push: `a.py`." in note(session.before("git push"))


def test_a_check_that_failed_and_was_not_run_since(daemon: Daemon, work: Path) -> None:
    """M9: run again before the push, whatever came of it is known."""
    assert work.is_dir()
    daemon.start()
    session = Session(daemon)
    session.before("npm test")
    session.failed("npm test", "Exit code 1\n1 failing")
    assert "`npm test` failed after the last push and was not run since." in note(session.before("git push"))
    again = Session(daemon, "s2")
    again.failed("npm test", "Exit code 1\n1 failing")
    again.before("npm test 2>&1 | tail")
    assert note(again.before("git push")) == ""


def test_a_file_of_secrets_is_noted_unless_git_ignores_it(daemon: Daemon, work: Path) -> None:
    """M8, W28: `.env` and what is like it, by the Write tool and by the shell."""
    assert work.is_dir()
    daemon.start()
    session = Session(daemon)
    assert "`.env` looks like a file of secrets, and git does not ignore it." in note(write(session, ".env", "A=b"))
    assert note(write(session, ".env.local", "A=b")) == ""
    assert note(write(session, ".env.example", "A=b")) == ""
    assert "`config/prod.env`" in note(session.before("mkdir -p config && echo A=b > config/prod.env"))
    assert "github-token" in note(write(session, "c.py", f"T = '{TOKEN}'"))


def test_a_document_that_nobody_asked_for(daemon: Daemon, work: Path) -> None:
    """M8: asked for in this session, or there already, it is no question."""
    assert work.is_dir()
    daemon.start()
    session = Session(daemon)
    session.prompt("fix the login")
    assert "`README.md` is new, and nobody asked for it" in note(write(session, "README.md", "# x"))
    other = Session(daemon, "s2")
    other.prompt("write a readme")
    assert note(write(other, "README.md", "# x")) == ""


LEVELS = [
    ("ask", "['force-push']", "ask"),
    ("deny", "['force-push']", "deny"),
    ("deny", "['claude-code:force-push']", "deny"),
    ("deny", "['codex:force-push']", None),
    ("deny", "['wrong-branch']", None),
    ("off", "['force-push']", None),
]


@pytest.mark.parametrize(("level", "rules", "decision"), LEVELS)
def test_only_what_a_person_switched_on_holds_up_a_call(
    daemon: Daemon, work: Path, level: str, rules: str, decision: str | None
) -> None:
    """Levels by rule and by client; the default is a note."""
    assert work.is_dir()
    set_to(daemon, "guards", **{level: rules})
    daemon.start()
    session = Session(daemon)
    for _ in range(2):  # each time
        answer = session.before("git push -f origin feat/x")
        assert answer.get("permissionDecision") == decision
    unreadable = session.before("echo 'x; git push --mirror")
    assert "permissionDecision" not in unreadable


SPELLINGS = ["git push -f", "git push origin +main", "git -C . push -uf origin main", "true && sudo git push --mirror"]


@pytest.mark.parametrize("command", SPELLINGS)
def test_a_rule_that_is_a_guard_means_every_spelling(daemon: Daemon, work: Path, command: str) -> None:
    """What a person forbade as `git push --force origin main` is forbidden as `git push -f` on main, too."""
    git(work, "checkout", "-q", "main")
    set_to(daemon, "alerts", guard="'deny'")
    with daemon.store(write=True) as store:
        keep(store, "never overwrite main", Kind.RULE, folder=work, command="git push --force origin main",
             trust=Trust.USER)  # fmt: skip
    daemon.start()
    answer = Session(daemon).before(command)
    assert answer["permissionDecision"] == "deny"
    assert "never overwrite main" in answer["permissionDecisionReason"]
    git(work, "checkout", "-q", "feat/x")
    assert Session(daemon, "s2").before("git push origin feat/x").get("permissionDecision") is None


def test_a_repository_can_run_nothing_by_being_looked_at(daemon: Daemon, work: Path, tmp_path: Path) -> None:
    """A configuration that came with somebody's repository starts no program of its own."""
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o755)
    git(work, "config", "core.fsmonitor", str(script))
    (work / "a.py").write_text("x = 3\n")
    daemon.start()
    Session(daemon).before("git push -f origin feat/x")
    assert not (tmp_path / "ran").exists()


def test_the_answer_comes_within_the_hook_s_limit(daemon: Daemon, work: Path) -> None:
    """Two thousand files in a first push: what there was no time for is said, and the call goes on."""
    (work / "many").mkdir()
    for number in range(2_000):
        (work / "many" / f"{number}.txt").write_text(f"{number} some words\n" * 500)
    git(work, "add", "-A")
    git(work, "commit", "-qm", "many")
    daemon.start()
    session = Session(daemon)
    session.before("ls")
    answer = daemon.send(
        "PreToolUse",
        session.message("PreToolUse-Bash", tool_input={"command": "git push -u origin feat/x"}, tool_use_id="toolu_x"),
        limit=250,
    )
    assert answer == {} or "not scanned" in note(answer)
