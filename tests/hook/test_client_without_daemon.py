"""The hook client without a daemon: it starts one, no event is lost, and no secret reaches the disk on the way."""

from __future__ import annotations

import json
import shlex
import statistics
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardwon.memory import Kind
from tests.daemon.running import Daemon, keep, processes, until
from tests.daemon.session import Session
from tests.hook.runs import LIMITS, bare, installed, prompt, run, silent
from tests.support import files_with

SECRET = "ghp_" + "x7Kq2" * 7 + "a"


def test_nobody_waits_for_an_event_that_needs_no_answer(daemon: Daemon) -> None:
    """The parent leaves at once: about as fast as an interpreter that does nothing."""
    command = installed(daemon, "Stop", 0)
    (daemon.home.hook / "start").write_text("/bin/true\n")
    times: dict[str, list[float]] = {command: [], bare(): []}
    for _ in range(9):
        for one, seconds in times.items():
            seconds.append(run(one, prompt(daemon)).seconds)
    ours, nothing = (statistics.median(seconds) for seconds in times.values())
    assert ours < 3 * nothing


@pytest.mark.parametrize("state", ["never ran", "was killed", "left"])
def test_the_event_that_starts_the_daemon_is_kept(daemon: Daemon, state: str) -> None:
    """Delivered by an orphan as soon as it listens; once."""
    if state != "never ran":
        daemon.start()
        daemon.kill() if state == "was killed" else daemon.leave()
    silent(run(installed(daemon, limit=0), prompt(daemon, "the first words")), 0)
    until(lambda: [event.text for event in daemon.journal()] == ["the first words"], "it is kept")
    silent(run(installed(daemon, limit=0), prompt(daemon, "the next words", prompt_id="p2")), 0)
    until(lambda: len(daemon.journal()) == 2, "the next one is kept")
    assert len(daemon.pids()) == 1


def test_an_answer_that_is_due_is_waited_for(daemon: Daemon) -> None:
    """W42: The daemon is started, and its answer comes if it comes within the limit; nothing else is printed."""
    with daemon.store(write=True) as store:
        keep(store, "use pnpm, never npm", Kind.RULE, folder=daemon.folder)
    done = run(installed(daemon, limit=15_000), prompt(daemon, "should I use pnpm or npm?"))
    assert list(json.loads(done.stdout)) == ["hookSpecificOutput"]
    assert b"use pnpm, never npm" in done.stdout
    assert (done.code, done.stderr) == (0, b"")
    assert len(daemon.pids()) == 1


def test_an_answer_that_comes_too_late_is_not_waited_for_and_the_event_is_kept(daemon: Daemon) -> None:
    """A limit shorter than any start."""
    silent(run(installed(daemon, limit=20), prompt(daemon, "hello")), 20)
    until(lambda: [event.text for event in daemon.journal()] == ["hello"], "it is kept")


def test_twelve_events_at_once_start_one_daemon_and_are_all_kept(daemon: Daemon) -> None:
    """As a client with parallel calls begins."""
    command = installed(daemon, limit=0)
    messages = [prompt(daemon, f"number {number}", prompt_id=f"p{number}") for number in range(12)]
    with ThreadPoolExecutor(12) as pool:
        for done in pool.map(lambda message: run(command, message), messages):
            assert (done.code, done.stdout, done.stderr) == (0, b"", b"")
    until(lambda: len(daemon.journal()) == 12, "all are kept")
    assert len({event.text for event in daemon.journal()}) == 12
    until(lambda: len(daemon.pids()) == 1, "one daemon is left", 15)


def test_events_while_one_daemon_follows_another_are_all_kept(daemon: Daemon) -> None:
    """It is asked to leave again and again: whoever comes just then finds it, or the next one."""
    command = installed(daemon, limit=0)
    daemon.start()
    stop = threading.Event()

    def unsettle() -> None:
        from hardwon.daemon import ask

        while not stop.wait(0.2):
            ask.ask_socket(daemon.home.socket, "leave")

    thread = threading.Thread(target=unsettle)
    thread.start()
    try:
        messages = [prompt(daemon, f"number {number}", prompt_id=f"p{number}") for number in range(60)]
        with ThreadPoolExecutor(3) as pool:
            assert {done.code for done in pool.map(lambda message: run(command, message), messages)} == {0}
    finally:
        stop.set()
        thread.join()
    until(lambda: len({event.text for event in daemon.journal()}) == 60, "all are kept", 30)


def orphans(daemon: Daemon) -> list[int]:
    return [pid for pid, words in processes() if any(str(daemon.home.hook) in word for word in words)]


SPOOL_ONLY = """#!/bin/sh
for what; do :; done
[ "$what" = spool ] && exec {command} spool
exit 1
"""


def test_an_event_that_nobody_takes_is_spooled_without_its_secrets(daemon: Daemon) -> None:
    """The daemon can't be started: after some seconds the orphan hands the event on to be redacted and written down.

    Until then it is in memory only; the next daemon takes it in, once.
    """
    command = installed(daemon, limit=0)
    start = daemon.home.hook / "start"
    real = start.read_bytes()
    script = daemon.folder / "start.sh"
    script.write_text(SPOOL_ONLY.format(command=shlex.join(real.decode().split())))
    script.chmod(0o700)
    start.write_text(f"{script}\n")
    silent(run(command, prompt(daemon, f"my token is {SECRET}")), 0)

    def written() -> bool:
        assert files_with(daemon.home.root.parent, SECRET) == {}
        return bool(list(daemon.home.spool.glob("*.json")))

    until(written, "it is in the spool")
    until(lambda: not orphans(daemon), "the orphan left")
    assert files_with(daemon.home.root.parent, SECRET) == {}
    (spooled,) = daemon.home.spool.iterdir()
    assert "my token is [redacted" in spooled.read_text()

    daemon.start()
    Session(daemon).stop()
    daemon.leave()
    assert daemon.journal()[0].text.startswith("my token is [redacted")
    assert [event.type for event in daemon.journal()] == ["prompt_submitted", "turn_ended"]
    assert files_with(daemon.home.root.parent, SECRET) == {}


@pytest.mark.parametrize("limit", LIMITS)
def test_secrets_never_reach_the_disk_on_the_way(daemon: Daemon, limit: int) -> None:
    """From the shell through the orphan, a daemon that is just starting, to the database."""
    payload = prompt(daemon, f"use {SECRET}", cwd=f"{daemon.folder}/{SECRET}")
    silent(run(installed(daemon, limit=limit), payload), limit)
    while not daemon.journal():
        assert files_with(daemon.home.root.parent, SECRET) == {}
    daemon.leave()
    assert files_with(daemon.home.root.parent, SECRET) == {}


def test_no_process_is_left(daemon: Daemon) -> None:
    """Not of the client, and none that holds on to what the client gave us."""
    silent(run(installed(daemon, limit=0), prompt(daemon)), 0)
    until(lambda: bool(daemon.journal()), "it is kept")
    until(lambda: not orphans(daemon), "the orphan left")
    (pid,) = daemon.pids()
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    assert stat[3] == str(pid), "a session of its own: the client's terminal has no hold on it"
    kept = {Path(f"/proc/{pid}/fd/{number}").readlink() for number in (0, 1, 2)}
    assert kept == {Path("/dev/null")}
