"""`hardwon status --today`: what was said today, when, where, and what it took."""

from __future__ import annotations

import time

from hardwon.cli.verbs.status_today import midnight
from hardwon.store.tables import showings
from hardwon.store.tables.showings import Showing
from tests.commandline import Cli
from tests.support import opened

DAY = 86_400_000


def test_nothing_yet(cli: Cli) -> None:
    assert "hardwon has said nothing today" in cli.run("status", "--today").stderr
    assert cli.json("status", "--today") == {"items": [], "tokens": 0}


def test_what_was_said_today_and_not_yesterday(cli: Cli) -> None:
    cli.run("note", "`make test` wants Redis")
    (memory,) = cli.json("list")["items"]
    now = int(time.time() * 1000)
    with opened(cli.home) as store:
        showings.record(store, [Showing(memory["id"], "prompt", at, 40) for at in (now - DAY, now)])
    found = cli.json("status", "--today")
    assert [(one["memory"], one["moment"], one["what"]) for one in found["items"]] == [
        (memory["id"], "prompt", "`make test` wants Redis")
    ]
    assert found["tokens"] == 40
    assert "`make test` wants Redis" in cli.run("status", "--today").stdout


def test_today_begins_at_midnight_here() -> None:
    now = int(time.time() * 1000)
    start = time.localtime(midnight(now) / 1000)
    assert (start.tm_hour, start.tm_min, start.tm_sec) == (0, 0, 0)
    assert 0 <= now - midnight(now) < 25 * 3_600_000
