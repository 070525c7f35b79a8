"""Where nothing is to be kept or said: paused, excluded by name or by path, switched off."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from hardwon.memory import Kind
from hardwon.store import control
from hardwon.store.connection import Store
from tests.daemon.answers import other_project
from tests.daemon.running import REFUSED, Daemon, keep, keep_fixed, project_of
from tests.daemon.session import Session
from tests.support import files_with


def paused(daemon: Daemon, store: Store) -> dict[str, str]:
    control.pause(store, None)
    return {}


def excluded(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PROJECTS": "ap*"}


def excluded_path(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PATHS": str(daemon.folder)}


def excluded_part(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PATHS": str(daemon.folder / "secret")}


def switched_off(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_ENABLED": "false"}


@pytest.mark.parametrize("how", [paused, excluded, excluded_path, excluded_part, switched_off])
def test_where_it_must_be_still_nothing_is_said_or_kept(daemon: Daemon, brief: dict[str, str], how: Any) -> None:
    """Paused, excluded by name or by path, switched off: no word, no line in the journal, no showing."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    folder = daemon.folder / "secret"
    folder.mkdir()
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
        keep(store, "deploy lesson", folder=daemon.folder, skill="deploy")
        environment = how(daemon, store)
    daemon.start(**environment)
    session = Session(daemon, cwd=str(folder))
    said = [session.start(), session.prompt("pnpm or npm?"), session.skill("deploy"), session.failed("x", REFUSED)]
    assert said == [""] * 4
    assert session.before("make test") == {}
    session.batch(("c1", "Bash", {"command": "rm"}, "denied"))
    session.stop()
    session.end()
    daemon.leave()
    assert daemon.journal() == []
    assert daemon.shown() == []


def test_after_resume_it_speaks_and_keeps_again(daemon: Daemon, brief: dict[str, str]) -> None:
    """A pause is looked up each time: no restart is needed."""
    daemon.start()
    session = Session(daemon)
    with daemon.store(write=True) as store:
        control.pause(store, None)
    assert session.start() == ""
    daemon.settle()
    with daemon.store(write=True) as store:
        control.resume(store)
    assert session.prompt("pnpm or npm?")
    daemon.leave()
    assert [event.type for event in daemon.journal()] == ["prompt_submitted"]


@pytest.mark.parametrize("how", [paused, excluded, excluded_path, excluded_part, switched_off])
def test_where_it_must_be_still_no_trace_is_left(daemon: Daemon, how: Any) -> None:
    """Not even the name of the folder: a project that is excluded does not become known. Also from a transcript."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    folder = daemon.folder / "secret"
    folder.mkdir()
    with daemon.store(write=True) as store:
        environment = how(daemon, store)
    daemon.start(**environment)
    transcript = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    line = {"type": "user", "message": {"content": "hello"}, "turnOrigin": "human", "sessionId": "s0",
            "cwd": str(folder), "timestamp": "2026-11-15T08:59:00.000Z"}  # fmt: skip
    transcript.with_name("s0.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")
    session = Session(daemon, cwd=str(folder), transcript=str(transcript))
    session.start()
    session.failed("make", REFUSED)
    session.edited(f"{folder}/a.py")
    session.stop()
    daemon.leave()
    with daemon.store() as store:
        assert store.value("select count(*) from projects") == 0
        assert store.value("select count(*) from sessions") == 0
    assert files_with(daemon.home.root, str(folder)) == {}


def test_a_changed_setting_counts_from_the_next_event_on(daemon: Daemon, brief: dict[str, str]) -> None:
    """Who switches it off, or excludes a project, means now; with a file that can't be read nothing is kept or said."""
    steps = [
        ("", True),
        ("[control]\nenabled = false\n", False),
        ('[control]\nexclude_projects = ["app"]\n', False),
        ('[control]\nexclude_projects = "unfinished\n', False),
        ("# nothing is set\n", True),
    ]
    daemon.start()
    for number, (settings, speaks) in enumerate(steps):
        daemon.home.settings.write_text(settings)
        assert bool(Session(daemon, f"s{number}").start()) == speaks
        daemon.settle()
        assert bool(daemon.journal(f"s{number}")) == speaks
    assert daemon.log.count("settings:") == 1


def test_other_projects_are_not_excluded(daemon: Daemon) -> None:
    """Only what was named."""
    with daemon.store(write=True) as store:
        here = project_of(store, daemon.folder)
        keep(store, "a rule", Kind.RULE, project=here)
    daemon.start(HARDWON_CONTROL_EXCLUDE_PROJECTS="other", HARDWON_CONTROL_EXCLUDE_PATHS=str(other_project(daemon)))
    assert Session(daemon).start()
    assert Session(daemon, "s2", cwd=str(other_project(daemon))).start() == ""
