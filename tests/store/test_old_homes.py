"""A home of before a rule existed: what the rules of today know by name goes from it, once, down to the last byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.daemon import spool
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Tier
from hardwon.memory import Anchor, AnchorKind, Kind, Rejected
from hardwon.paths import Home
from hardwon.redact import Redactor
from hardwon.store import changes, mirror, projects
from hardwon.store.connection import Store
from hardwon.store.log import copies, redo
from hardwon.store.maintenance import repair, upgrade
from hardwon.store.tables import journal, passages, vectors
from hardwon.store.tables.vectors import Stored
from tests.commandline import Cli
from tests.daemon.running import Daemon, place, until
from tests.daemon.session import Session
from tests.support import draft, files_with, note, now, opened

KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
PASSWORD = "Kq7-wintergarten_42x"
RANDOM = "q8Zr3vTn0Lx6Wb2Kd9Ys4Hm7Pf1Jc5Gu"


class Blind(Redactor):
    """As if the rules that know these secrets came with the next version."""

    def text(self, value: str) -> str:
        return value

    def findings(self, value: str) -> list[tuple[str, int, int]]:  # noqa: ARG002
        return []


def plant(home: Path, folder: Path, count: int = 3) -> None:
    """Everything that a home holds, with secrets in it, as a hardwon wrote it down that did not know them."""
    with opened(home) as store:
        store.is_strict, store.redactor = False, Blind()
        for number in range(count):
            _plant_memories(store, number)
            _plant_session(store, number)
        _, project = projects.claim(store, folder, now())
        projects.rename(store, project.name, f"app {KEY}")
        passages.index_new(store)
        (row,) = store.row("select row from memories where body like '%0 says%'") or (0,)
        text = vectors.missing(store, "a model", 1000)
        one = next(each for each in text if each.row == row)
        vectors.put(store, "a model", 2, [(one, [Stored(row, "body", 0, 0.5, KEY.encode())])])
        mirror.refresh(store, now())
        copies.refresh(store)
        note(store, f"one more for the redo log, {KEY}", kind=Kind.RULE)
        store.db.execute("delete from meta where key = ?", (upgrade.EDITION,))
        message = Message("", "claude-code", "UserPromptSubmit", 0, b"{}")
        waits = spool.put(store.home, message, store.settings, now())
        assert waits
        payload = {"session_id": "s9", "cwd": "/srv", "prompt": f"token={KEY}"}
        waits.write_text(json.dumps(json.loads(waits.read_text()) | {"payload": payload}))
        store.home.log.parent.mkdir(exist_ok=True)
        store.home.log.write_text(f"2026-01-01T00:00:00Z answer: failed at {KEY}\n")
    assert {file.split("/")[0] for file in files_with(home, KEY)} >= {"memory.db", "copies", "spool", "log", "skills"}


def _plant_memories(store: Store, number: int) -> None:
    fields = draft(
        f"lesson {number} says password: {PASSWORD}",
        kind=Kind.DECISION,
        title=f"{number} {KEY}",
        because=f"token={KEY}",
        rejected=(Rejected(KEY, KEY),),
        anchors=(Anchor(AnchorKind.SYMBOL, KEY), Anchor(AnchorKind.COMMAND, f"login {PASSWORD}")),
        evidence=(KEY,),
    )
    changes.note(store, fields, now())
    changes.note(store, draft(f"lesson {number} of a skill: {KEY}", skill="deploy"), now())
    id = note(store, f"a rule {number} that looks like {RANDOM}", kind=Kind.RULE)
    changes.edit(store, id, {"intent": KEY}, now())


def _plant_session(store: Store, number: int) -> None:
    types = (EventType.PROMPT_SUBMITTED, EventType.TOOL_FAILED, EventType.TURN_ENDED)
    for at, type_ in enumerate(types):
        said = f"{number} look at password: {PASSWORD}" if at else f"{number} use {KEY} for it"
        journal.append(
            store,
            Event(
                type_, "claude-code", f"s{number}", now() + at, cwd=f"/srv/{KEY}", call=f"toolu_{number}{at}",
                prompt=f"p{number}", tool="Bash", target=f"login {KEY}", text=said, error=said, transcript=f"/t/{KEY}",
            ),
            Tier.FULL,
        )  # fmt: skip


@pytest.fixture
def old(cli: Cli) -> Cli:
    plant(cli.home, cli.folder)
    return cli


def test_no_byte_of_it_is_left(old: Cli) -> None:
    """Records, anchors, index, journal, passages, vectors, copies, redo log, write-ahead log, files, spool, log."""
    done = old.run("note", "an ordinary lesson", "-g")
    assert "took it out of" in done.stderr
    assert "github-token" in done.stderr
    assert KEY not in done.stdout + done.stderr
    assert files_with(old.home, KEY, PASSWORD) == {}
    with opened(old.home) as store:
        assert repair.differences(store) == []
        assert repair.damage(store) == []
        assert store.value("select count(*) from vectors") == 0
        assert not upgrade.due(store)
        assert not store.meta("purge_due")


def test_it_happens_once(old: Cli) -> None:
    """The next command has nothing to say, and takes no copy."""
    old.run("note", "an ordinary lesson", "-g")
    before = sorted((old.home / "copies").glob("*.db"))
    done = old.run("note", "another lesson", "-g")
    assert "took it out" not in done.stderr
    assert sorted((old.home / "copies").glob("*.db")) == before
    findings = json.loads(old.run("doctor", "--json", code=1).stdout)["findings"]  # there is something in the spool
    says = [one["says"] for one in findings if one["what"] == "redaction"]
    assert len(says) == 1
    assert "took it out of" in says[0]


def test_what_only_looks_random_stays_until_a_person_says_so(old: Cli) -> None:
    old.run("note", "an ordinary lesson", "-g")
    assert files_with(old.home, RANDOM) != {}


def test_a_home_of_today_is_not_looked_at(cli: Cli) -> None:
    cli.run("note", "an ordinary lesson", "-g")
    with opened(cli.home) as store:
        assert not upgrade.due(store)
        assert store.meta(upgrade.DONE) is None
    assert not [one for one in cli.json("doctor")["findings"] if one["what"] == "redaction"]


def test_a_rule_that_changes_makes_it_due_again(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.run("note", "an ordinary lesson", "-g")
    with opened(cli.home) as store:
        monkeypatch.setattr(upgrade, "edition", lambda: "a later one")
        assert upgrade.due(store)
        assert upgrade.finish(store, now()) is not None
        assert not upgrade.due(store)


KILLED = """
import os, signal, sys
from hardwon.store.maintenance import upgrade
from tests.support import opened, now
from pathlib import Path
at, left = sys.argv[2], int(sys.argv[3])
def counted(real):
    def run(*given):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given)
    return run
