"""What happened is kept exactly once, however often and in whatever order it is heard."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from tests.clients.recorded import event_name
from tests.daemon.calls import FAILED, FINISHED, KEPT, kept, one_of_each, send_all
from tests.daemon.running import Daemon
from tests.daemon.session import Session


def test_each_kind_of_failure_is_kept_once(daemon: Daemon) -> None:
    """A failing Bash, a rejected Edit (only a batch tells of it), an MCP error, a denied call; and what passed."""
    daemon.start()
    session = Session(daemon)
    session.start()
    send_all(session, one_of_each())
    session.stop()
    daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


def test_the_same_messages_again_change_nothing(daemon: Daemon) -> None:
    """Twice in one daemon, and once more in the next."""
    session = Session(daemon)
    for _ in range(2):
        daemon.start()
        for _ in range(2):
            send_all(session, one_of_each())
        session.stop()
        daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_arrival_does_not_matter(daemon: Daemon, seed: int) -> None:
    """Async hooks overtake each other, also the batch the message that says how a call ended."""
    messages = one_of_each()
    random.Random(seed).shuffle(messages)
    daemon.start()
    session = Session(daemon)
    send_all(session, messages)
    session.stop()
    daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


def test_an_outcome_that_comes_after_the_end_of_the_turn_still_counts(daemon: Daemon) -> None:
    """The batch came first and the turn ended: the call was believed to be denied. Its own message knows better."""
    daemon.start()
    session = Session(daemon)
    given = {"command": "make lint"}
    session.batch(("c1", "Bash", given, "fine"), ("c2", "Bash", {"command": "make test"}, "Exit code 2\nboom"))
    session.stop()
    session.passed("make lint", call="c1")
    session.failed("make test", "Exit code 2\nboom", call="c2")
    daemon.leave()
    assert set(kept(daemon)) == {
        ("c1", FINISHED, "make lint", "", None),
        ("c2", FAILED, "make test", "Exit code 2\nboom", 2),
    }


def test_messages_of_every_event_at_once(daemon: Daemon) -> None:
    """Every recorded message of one session, three times over, from 8 connections: the journal holds each key once."""
    from concurrent.futures import ThreadPoolExecutor

    from tests.clients.recorded import PAYLOADS

    daemon.start()
    session = Session(daemon)
    names = [name for name in PAYLOADS if not name.startswith("SessionStart")] * 3
    random.Random(7).shuffle(names)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: daemon.send(event_name(name), session.message(name)), names))
    session.stop()
    daemon.settle()
    time.sleep(0.05)
    daemon.leave()
    outcomes = [call for call, *_ in kept(daemon)]
    assert len(outcomes) == len(set(outcomes)) > 10
    status = [event.key for event in daemon.journal()]
    assert len(status) == len(set(status))
    assert "keep:" not in daemon.log, daemon.log


def test_events_of_many_projects_stay_apart(daemon: Daemon) -> None:
    """A session belongs to the folder it was started in; files are kept relative to that project."""
    daemon.start()
    for name, number in itertools.product(("one", "two"), range(2)):
        folder = daemon.folder.parent / name
        folder.mkdir(exist_ok=True)
        Session(daemon, f"{name}{number}", cwd=str(folder)).edited(str(folder / "src" / "a.py"))
    daemon.leave()
    projects = {name: {daemon.journal(f"{name}{number}")[0].project for number in range(2)} for name in ("one", "two")}
    assert [len(found) for found in projects.values()] == [1, 1]
    assert projects["one"] != projects["two"]
    assert daemon.journal("one0")[0].target == "src/a.py"
