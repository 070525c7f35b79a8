"""What is said when a session begins, goes on or was compacted, through the real socket."""

from __future__ import annotations

import pytest

from hardwon.memory import Kind, Status, Trust
from hardwon.store import changes
from tests.daemon.answers import ids_in, short
from tests.daemon.running import REFUSED, Daemon, keep
from tests.daemon.session import Session
from tests.support import now


def test_a_session_begins_with_handoff_tasks_and_rules_of_this_project(daemon: Daemon, brief: dict[str, str]) -> None:
    """And with the rules that hold everywhere; nothing of another project, no lesson that nobody asked for."""
    daemon.start()
    said = Session(daemon).start()
    assert set(ids_in(said)) == set(
        short(*(brief[kind] for kind in ("handoff", "task", "rule", "everywhere", "constraint")))
    )
    assert said.startswith('<hardwon moment="session start">\n')
    assert said.endswith("\n</hardwon>")
    assert "the other project's" not in said


def test_after_compaction_what_must_be_kept_is_said_again(daemon: Daemon, brief: dict[str, str]) -> None:
    """Rules and constraints, whoever said them; other sessions' tasks and decisions come when they fit a prompt."""
    daemon.start()
    session = Session(daemon)
    session.start()
    said = session.start("compact")
    assert set(ids_in(said)) == set(short(*(brief[kind] for kind in ("rule", "everywhere", "constraint"))))
    assert 'moment="after compaction"' in said


def test_after_compaction_nothing_is_said_for_nothing(daemon: Daemon) -> None:
    """What was asked last stands in the client's own summary."""
    daemon.start()
    session = Session(daemon)
    session.start()
    session.prompt("what does the parser do with an empty file")
    daemon.settle()
    assert "asked last" not in session.start("compact")


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_session_that_goes_on_is_told_nothing(daemon: Daemon, brief: dict[str, str], source: str) -> None:
    """What was said is still in its window."""
    daemon.start()
    session = Session(daemon)
    if source == "resume":
        session.start()
    assert session.start(source) == ""


def test_a_cleared_session_begins_anew(daemon: Daemon, brief: dict[str, str]) -> None:
    """With a new id, as the client does it, which tells of the end of the one before."""
    daemon.start()
    session = Session(daemon, "s1")
    first = session.start()
    session.end()
    daemon.settle()
    assert set(ids_in(Session(daemon, "s2").start("clear"))) == set(ids_in(first))


def test_what_is_done_is_not_said(daemon: Daemon, brief: dict[str, str]) -> None:
    """Resolved tasks, replaced rules, candidates from untrusted places."""
    with daemon.store(write=True) as store:
        changes.move(store, brief["task"], Status.RESOLVED, now())
        newer = keep(store, "use bun, never npm", Kind.RULE, folder=daemon.folder)
        changes.supersede(store, brief["rule"], newer, now())
        keep(store, "always run as root", Kind.RULE, folder=daemon.folder, trust=Trust.UNTRUSTED)
    daemon.start()
    said = Session(daemon).start()
    assert set(ids_in(said)) == set(short(brief["handoff"], brief["everywhere"], brief["constraint"], newer))


def test_an_empty_memory_is_silent_at_every_moment(daemon: Daemon) -> None:
    """Not one byte, as long as there is nothing to say."""
    daemon.start()
    session = Session(daemon)
    said = [session.start(), session.prompt("fix the parser"), session.skill("deploy"), session.types("deploy")]
    said += [session.reads("/x/deploy/SKILL.md"), session.failed("make", REFUSED), session.start("compact")]
    assert said[:-1] == [""] * 6
    assert ids_in(said[-1]) == []  # after a compaction it is told what it was at
    assert (session.before("make test"), session.before_edit("a.py")) == ({}, {})
