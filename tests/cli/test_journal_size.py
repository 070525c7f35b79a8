"""How large the journal is, and how large it may be, is said where one looks for it."""

from __future__ import annotations

from hardwon.event import Event, EventType, Tier
from hardwon.store.tables import journal
from tests.commandline import Cli
from tests.support import now, opened


def test_status_and_doctor_say_the_size_and_the_bound(cli: Cli) -> None:
    """In words and in the JSON; without a bound there is none."""
    with opened(cli.home) as store:
        one = Event(EventType.TOOL_FAILED, "a-client", "s1", now(), call="c1", tool="Bash", error="x" * 5_000)
        journal.append(store, one, Tier.FULL)
    said = cli.json("status")
    assert (said["journal"], said["journal_bound"]) == (1, 200_000_000)
    assert 5_000 < said["journal_bytes"] < 6_000
    assert "1 event, 0.0 of 200 MB" in cli.run("status").stdout
    assert "journal: 1 event, 0.0 MB of 200" in cli.run("doctor").stdout
    cli.run("config", "set", "retention.journal_mb", "0")
    assert cli.json("status")["journal_bound"] is None
    assert "1 event, 0.0 MB" in cli.run("status").stdout
