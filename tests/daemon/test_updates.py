"""The update notice: off by default, asked once a day, told once to the person and never to the model."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon import __version__
from hardwon.daemon import updates
from hardwon.daemon.updates import DAY, NO_REPOSITORY, Known, is_due, known, message, newest
from hardwon.paths import Home
from hardwon.settings.keys import Updates
from tests.commandline import Cli
from tests.daemon.running import Daemon, children, framed, processes, until
from tests.daemon.session import Session

AT = 1_790_000_000_000
ON = Updates(check=True, repository="https://example.org/hardwon.git")
HASH = "0123456789012345678901234567890123456789"


@pytest.mark.parametrize(
    ("tags", "version"),
    [
        ([], ""),
        (["v1.2.3"], "1.2.3"),
        (["v1.9.0", "v1.10.0", "v1.2.30"], "1.10.0"),
        (["v1.2", "v1.2.1"], "1.2.1"),
        (["1.2.3", "release-9", "v2", "v2.0.0rc1", "v2.0.0-beta", "vX.Y.Z"], ""),
        (["v1.0.0^{}", "v0.9.0"], "0.9.0"),
        (["v1.0.0\x1b[31m", "evil/v9.9.9"], ""),
        (["v99999999.0.0"], ""),
    ],
)
def test_newest(tags: list[str], version: str) -> None:
    """The highest whole version; whatever else is tagged is no version."""
    assert newest("".join(f"{HASH}\trefs/tags/{tag}\n" for tag in tags)) == version


def test_newest_of_nonsense() -> None:
    """What is no list of tags has no version."""
    assert newest("<html>refs/tags/v1.2.3</html>") == newest("") == ""


@pytest.mark.parametrize(
    ("settings", "checked", "due"),
    [
        (Updates(), 0, False),
        (Updates(check=True), 0, False),
        (Updates(repository=ON.repository), 0, False),
        (ON, 0, True),
        (ON, AT, False),
        (ON, AT - DAY + 1, False),
        (ON, AT - DAY, True),
        (ON, AT + 5 * DAY, True),
    ],
)
def test_is_due(settings: Updates, checked: int, due: bool) -> None:
    """Once a day, only when it is on and there is a repository; a clock that was set back does not end it."""
    assert is_due(settings, Known(checked_at=checked), AT) is due


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (Known(), ""),
        (Known(newest="1.2.3"), ""),
        (Known(newest="1.2.2"), ""),
        (Known(newest="1.2.4"), "hardwon: version 1.2.4 is out, this is 1.2.3"),
        (Known(newest="1.10.0"), "hardwon: version 1.10.0 is out, this is 1.2.3"),
        (Known(newest="nonsense"), ""),
    ],
)
def test_message(found: Known, says: str) -> None:
    """Only what is newer than this one is news."""
    assert message(ON, found, "1.2.3")[0] == says


@pytest.mark.parametrize("content", ["", "[]", "{", '{"checked_at": "x"}', '{"newest": 1}', "\0\0", '{"other": 1}'])
def test_a_file_that_is_none_is_nothing(tmp_path: Path, content: str) -> None:
    """A damaged note is as good as none."""
    home = Home(tmp_path)
    home.log.parent.mkdir()
    home.log.with_name("updates.json").write_text(content)
    assert known(home) == Known()


def test_nothing_is_asked_where_nothing_can_be_noted(tmp_path: Path) -> None:
    """The mark comes first: without it the question would be put again and again."""
    (tmp_path / "log").write_text("in the way")
    assert updates.look(Home(tmp_path), ON, AT) is False
    assert updates.notice(Home(tmp_path), Updates(check=True)) == ""


# ── with the real daemon ─────────────────────────────────────────────────────────────────────────────────────────────


def git(*arguments: str, cwd: Path) -> None:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, env={**os.environ, **names})


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A bare repository with versions."""
    bare = tmp_path / "hardwon.git"
    git("init", "-q", "--bare", str(bare), cwd=tmp_path)
    work = tmp_path / "work"
    git("init", "-q", str(work), cwd=tmp_path)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=work)
    for tag in ("v0.0.1", "v98.0.0", "v9.0.0", "nonsense"):
        git("tag", tag, cwd=work)
    git("push", "-q", "--tags", str(bare), cwd=work)
    return bare


def settings(daemon: Daemon, text: str) -> None:
    daemon.home.root.mkdir(mode=0o700, exist_ok=True)
    daemon.home.settings.write_text(text)


def switched_on(daemon: Daemon, address: str) -> None:
    settings(daemon, f'[updates]\ncheck = true\nrepository = "{address}"\n')


def started(daemon: Daemon, session: str) -> dict[str, Any]:
    """The whole answer to the start of a session."""
    message = Session(daemon, session).message("SessionStart-startup")
    reply = daemon.exchange(framed("SessionStart", json.dumps(message).encode()))
    return json.loads(reply) if reply else {}


def asking(daemon: Daemon) -> list[int]:
    """The processes that ask for versions, and the git they run."""
    root = str(daemon.home.root)
    return [pid for pid, words in processes() if root in words and any("daemon.updates" in word for word in words)]


def fake_git(folder: Path, script: str) -> str:
    """A PATH on which git is something else."""
    folder.mkdir()
    file = folder / "git"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return f"{folder}:{os.defpath}"


