"""When the database can't be written: events go to the spool and from there home, or are counted as lost."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from hardwon.daemon import spool
from hardwon.paths import make
from tests.daemon.calls import FINISHED, LOST_EDIT, SECRET, kept, told
from tests.daemon.running import Daemon, framed, until
from tests.daemon.session import Session
from tests.support import files_with

HOLDER = """
import apsw, sys
db = apsw.Connection(sys.argv[1])
db.execute("pragma busy_timeout = 5000")
db.execute("begin exclusive")
print("held", flush=True)
sys.stdin.read()
db.execute("rollback")
"""


@contextlib.contextmanager
def locked(daemon: Daemon) -> Iterator[None]:
    """Another process holds the database, until the end."""
    command = [sys.executable, "-c", HOLDER, str(daemon.home.database)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        holder.communicate(timeout=20)


def test_events_during_a_locked_database_are_kept_once(daemon: Daemon) -> None:
    """Another process holds it for longer than we wait: events go to the spool, redacted, and from there home."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="1")
    session = Session(daemon)
    session.start()
    daemon.settle()
    with locked(daemon):
        for number in range(3):
            session.failed(f"make {number} TOKEN={SECRET}", f"Exit code 2\nno rule for {number}", call=f"c{number}")
        session.send("PostToolBatch-Edit-error", tool_calls=[told("c3", "Edit", {"file_path": "a.py"}, LOST_EDIT)])
        assert until(lambda: (daemon.status() or {})["spooled"] == 4, "they are spooled", 30)
        status = daemon.status() or {}
        assert (status["lost"], status["waiting"]) == (0, 0)
        assert files_with(daemon.home.root, SECRET) == {}
    session.passed("make lint", call="c4")  # the next event takes the others along
    until(lambda: len(kept(daemon)) == 5, "all are kept")
    daemon.leave()
    assert sorted(call for call, *_ in kept(daemon)) == ["c0", "c1", "c2", "c3", "c4"]
    assert list(daemon.home.spool.iterdir()) == []
    assert files_with(daemon.home.root, SECRET) == {}


def test_a_batch_in_the_spool_does_not_make_failures_of_what_passed(daemon: Daemon) -> None:
    """There, too, the batch may stand before the message that says how the call ended."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    given = {"command": "make lint"}
    batch = session.message("PostToolBatch-Bash", tool_calls=[told("c1", "Bash", given, "fine")])
    passed = session.message("PostToolUse-Bash", tool_use_id="c1", tool_input=given)
    for name, payload in (("PostToolBatch", batch), ("PostToolUse", passed)):
        spooled(daemon, framed(name, json.dumps(payload).encode(), 0))
    daemon.start()
    session.stop()
    daemon.leave()
    assert kept(daemon) == [("c1", FINISHED, "make lint", "", None)]


def spooled(daemon: Daemon, message: bytes) -> None:
    """What the hook client does when no daemon can be had."""
    make(daemon.home)  # the hook that runs this lies in it
    subprocess.run(daemon.command("spool"), input=message, env=daemon.environ(), check=True, timeout=60)


def test_a_message_that_nobody_can_read_does_not_block_the_spool(daemon: Daemon) -> None:
    """It is recorded and dropped; those before and after it, and all later events, are kept."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    differences: list[dict[str, Any]] = [{}, {"error": None}, {"session_id": None}, {"tool_input": "text"}, {}]
    for number, fields in enumerate(differences):
        message = session.message("PostToolUseFailure-Bash", **{"tool_use_id": f"c{number}"} | fields)
        spooled(daemon, framed("PostToolUseFailure", json.dumps(message).encode(), 0))
    daemon.home.spool.joinpath("garbage.json").write_bytes(b"\xff\xfe garbage")
    daemon.home.spool.joinpath("other.json").write_text("[]")
    daemon.start()
    session.passed("make lint", call="c9")
    daemon.leave()
    assert sorted(call for call, *_ in kept(daemon)) == ["c0", "c4", "c9"]
    assert list(daemon.home.spool.iterdir()) == []
    assert daemon.log.count("PostToolUseFailure") == 3


def test_the_spool_keeps_what_it_needs_and_no_secret(daemon: Daemon) -> None:
    """Ids are not taken for secrets, secrets are; and it can be read by its owner alone."""
    session = Session(daemon, "0e6e2a4c-97f2-4c8e-9d0b-4f1f3e0f6a11")
    message = session.message("PostToolUseFailure-Bash", tool_input={"command": f"curl -H 'Authorization: {SECRET}'"})
    spooled(daemon, framed("PostToolUseFailure", json.dumps(message).encode(), 0))
    (file,) = daemon.home.spool.iterdir()
    assert (file.stat().st_mode & 0o777, daemon.home.spool.stat().st_mode & 0o777) == (0o600, 0o700)
    line = json.loads(file.read_text())
    for field in ("session_id", "tool_use_id", "cwd", "transcript_path", "prompt_id", "tool_name"):
        assert line["payload"].get(field) == message.get(field)
    assert files_with(daemon.home.root, SECRET) == {}


OWN_RULE = '[redact]\nrules = [{ name = "badge", pattern = "BADGE-[0-9]+" }]\n'


