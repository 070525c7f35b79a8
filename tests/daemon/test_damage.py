"""A database that is damaged or restored under a running daemon: no event is lost, and no file written for nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from hardwon.event import EventType
from hardwon.settings import Settings
from hardwon.store.maintenance import repair
from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, keep, until
from tests.daemon.session import Session
from tests.store.faults.damages import behind_the_back, first_page_of, overwrite
from tests.support import now


def all_but_the_first_page(home: Path) -> None:
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    size = (home / "memory.db").stat().st_size
    overwrite(home / "memory.db", 4096 / size, size - 4096)


def prompts(daemon: Daemon) -> list[str]:
    return [event.text for event in daemon.journal() if event.type is EventType.PROMPT_SUBMITTED]


def test_after_a_repair_events_and_answers_are_those_of_the_restored_file(daemon: Daemon) -> None:
    """The daemon had the damaged file open; what it keeps and says from the repair on is of the new one."""
    pid = daemon.start()
    session = Session(daemon)
    for number in range(3):
        session.prompt(f"before the repair {number}")
        daemon.settle()
    first_page_of("memories_by_text", daemon.home.root)
    repair.restore(daemon.home, Settings(), now())
    with daemon.store(write=True) as store:
        later = keep(store, "the tokenizer is written by hand, no regex", folder=daemon.folder)
    for number in range(4):
        session.prompt(f"after the repair {number}")
    # While the new file is being opened an answer may be left out: a prompt waits for nothing.
    until(lambda: ids_in(session.prompt("rewrite the tokenizer with regex")) == short(later), "it was said")
    daemon.settle()
    before, after = ([f"{when} the repair {number}" for number in range(4)] for when in ("before", "after"))
    assert prompts(daemon)[:7] == [*before[:3], *after]
    status = daemon.status() or {}
    assert (status["pid"], status["lost"], status["spooled"]) == (pid, 0, 0)


@pytest.mark.parametrize(
    "damage", [all_but_the_first_page, behind_the_back("drop table journal")], ids=["overwritten", "a table missing"]
)
def test_events_wait_in_the_spool_until_the_damage_is_repaired(daemon: Daemon, damage: Callable[[Path], None]) -> None:
    """The file is damaged while it is open: nothing is lost, and after the repair all of it is kept, once."""
    daemon.start()
    session = Session(daemon)
    session.prompt("before the damage")
    daemon.settle()
    damage(daemon.home.root)
    for number in range(5):
        session.prompt(f"while it is damaged {number}")
    daemon.settle()
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"]) == (0, 5)
    assert "doctor --fix" in daemon.log
    repair.restore(daemon.home, Settings(), now())
    session.prompt("after the repair")
    daemon.settle()
    kept = [text for text in prompts(daemon) if text != "before the damage"]
    assert sorted(kept) == ["after the repair", *(f"while it is damaged {number}" for number in range(5))]
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"]) == (0, 0)
