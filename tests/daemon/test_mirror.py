"""The daemon and the markdown files: read when a session begins, written when a turn ends."""

from __future__ import annotations

from pathlib import Path

from hardwon.memory import GLOBAL, Status
from hardwon.store import mirror
from hardwon.store.tables import memories
from tests.daemon.running import Daemon, until
from tests.daemon.session import Session
from tests.support import note, now

LESSON = "Rebase before you push to main"


def knowledge(daemon: Daemon) -> Path:
    return Path(daemon.home.skills) / "git" / "KNOWLEDGE.md"


def active(daemon: Daemon) -> list[str]:
    with daemon.store() as store:
        return [memory.body for memory in memories.all_memories(store) if memory.status is Status.ACTIVE]


def test_a_session_begins_with_what_the_files_say(daemon: Daemon) -> None:
    """A bullet typed between two sessions is a lesson in the next; an emptied file is left as it is."""
    with daemon.store(write=True) as store:
        note(store, LESSON, skill="git", project=GLOBAL)
        mirror.refresh(store, now())
    knowledge(daemon).write_text(knowledge(daemon).read_text() + "- Typed by hand\n")
    daemon.start()
    session = Session(daemon)
    session.start()
    until(lambda: "Typed by hand" in active(daemon), "the bullet to be taken in")
    until(lambda: "] Typed by hand  [HIT:0]" in knowledge(daemon).read_text(), "the file to be written")
    assert "Typed by hand" in session.skill("git")
    knowledge(daemon).write_text("")
    Session(daemon, "s2").start()
    daemon.settle()
    assert sorted(active(daemon)) == sorted([LESSON, "Typed by hand"])
    assert knowledge(daemon).read_text() == ""


def test_a_turn_ends_with_the_files_written(daemon: Daemon) -> None:
    """What was learned meanwhile, by whatever way, is in the file."""
    daemon.start()
    session = Session(daemon)
    session.start()
    with daemon.store(write=True) as store:
        note(store, LESSON, skill="git", project=GLOBAL)
    session.stop()
    until(knowledge(daemon).exists, "the file")
    assert LESSON in knowledge(daemon).read_text()
    assert not daemon.home.log.exists() or "mirror:" not in daemon.log
