"""The daemon thins the journal: it says so, it learns first, and whoever asks meanwhile is answered."""

from __future__ import annotations

import time

from hardwon.cli.doctor import doctor_clients
from hardwon.event import Event, EventType
from hardwon.memory import Kind
from hardwon.settings import Retention, Settings
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import journal, memories
from hardwon.text import tiers
from tests.daemon.running import Daemon, keep, project_of, until
from tests.daemon.session import Session
from tests.support import now

DAY = 86_400_000
HOST = "claude-code"


def old(session: str, number: int, project: str, **fields: object) -> Event:
    """A command that passed a hundred days ago."""
    at = now() - 100 * DAY + number
    given = {"tool": "Bash", "target": f"make {number}", "text": "done " * 60, "call": f"toolu_{session}_{number:08}"}
    return Event(**({"type": EventType.TOOL_FINISHED, "host": HOST, "session": session, "at": at, "project": project}
                    | given | fields))  # type: ignore[arg-type]  # fmt: skip


def filled(store: Store, project: str, sessions: int, each: int, *, learned: bool) -> None:
    for session in range(sessions):
        events = [old(f"old{session}", number, project) for number in range(each)]
        journal.append_many(store, [(one, tiers.tier(one)) for one in events])
        if learned:
            retention.learned(store, HOST, f"old{session}", events[-1].at)


def test_answers_come_while_the_journal_is_thinned(daemon: Daemon) -> None:
    """Thirty thousand old events go; every prompt meanwhile is answered in time, and what it is about is found."""
    with daemon.store(write=True) as store:
        project = project_of(store, daemon.folder)
        keep(store, "The flumox parser wants its tables sorted", folder=daemon.folder)
        filled(store, project, 30, 1_000, learned=True)
    daemon.start()
    session = Session(daemon)
    session.start()
    slowest, asked, gone, said = 0.0, 0, False, ""
    end = time.monotonic() + 60
    while not gone and time.monotonic() < end:
        began = time.perf_counter()
        said += session.prompt(f"how does the flumox parser want its tables, number {asked}?")
        slowest, asked = max(slowest, time.perf_counter() - began), asked + 1
        gone = "removed from the journal" in daemon.log
    assert gone, "nothing was removed in a minute"
    assert asked > 1
    assert slowest < 2.0, f"an answer took {slowest:.2f} s"
    assert "tables sorted" in said
    assert f"upkeep: removed from the journal {retention.MOST} by age (outlines)" in daemon.log
    assert "more in the next run" in daemon.log
    with daemon.store() as store:
        assert store.value("select count(*) from journal where tool = 'Bash'") == 30_000 - retention.MOST
    daemon.leave()


def test_what_a_crash_kept_from_being_learned_is_learned_before_it_goes(daemon: Daemon) -> None:
    """The events of a session that never ended are all there is of it."""
    with daemon.store(write=True) as store:
        project = project_of(store, daemon.folder)
        error = "Exit code 1\nTraceback (most recent call last):\nKeyError: 'parser_id'"
        failed = old(
            "crashed", 1, project, type=EventType.TOOL_FAILED, target="pytest", text="", error=error, exit_status=1
        )
        looked = old("crashed", 2, project, tool="Read", target="a.py", text="")
        journal.append_many(store, [(one, tiers.tier(one)) for one in (failed, looked)])
        assert not list(memories.all_memories(store))
    daemon.start()
    session = Session(daemon)
    session.start()
    session.prompt("good morning")
    until(lambda: "removed from the journal 1 by age" in daemon.log, "the look was removed")
    daemon.leave()
    with daemon.store() as store:
        assert [memory.kind for memory in memories.all_memories(store)] == [Kind.FAILURE]
    assert [one.call for one in daemon.journal("crashed")] == [failed.call], "what it was learned from stays"


def test_what_upkeep_tells_is_no_error(daemon: Daemon) -> None:
    """The doctor shows the last thing that went wrong, and how large the journal is."""
    with daemon.store(write=True) as store:
        filled(store, project_of(store, daemon.folder), 1, 10, learned=True)
        daemon.home.log.parent.mkdir(parents=True, exist_ok=True)
        daemon.home.log.write_text("2026-01-01T00:00:00Z keep: it broke\n2026-01-01T00:00:01Z upkeep: removed\n")
        found = {one.what: one for one in doctor_clients.activity(store)}
        assert found["last error"].says == "2026-01-01T00:00:00Z keep: it broke"
        assert found["journal"].says == "10 events, 0.0 MB of 200"
        store.settings = Settings(retention=Retention(journal_mb=0))
        found = {one.what: one for one in doctor_clients.activity(store)}
        assert found["journal"].says == "10 events, 0.0 MB, no bound (retention.journal_mb)"
