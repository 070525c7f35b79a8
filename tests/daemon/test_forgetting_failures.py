"""What a session taught and is forgotten leaves nothing: the events that it was made from lose their texts, too."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from hardwon.memory import Kind, Memory
from hardwon.store.erasure import forget
from hardwon.store.tables import memories
from tests.daemon.running import Daemon
from tests.daemon.session import Session
from tests.support import files_with, now

ERROR = "Exit code 1\nError: customer Quibblewick GmbH has no contract"
ORDINARY = "Exit code 2\nError: no rule to make target xylophone"
FIXUP = "fixup --customer Quibblewick prod"


@pytest.fixture
def session(daemon: Daemon) -> Session:
    """A failure that was fixed by a command, another one by an edit."""
    daemon.start()
    one = Session(daemon)
    one.start()
    one.prompt("deploy it")
    one.failed("deploy prod --with contracts", ERROR)
    one.passed(FIXUP)
    one.passed("deploy prod --with contracts")
    one.failed("make docs", ORDINARY)
    one.edited(str(daemon.folder / "Makefile"), "docs: xylophone", "docs: glockenspiel, without xylophone")
    one.passed("make docs")
    one.stop()
    daemon.settle()
    return one


def learned(daemon: Daemon) -> list[Memory]:
    with daemon.store() as store:
        return sorted(memories.all_memories(store), key=lambda one: one.id)


def forgotten(daemon: Daemon, ids: list[str]) -> None:
    with daemon.store(write=True) as store:
        forget.forget(store, ids, now())


def test_the_error_of_a_forgotten_failure_is_nowhere(daemon: Daemon, session: Session) -> None:
    """Neither in the database and its log nor in a copy; what else was learned stays, with what it rests on."""
    doomed = [one.id for one in learned(daemon) if "Quibblewick" in one.body]
    assert len(doomed) == 2, learned(daemon)
    assert files_with(daemon.home.root, "Quibblewick")
    forgotten(daemon, doomed)
    assert files_with(daemon.home.root, "Quibblewick") == {}

    assert any(event.error == ORDINARY for event in daemon.journal())
    assert [one.kind for one in learned(daemon)] == [Kind.FAILURE, Kind.FIX]
    session.stop()  # the session is learned from anew
    daemon.leave()
    assert [one.kind for one in learned(daemon)] == [Kind.FAILURE, Kind.FIX]
    assert files_with(daemon.home.root, "Quibblewick") == {}


def test_a_transcript_that_is_read_again_does_not_bring_it_back(daemon: Daemon, session: Session) -> None:
    """The events are still known, without their texts."""
    before = [(event.type, event.call) for event in daemon.journal()]
    forgotten(daemon, [one.id for one in learned(daemon) if "Quibblewick" in one.body])
    failed = [event for event in daemon.journal() if event.error and event.error != ORDINARY]
    assert [(event.error, event.target) for event in failed] == [("[forgotten]", "[forgotten]")]
    session.failed("deploy prod --with contracts", ERROR, call=failed[0].call)
    session.stop()
    daemon.leave()
    assert [(event.type, event.call) for event in daemon.journal()][: len(before)] == before
    assert files_with(daemon.home.root, "Quibblewick") == {}


def test_a_failure_that_came_again_is_cut_out_of_every_session(daemon: Daemon, session: Session) -> None:
    """It is one memory, whose evidence names the first time alone."""
    numbers = itertools.count(2)
    for id in ("s2", "s3"):
        other = Session(daemon, id)
        other.start()
        other.failed("deploy prod --with contracts", f"Exit code 1\nstep {next(numbers)}\n{ERROR}")
        other.stop()
    daemon.settle()
    forgotten(daemon, [one.id for one in learned(daemon) if "Quibblewick" in one.body])
    assert files_with(daemon.home.root, "Quibblewick") == {}
    for id in ("s2", "s3"):
        Session(daemon, id).stop()
    daemon.leave()
    assert [one.kind for one in learned(daemon)] == [Kind.FAILURE, Kind.FIX], "nothing is learned from what was cut"


def test_what_another_memory_rests_on_stays(daemon: Daemon, session: Session) -> None:
    """The failure alone is forgotten: the command that passed is the fix's, and is kept."""
    failure, fix = (one for one in learned(daemon) if "make docs" in one.body)
    forgotten(daemon, [failure.id])
    assert files_with(daemon.home.root, "no rule to make target") == {}
    assert [one.id for one in learned(daemon) if "make docs" in one.body] == [fix.id]
    passed = fix.evidence[0].rpartition(":")[2]
    assert [event.target for event in daemon.journal() if event.call == passed] == ["make docs"]
    edits = [event.text for event in daemon.journal() if Path(event.target).name == "Makefile"]
    assert any("glockenspiel" in text for text in edits)
    forgotten(daemon, [fix.id])
    assert files_with(daemon.home.root, "glockenspiel", "xylophone") == {}
