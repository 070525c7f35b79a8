"""The present state first, through the real socket, the installed command and the MCP server."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.store import changes
from tests.commandline import Cli
from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, project_of
from tests.daemon.session import Session
from tests.support import now
from tests.tools.server import Server

DAY = 86_400_000
TTL = ("Cache TTL in src/cache.py is 90 seconds", "Cache TTL in src/cache.py is 30 seconds")
HOST = ("We deploy to Heroku", "We moved away from Heroku: production runs on Fly.io")


def decided(daemon: Daemon, *texts: str, trusts: tuple[Trust, ...] = ()) -> list[str]:
    """A decision a day, the last one yesterday; among a few other notes."""
    ids = []
    with daemon.store(write=True) as store:
        place = Scope(project_of(store, daemon.folder))
        for number in range(20):
            other = Draft(Kind.LESSON, f"lesson about thing{number} and matter{number}", place, Trust.USER, "user")
            changes.note(store, other, now() - 50 * DAY)
        for at, text in enumerate(texts):
            trust = trusts[at] if trusts else Trust.USER
            source = "user" if trust is Trust.USER else "agent"
            made = changes.note(
                store, Draft(Kind.DECISION, text, place, trust, source), now() - (len(texts) - at) * DAY
            )
            assert made.id is not None
            ids.append(made.id)
    return ids


@pytest.mark.parametrize(
    ("texts", "prompt"), [(TTL, "what is the cache TTL in src/cache.py?"), (HOST, "where do we deploy?")]
)
def test_a_prompt_is_told_what_holds(daemon: Daemon, texts: tuple[str, str], prompt: str) -> None:
    """Only that: what was before it would cost tokens and could be taken for true."""
    _, later = decided(daemon, *texts)
    daemon.start()
    said = Session(daemon).prompt(prompt)
    assert ids_in(said) == short(later)
    assert texts[1] in said
    assert texts[0] not in said


def test_an_agent_does_not_overrule_a_person(daemon: Daemon) -> None:
    """What the person decided is said, whatever an agent kept later."""
    earlier, _ = decided(daemon, *TTL, trusts=(Trust.USER, Trust.AGENT))
    daemon.start()
    assert short(earlier)[0] in ids_in(Session(daemon).prompt("what is the cache TTL in src/cache.py?"))


def test_an_agent_that_asks_is_told_the_later_first(daemon: Daemon) -> None:
    """With what was before it, and since when that was so."""
    earlier, later = decided(daemon, *HOST)
    daemon.start()
    with Server(daemon) as server:
        said, wrong = server.call("recall", query="where do we deploy?")
    assert not wrong
    assert ids_in(said) == short(later, earlier)
    assert "Before, 20" in said


def test_recall_and_why_show_the_line(daemon: Daemon) -> None:
    earlier, later = decided(daemon, *HOST)
    cli = Cli(Path(daemon.home.root), daemon.folder)
    (found,) = cli.json("recall", "where do we deploy?")["items"]
    assert (found["id"], [one["id"] for one in found["before"]]) == (later, [earlier])
    shown = cli.run("recall", "where do we deploy?").stdout
    assert shown.index(HOST[1]) < shown.index("before: ") < shown.index(HOST[0])
    for id, other in ((earlier, later), (later, earlier)):
        assert [one["id"] for one in cli.json("why", id)["line"]] == [other]
    assert "about the same, in the order of time" in cli.run("why", earlier).stdout
