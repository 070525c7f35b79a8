"""What the daemon takes: no children, little memory, and no more of it after many events."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.store.tables import journal
from tests.daemon.health import MOST_MEMORY, status
from tests.daemon.running import Daemon, children, framed, handles, keep, project_of, resident
from tests.daemon.session import Session
from tests.support import now


def test_it_has_no_children(daemon: Daemon) -> None:
    """No git, no shell, no helper: whatever it is told, it does itself."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    pid = daemon.start()
    session = Session(daemon)
    seen: set[int] = set()
    for number in range(10):
        session.start()
        session.prompt(f"fix src/a{number}.py")
        session.failed("make", "Exit code 2\nboom")
        session.stop()
        seen.update(children(pid))
    assert seen == set()


def test_memory_stays_under_sixty_megabytes(daemon: Daemon) -> None:
    """After two hundred events of every kind, some of them large."""
    with daemon.store(write=True) as store:
        project = project_of(store, daemon.folder)
        for number in range(200):
            keep(store, f"widget {number} needs care", project=project, skill="deploy" if number % 2 else "")
    pid = daemon.start()
    for number in range(20):
        session = Session(daemon, f"s{number}")
        session.start()
        session.prompt(f"change widget {number}")
        session.skill("deploy", "widgets")
        session.before("make test")
        session.failed("make test", "Exit code 2\n" + "x" * 200_000)
        session.edited(f"{daemon.folder}/a.py")
        session.passed("make test", "y" * 200_000)
        session.start("compact")
        session.stop()
        session.end()
    daemon.settle()
    assert status(daemon)["messages"] == 200
    assert resident(pid) <= MOST_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize(("settled", "events"), [(2_000, 6_000), pytest.param(4_000, 20_000, marks=pytest.mark.soak)])
def test_thousands_of_events_leave_no_trace_in_memory(daemon: Daemon, settled: int, events: int) -> None:
    """200 sessions that come and go: between event 4,000 and 20,000 memory grows by less than a tenth, handles not.

    The database is large enough from the beginning that SQLite's own cache, which has a bound, is soon full.
    """
    with daemon.store(write=True) as store, store.transaction():
        for number in range(10_000):
            event = Event(EventType.TOOL_FINISHED, "claude-code", f"s{number % 200}", now(), call=f"before{number}")
            journal.append(store, dataclasses.replace(event, tool="Bash", text="x" * 100), Tier.OUTLINE)
        before = store.value("select count(*) from journal")
    pid = daemon.start()
    raws = [soaked(daemon, number) for number in range(200)]
    measured: dict[int, tuple[int, int]] = {}
    for done in range(0, events, 1_000):
        if done == settled:
            measured[done] = (resident(pid), handles(pid))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number, done=done: tell(daemon, raws[number % 200], done + number), range(1_000)))
        daemon.settle()
    memory, open_files = measured[settled]
    assert resident(pid) < 1.1 * memory
    assert handles(pid) <= open_files
    found = status(daemon)
    assert (found["lost"], found["malformed"], found["spooled"]) == (0, 0, 0)
    assert found["messages"] == events
    with daemon.store() as store:
        kept = store.value("select count(*) from journal")
    assert kept - before == found["kept"] > 3 * events // 4


def soaked(daemon: Daemon, number: int) -> tuple[str, str]:
    """A message of one of 200 sessions, with a mark where each call's own number goes."""
    session = Session(daemon, f"s{number}")
    given = {"command": f"make target{number}"}
    if number % 10 == 0:
        return "UserPromptSubmit", json.dumps(session.message("UserPromptSubmit", prompt="fix it", prompt_id="@"))
    if number % 10 == 1:
        failure = session.message("PostToolUseFailure-Bash", tool_input=given, tool_use_id="@")
        return "PostToolUseFailure", json.dumps(failure)
    if number % 10 == 2:
        return "PreToolUse", json.dumps(session.message("PreToolUse-Bash", tool_input=given, tool_use_id="@"))
    return "PostToolUse", json.dumps(session.message("PostToolUse-Bash", tool_input=given, tool_use_id="@"))


def tell(daemon: Daemon, message: tuple[str, str], number: int) -> None:
    name, raw = message
    limit = 0 if name == "PostToolUse" else 5_000
    daemon.exchange(framed(name, re.sub('"@"', f'"c{number}"', raw).encode(), limit))
