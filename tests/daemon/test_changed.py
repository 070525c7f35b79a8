"""At a session's start: what changed since the last one, through the real daemon."""

from __future__ import annotations

import pytest

from hardwon.memories.moments import BRIEF_TOKENS
from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind, Status
from hardwon.store import changes
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session
from tests.support import now

SINCE = "new since the last session here"


@pytest.fixture
def ended(daemon: Daemon) -> Session:
    """A session of the project that has ended, in which a command failed; the daemon runs."""
    daemon.start()
    session = Session(daemon, "s1")
    session.start()
    session.prompt("make it work")
    session.failed("make test", "Exit code 2\nmake: *** No rule to make target 'test'. Stop.")
    session.end()
    daemon.settle()
    return session


def test_what_others_changed_is_named(daemon: Daemon, ended: Session) -> None:
    """A note and a finished task; not what the last session itself taught, nor what another project has."""
    with daemon.store(write=True) as store:
        other = daemon.folder.parent / "other"
        other.mkdir()
        keep(store, "the other project's lesson", folder=other)
        lesson = keep(store, "the tests need Redis", folder=daemon.folder)
        task = keep(store, "write the release notes", Kind.TASK, folder=daemon.folder)
        changes.move(store, task, Status.RESOLVED, now())
    said = Session(daemon, "s2").start()
    assert f"- {SINCE}: " in said
    assert f"resolved task: write the release notes [{task[-6:]}]" in said
    assert f"lesson: the tests need Redis [{lesson[-6:]}]" in said
    assert "the other project's" not in said
    assert "No rule" not in said.partition(SINCE)[2]
    assert said.startswith('<hardwon moment="session start">\n')


def test_what_was_only_named_is_still_said_when_it_fits(daemon: Daemon, ended: Session) -> None:
    """A headline is no showing; its tokens count for the session all the same."""
    with daemon.store(write=True) as store:
        lesson = keep(store, "the integration tests need Redis on port 6380", folder=daemon.folder)
    session = Session(daemon, "s2")
    assert lesson[-6:] in session.start()
    daemon.settle()
    assert daemon.shown("s2") == []
    assert lesson[-6:] in session.prompt("why do the integration tests need Redis on port 6380?")


def test_what_is_told_in_full_is_not_named_again(daemon: Daemon, ended: Session) -> None:
    """A new task stands in the brief anyway."""
    with daemon.store(write=True) as store:
        task = keep(store, "write the release notes", Kind.TASK, folder=daemon.folder)
    said = Session(daemon, "s2").start()
    assert said.count(task[-6:]) == 1
    assert SINCE not in said


def test_without_an_earlier_session_nothing_is_new(daemon: Daemon) -> None:
    """Everything would be."""
    with daemon.store(write=True) as store:
        keep(store, "the tests need Redis", folder=daemon.folder)
    daemon.start()
    session = Session(daemon, "s1")
    assert session.start() == ""
    session.prompt("and now?")
    daemon.settle()
    assert session.start() == ""


@pytest.mark.parametrize("source", ["startup", "clear"])
def test_nothing_changed_is_silence(daemon: Daemon, ended: Session, source: str) -> None:
    """What the last session learned at its end was its own doing."""
    with daemon.store() as store:
        assert store.value("select count(*) from memories") == 1
    assert SINCE not in Session(daemon, "s2").start(source)


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_a_session_that_goes_on_is_not_told(daemon: Daemon, ended: Session, source: str) -> None:
    """It was told at its start."""
    with daemon.store(write=True) as store:
        keep(store, "the tests need Redis", folder=daemon.folder)
    assert SINCE not in Session(daemon, "s2").start(source)


def test_the_brief_keeps_its_budget(daemon: Daemon, ended: Session) -> None:
    """Long tasks and long headlines: the items are clipped, the line is still there."""
    with daemon.store(write=True) as store:
        for number in range(9):
            keep(store, f"task {number} " + "with many words " * 90, Kind.TASK, folder=daemon.folder)
            keep(store, f"lesson {number} " + "数据库" * 90, folder=daemon.folder)
    said = Session(daemon, "s2").start()
    assert f"- {SINCE} (18): " in said
    around = 40 * said.count("\n- ")  # the fence, and each line's kind, source and id
    assert tokens(said) <= BRIEF_TOKENS + around


def test_what_the_clients_own_file_says_is_not_named(daemon: Daemon, ended: Session) -> None:
    """It is in the model's context already; it is counted."""
    with daemon.store(write=True) as store:
        keep(store, "the tests need Redis", folder=daemon.folder)
        keep(store, "port 6380 is taken", folder=daemon.folder)
    (daemon.folder / "CLAUDE.md").write_text("# App\n- the tests need Redis\n")
    said = Session(daemon, "s2").start()
    assert f"- {SINCE} (2): lesson: port 6380 is taken" in said
    assert "Redis" not in said


def test_a_session_without_tokens_is_told_nothing(daemon: Daemon, ended: Session) -> None:
    """The cap holds for this line, too."""
    with daemon.store(write=True) as store:
        keep(store, "the tests need Redis", folder=daemon.folder)
    daemon.home.settings.write_text("[recall]\nsession_tokens = 60\n")
    assert Session(daemon, "s2").start() == ""
