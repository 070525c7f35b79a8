"""Messages that nobody can read or knows: counted, logged in a line without their secrets, and forgotten."""

from __future__ import annotations

import random

import pytest

from tests.daemon.health import status, works
from tests.daemon.running import Daemon, framed, until
from tests.daemon.session import Session
from tests.support import files_with

SECRET = "ghp_" + "x7Kq2" * 7 + "a"
GARBAGE = [
    b"",
    b"\n",
    b"hello",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"1 0.1.0 claude-code Stop\n{}",
    b"1 0.1.0 claude-code Stop -5\n{}",
    b"2 0.1.0 claude-code Stop 250\n{}",
    b"1 0.1.0 claude-code Stop 250\nnot json",
    b"1 0.1.0 claude-code Stop 250\n{}",
    b"1 0.1.0 claude-code Stop 250\n[1, 2]",
    b'1 0.1.0 claude-code Stop 250\n{"session_id": 5}',
    b"1 0.1.0 claude-code Stop " + b"9" * 10_000 + b"\n{}",
    b"\xff\xfe" * 1_000,
    b"1 " * 100_000,
    random.Random(1).randbytes(100_000),
]


@pytest.mark.parametrize("raw", GARBAGE, ids=lambda raw: ascii(raw[:30]))
def test_garbage_is_counted_and_forgotten(daemon: Daemon, raw: bytes) -> None:
    """No answer, one line in the log that `doctor` shows, and everything goes on."""
    pid = daemon.start()
    assert daemon.exchange(raw) == b""
    works(daemon)
    assert status(daemon)["malformed"] == 1
    assert status(daemon)["pid"] == pid
    assert len(daemon.log.splitlines()) == 1


def test_a_malformed_message_is_logged_without_its_secrets(daemon: Daemon) -> None:
    """One short line that names the event; none of the payload's own words."""
    daemon.start()
    for payload in (f'{{"session_id": "s", "prompt": "{SECRET}"', f'{{"session_id": "s", "{SECRET}": 1}}', SECRET):
        daemon.exchange(framed("UserPromptSubmit", payload.encode()))
    daemon.exchange(f"1 0.1.0 claude-code {SECRET} 250\n{{}}".encode())
    daemon.exchange(f"{SECRET}\n".encode())
    works(daemon)
    assert daemon.log.count("UserPromptSubmit") == 3
    assert all(len(line) < 600 for line in daemon.log.splitlines())
    assert files_with(daemon.home.root, SECRET) == {}


def test_the_log_is_without_what_the_users_own_rules_find(daemon: Daemon) -> None:
    """The rules that were last read count, also for a line about settings that can't be read."""
    rule = "[[redact.rules]]\nname = 'ticket'\npattern = 'ACME-[A-Z0-9]{8}'\n"
    daemon.home.root.mkdir(mode=0o700)
    daemon.home.settings.write_text(rule)
    daemon.start()
    daemon.home.settings.write_text(f"{rule}[recall]\nlimit = 'ACME-1234ABCD'\n")
    Session(daemon, "any").prompt("hello")
    until(lambda: "recall.limit must be" in daemon.log, "it is in the log")
    assert "[redacted:ticket]" in daemon.log
    assert "ACME-1234ABCD" not in daemon.log


def test_the_log_stays_small(daemon: Daemon) -> None:
    """However much goes wrong: it is turned over, and one old one is kept."""
    daemon.home.log.parent.mkdir(parents=True)
    daemon.home.log.write_text("x" * 600_000)
    daemon.start()
    daemon.exchange(b"garbage")
    works(daemon)
    assert len(daemon.log) < 1_000
    assert {path.name for path in daemon.home.log.parent.iterdir()} == {"hardwon.log", "hardwon.old.log"}


def test_events_and_clients_that_it_does_not_know_are_counted(daemon: Daemon) -> None:
    """A newer client may send what it likes; that is no error."""
    daemon.start()
    for name in ("PostThought", "Notification", "InstructionsLoaded"):
        assert daemon.exchange(framed(name, b"not even JSON")) == b""
    assert daemon.exchange(framed("Stop", b"{}", host="emacs")) == b""
    assert (status(daemon)["unknown"], status(daemon)["malformed"]) == (4, 0)
    assert daemon.log == ""