def test_a_newer_version_is_told_once(daemon: Daemon, repository: Path) -> None:
    """W9: asked when a session ends; the next one tells the person, the model nothing, and the one after nobody."""
    switched_on(daemon, f"file://{repository}")
    pid = daemon.start()
    assert started(daemon, "s1") == {}
    Session(daemon, "s1").end()
    until(lambda: known(daemon.home).newest, "the version was found")
    assert known(daemon.home).newest == "98.0.0"
    said = started(daemon, "s2")
    assert said["systemMessage"] == f"hardwon: version 98.0.0 is out, this is {__version__}"
    assert said["hookSpecificOutput"] == {"hookEventName": "SessionStart"}
    assert started(daemon, "s3") == {}
    until(lambda: not asking(daemon), "nobody asks any more")
    assert children(pid) == []
    assert "updates" not in daemon.log


def test_it_is_asked_once_a_day(daemon: Daemon, repository: Path, tmp_path: Path) -> None:
    """Ten sessions end, one question is put."""
    calls = tmp_path / "calls"
    switched_on(daemon, f"file://{repository}")
    daemon.start(PATH=fake_git(tmp_path / "bin", f'echo "$@" >> {calls}; exit 1'))
    for number in range(10):
        Session(daemon, f"s{number}").end()
    daemon.settle()
    until(lambda: known(daemon.home).problem, "the question was answered")
    assert known(daemon.home).problem == "git says no (exit status 1)"
    assert calls.read_text().splitlines() == [f"-c credential.helper= ls-remote --tags --refs -- file://{repository}"]


def test_by_default_nobody_is_asked(daemon: Daemon, tmp_path: Path) -> None:
    """Without the setting no program is run, nothing is written, nothing is said."""
    calls = tmp_path / "calls"
    daemon.start(PATH=fake_git(tmp_path / "bin", f'echo "$@" >> {calls}'))
    for number in range(3):
        assert started(daemon, f"s{number}") == {}
        Session(daemon, f"s{number}").end()
    daemon.leave()
    assert not calls.exists()
    assert not daemon.home.log.with_name("updates.json").exists()


def test_a_repository_must_be_set(daemon: Daemon) -> None:
    """Switched on without one, the person is told once what is missing."""
    settings(daemon, "[updates]\ncheck = true\n")
    daemon.start()
    assert started(daemon, "s1")["systemMessage"] == NO_REPOSITORY
    assert started(daemon, "s2") == {}


def test_a_repository_that_never_answers_is_left(daemon: Daemon, tmp_path: Path) -> None:
    """After five seconds git and all that it started are gone, and nobody waited for them."""
    switched_on(daemon, "https://example.org/hardwon.git")
    mark = tmp_path / "started"
    pid = daemon.start(PATH=fake_git(tmp_path / "bin", f"sleep 61.25 & echo x > {mark}; sleep 61.25"))
    began = time.monotonic()
    Session(daemon, "s1").end()
    daemon.settle()
    assert time.monotonic() - began < 4
    until(mark.exists, "git was run")
    until(lambda: known(daemon.home).problem == "no answer within 5 seconds", "it was given up", 20)
    until(lambda: not asking(daemon), "nobody asks any more")
    assert [words for _, words in processes() if "61.25" in words] == []
    assert children(pid) == []


def test_without_git(daemon: Daemon, tmp_path: Path) -> None:
    """A machine without git has a problem to read in `status`, and nothing else."""
    switched_on(daemon, "https://example.org/hardwon.git")
    (tmp_path / "bin").mkdir()
    daemon.start(PATH=str(tmp_path / "bin"))
    Session(daemon, "s1").end()
    until(lambda: known(daemon.home).problem, "it was tried")
    assert "git can't be run" in known(daemon.home).problem


def test_no_other_way_to_a_repository(tmp_path: Path) -> None:
    """git is never given a protocol that could run a program, even when the settings were to let one through."""
    mark = tmp_path / "ran"
    assert updates.ask(f"ext::sh -c 'touch% {mark}'")[1].startswith("git says no")
    assert not mark.exists()


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/x",
        "git@example.org:x",
        "ext::sh -c x",
        "https://a b",
        "https://me:secret@example.org/x",
        "-x",
    ],
)
def test_which_repositories_are_taken(cli: Cli, address: str) -> None:
    """https, ssh and file alone, and no password; the message does not repeat one."""
    refused = cli.run("config", "set", "--", "updates.repository", address, code=1)
    assert "updates.repository must be" in refused.stderr
    assert "secret" not in refused.stderr


@pytest.mark.parametrize("address", ["https://example.org/x.git", "ssh://git@example.org/x", "file:///srv/x.git", ""])
def test_good_repositories_are_taken(cli: Cli, address: str) -> None:
    """And nothing at all, which is the default."""
    cli.run("config", "set", "updates.repository", address)


def test_status_says_what_was_found(cli: Cli) -> None:
    """Nothing while it is off; else what is missing, what is new, what went wrong."""
    cli.run("note", "something")
    assert cli.json("status")["updates"] == {"check": False, "newest": "", "checked_at": None, "says": ""}
    cli.run("config", "set", "updates.check", "true")
    assert "config set updates.repository" in cli.run("status").stdout
    cli.run("config", "set", "updates.repository", "https://example.org/x.git")
    assert "not looked yet" in cli.run("status").stdout
    updates._write(Home(cli.home), Known(checked_at=AT, problem="no answer within 5 seconds"))
    assert "last looked 2026-09-21 14:13 UTC: no answer within 5 seconds" in cli.run("status").stdout
    updates._write(Home(cli.home), Known(checked_at=AT, newest="98.0.0"))
    assert f"version 98.0.0 is out, this is {__version__}" in cli.run("status").stdout
