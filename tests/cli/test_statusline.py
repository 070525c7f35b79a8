"""`hardwon statusline`: one line for a client's status line, and never an error."""

from __future__ import annotations

import json
import time

from hardwon.event import Event, EventType, Tier
from hardwon.store.tables import journal, showings
from hardwon.store.tables.showings import Showing
from tests.commandline import Cli
from tests.support import opened

GIVEN = json.dumps({"session_id": "s1", "model": {"id": "m"}, "cwd": "/shop"}).encode()


def shown(cli: Cli) -> None:
    """Something was said in a session, and more in another one."""
    cli.run("note", "`make test` wants Redis")
    (memory,) = cli.json("list")["items"]
    now = int(time.time() * 1000)
    with opened(cli.home) as store:
        for session, times in (("s1", 2), ("s2", 1)):
            event = Event(EventType.PROMPT_SUBMITTED, "claude-code", session, now, cwd=str(cli.folder), text="hello")
            journal.append(store, event, Tier.FULL)
            said = [Showing(memory["id"], "prompt", now, 40) for _ in range(times)]
            showings.record(store, said, ("claude-code", session))


def test_what_was_said_in_this_session_and_today(cli: Cli) -> None:
    shown(cli)
    assert cli.run("statusline", stdin=GIVEN).stdout == "hardwon: 2 told here, 80 tokens; 3 today\n"
    assert cli.run("statusline", stdin=b'{"session_id": "s3"}').stdout == "hardwon: 3 today\n"
    assert cli.json("statusline", stdin=GIVEN) == {
        "session": {"times": 2, "tokens": 80},
        "today": {"times": 3, "tokens": 120},
    }


def test_nothing_was_said(cli: Cli) -> None:
    done = cli.run("statusline", stdin=GIVEN)
    assert (done.stdout, done.stderr) == ("", "")


def test_it_never_fails(cli: Cli) -> None:
    """Whatever a client sends, whatever is wrong with the home."""
    shown(cli)
    for given in (b"", b"no JSON", b"[]", b'{"session_id": null}', b'{"session_id": {"a": 1}}'):
        assert cli.run("statusline", stdin=given).stdout == "hardwon: 3 today\n"
    (cli.home / "memory.db").write_bytes(b"this is no database")
    done = cli.run("statusline", stdin=GIVEN)
    assert (done.stdout, done.stderr) == ("", "")


def test_it_never_fails_for_wrong_settings(cli: Cli) -> None:
    """Nor for a home that can't be one."""
    shown(cli)
    (cli.home / "hardwon.toml").write_text("[recall]\nsession_tokens = 'many'\n")
    done = cli.run("statusline", stdin=GIVEN)
    assert (done.stdout, done.stderr) == ("", "")
    (cli.folder / "file").write_text("no folder")
    done = cli.run("statusline", stdin=GIVEN, env={"HARDWON_HOME": str(cli.folder / "file")})
    assert (done.stdout, done.stderr) == ("", "")