upgrade.PORTION = 2
upgrade._STAGES = tuple((name, counted(stage) if name == at or not at else stage) for name, stage in upgrade._STAGES)
with opened(Path(sys.argv[1])) as store:
    upgrade.finish(store, now())
    if at == "the end":
        os.kill(os.getpid(), signal.SIGKILL)
    upgrade.erase(store)
"""


@pytest.mark.parametrize(
    ("at", "left"), [("the log", 0), ("the log", 2), ("the journal", 1), ("memories", 2), ("files", 0), ("the end", 0)]
)
def test_who_is_killed_goes_on(old: Cli, at: str, left: int) -> None:
    """At any place: what was done stays done, and the next command does the rest."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(old.home), at, str(left)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    old.run("note", "an ordinary lesson", "-g")
    old.run("doctor", "--fix", code=0)
    assert files_with(old.home, KEY, PASSWORD) == {}
    with opened(old.home) as store:
        assert repair.differences(store) == []


def test_a_large_home_is_done_a_little_at_a_time(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time for so long and no longer; `doctor --fix` does the rest at once."""
    plant(cli.home, cli.folder, 30)
    monkeypatch.setattr(upgrade, "PORTION", 10)
    with opened(cli.home) as store:
        assert upgrade.step(store, 0.0, now()) is None
        assert upgrade.due(store)
    assert "have not seen" in cli.run("doctor", code=1).stdout  # there is something in the spool
    cli.run("doctor", "--fix")
    assert files_with(cli.home, KEY, PASSWORD) == {}


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with place() as one:
        yield one


def test_the_daemon_does_it_while_nothing_waits(daemon: Daemon) -> None:
    """Hooks are answered meanwhile, with nothing of it; the log and `doctor` say what was done."""
    plant(daemon.home.root, daemon.folder, 20)
    daemon.start()
    session = Session(daemon)
    said = session.start() + session.prompt(f"what is lesson 3 about, and password: {PASSWORD}?")
    assert KEY not in said
    assert PASSWORD not in said
    until(lambda: "took it out of" in daemon.log, "it was done")
    until(lambda: not files_with(daemon.home.root, KEY, PASSWORD), "the last byte was gone")
    daemon.leave()
    assert redo.is_empty(Home(daemon.home.root)) or files_with(daemon.home.root, KEY) == {}