@pytest.mark.parametrize(
    ("settings", "spools"),
    [
        (OWN_RULE, True),
        (OWN_RULE + '[control]\nexclude_paths = ["/elsewhere"]\n', True),
        (OWN_RULE + '[control]\nexclude_paths = ["{folder}"]\n', False),
        (OWN_RULE + "[control]\nenabled = false\n", False),
        (OWN_RULE + "[control]\nenabled = maybe\n", False),
    ],
    ids=["own rules", "another path", "this path", "switched off", "unreadable"],
)
def test_the_spool_obeys_the_settings(daemon: Daemon, settings: str, spools: bool) -> None:
    """Own redaction rules count there too, and where nothing may be kept nothing is written, not even for a while."""
    daemon.home.root.mkdir(mode=0o700)
    daemon.home.settings.write_text(settings.replace("{folder}", str(daemon.folder)))
    message = Session(daemon).message("UserPromptSubmit", prompt="I am BADGE-4711 and BADGE-4712")
    raw = framed("UserPromptSubmit", json.dumps(message).encode(), 0)
    subprocess.run(daemon.command("spool"), input=raw, env=daemon.environ(), capture_output=True, check=False)
    assert len(list(daemon.home.spool.glob("*"))) == spools
    assert files_with(daemon.home.root, "BADGE-4711", "BADGE-4712") == {}


NO_SPACE = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.parametrize("full", ["from the start", "later"])
def test_a_full_disk_loses_events_and_says_so(daemon: Daemon, full: str) -> None:
    """Neither the database nor the spool can be written: counted as lost, and the daemon lives on."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    if full == "later":
        pid = daemon.start()
        session.failed("make", "Exit code 2\nboom", call="c0")
        daemon.settle()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    else:
        pid = daemon.start([sys.executable, "-c", NO_SPACE, *daemon.command()])
    before = len(kept(daemon))
    for number in range(1, 4):
        session.failed("make", "Exit code 2\nboom", call=f"c{number}")
    until(lambda: (daemon.status() or {})["waiting"] == 0, "it gave up on them")
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"], status["pid"]) == (3, 0, pid)
    assert len(kept(daemon)) == before
    assert list(daemon.home.spool.iterdir()) == [], "nor is anything half written left"

    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))  # space again
    session.failed("make", "Exit code 2\nboom", call="c9")
    daemon.leave()
    assert [call for call, *_ in kept(daemon)][before:] == ["c9"]


def test_with_a_damaged_database_events_wait(daemon: Daemon) -> None:
    """It is `doctor`'s to mend; meanwhile the daemon lives, the log says why, and what happens is in the spool."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    daemon.home.database.write_bytes(b"not a database at all" * 1_000)
    pid = daemon.start()
    for number in range(3):
        session.failed("make", "Exit code 2\nboom", call=f"c{number}")
    until(lambda: (daemon.status() or {})["waiting"] == 0, "it gave up on them")
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"]) == (0, 3)
    assert status["pid"] == pid
    assert "doctor --fix" in daemon.log


def nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(depth):
        inner = {"a": inner}
    return inner


@pytest.mark.parametrize(
    "odd",
    [
        {"tool_input": {"command": "make odd", "x": nested(601)}},
        {"tool_input": {"command": "make odd", "x": nested(900)}},
        {"tool_input": {"command": "make odd"}, "error": "Exit code 2\nhalf an emoji: \ud83d"},
    ],
    ids=["deep", "deeper", "half an emoji"],
)
def test_no_message_is_too_odd_for_the_spool(daemon: Daemon, odd: dict[str, Any]) -> None:
    """What would be kept at once is kept later, and so are those that come after it."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="1")
    session = Session(daemon)
    session.start()
    daemon.settle()
    with locked(daemon):
        session.send("PostToolUseFailure-Bash", **{"tool_use_id": "c0", "error": "Exit code 2\nboom"} | odd)
        until(lambda: (daemon.status() or {})["waiting"] == 0, "it is spooled")
    session.failed("make", "Exit code 2\nboom", call="c1")
    daemon.settle()
    assert (daemon.status() or {})["lost"] == 0
    assert sorted((call, command) for call, _, command, *_ in kept(daemon)) == [("c0", "make odd"), ("c1", "make")]
    assert list(daemon.home.spool.iterdir()) == []


def test_what_a_killed_process_left_half_written_goes(daemon: Daemon) -> None:
    """It is nobody's any more when it is old, and as long as it is there the spool is no fuller for it."""
    daemon.home.spool.mkdir(mode=0o700, parents=True)
    for number in range(spool.MOST_FILES):
        (daemon.home.spool / f"{number}.draft").touch()
    old = time.time() - 3_600
    for number in range(1, spool.MOST_FILES):
        os.utime(daemon.home.spool / f"{number}.draft", (old, old))
    message = Session(daemon).message("UserPromptSubmit", prompt="hello")
    spooled(daemon, framed("UserPromptSubmit", json.dumps(message).encode(), 0))
    assert spool.count(daemon.home) == 1
    daemon.start()
    Session(daemon).prompt("more")
    daemon.leave()
    assert [event.text for event in daemon.journal()] == ["hello", "more"]
    assert [path.name for path in daemon.home.spool.iterdir()] == ["0.draft"], "somebody may be writing it just now"


def test_what_waits_to_be_written_has_a_bound(daemon: Daemon) -> None:
    """With the database locked and much to keep, memory does not grow without end; what is dropped is counted."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="20")
    session = Session(daemon)
    session.start()
    daemon.settle()
    with locked(daemon):
        for number in range(9):
            session.failed("make", "x" * 9_000_000, call=f"c{number}")
        assert 0 < (daemon.status() or {})["lost"] < 7
        assert "lost" in daemon.log
    daemon.settle()
    lost = (daemon.status() or {})["lost"]
    assert len(kept(daemon)) == 9 - lost
    assert daemon.log.count("wait to be written") == 1, "it is said once"
    session.failed("make", "Exit code 2\nboom", call="c9")
    daemon.settle()
    assert [call for call, *_ in kept(daemon)][-1] == "c9"
    assert (daemon.status() or {})["lost"] == lost
