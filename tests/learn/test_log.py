"""Each step of learning is written down once, without a word of what was learned."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event
from hardwon.learn import log
from hardwon.learn.log import Step
from hardwon.learn.session import learn
from hardwon.memory import short_id
from hardwon.paths import Home
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.tables import journal, memories
from hardwon.text import tiers
from tests.commandline import Cli
from tests.learn.test_derive import AT, BOOM, OTHER, edited, failed, passed, session
from tests.support import files_with, opened

WORD = "REDIS_URL"
"""In the error, and so in what is learned."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def happened(store: Store, *events: Event, now: int = AT, **fields: str) -> int:
    """A session's events, and what they teach, as at the end of a turn."""
    for event in session(*events):
        placed = dataclasses.replace(event, **fields)  # type: ignore[arg-type]
        journal.append(store, placed, tiers.tier(placed))
    return learn(store, "claude-code", fields.get("session", "s1"), now)


def told(store: Store) -> list[tuple[str, str, str, str]]:
    return [(step.step, step.kind, step.reason, step.session) for step in log.read(store.home, 100)]


def test_kept_and_passed_over(store: Store) -> None:
    """What was learned has its id; what was not has its reason."""
    learned = happened(
        store,
        failed(),
        edited(),
        passed(),
        failed("grep x y", "Exit code 1"),
        failed("make up", "denied", None),
        failed("make flaky", OTHER),
        passed("make flaky"),
    )
    assert learned == 3
    assert told(store) == [
        ("learned", "failure", "new", "s1:c0"),
        ("learned", "fix", "new", "s1:c2"),
        ("skipped", "failure", "it only said no", "s1:c3"),
        ("skipped", "failure", "it was denied or interrupted", "s1:c4"),
        ("learned", "failure", "new", "s1:c5"),
        ("skipped", "fix", "it passed by itself", "s1:c6"),
    ]
    ids = {short_id(memory.id) for memory in memories.all_memories(store)}
    assert {step.id for step in log.read(store.home, 100)} == ids | {""}


def test_every_turn_learns_anew_and_says_nothing_new(store: Store) -> None:
    """W12: a Stop after each turn does not repeat the log, whatever was kept or passed over."""
    events = (failed(), edited(), passed(), failed("make up", "denied", None))
    happened(store, *events)
    before = told(store)
    for turn in range(5):
        happened(store, *events, now=AT + turn)
    assert told(store) == before


def test_the_same_again_elsewhere_is_repeated(store: Store) -> None:
    """Another session with the same failure counts it once more, and says so."""
    happened(store, failed())
    again = dataclasses.replace(session(failed())[0], session="s2", call="other")
    journal.append(store, again, tiers.tier(again))
    assert learn(store, "claude-code", "s2", AT) == 0
    assert told(store)[-1] == ("repeated", "failure", "known already", "s2:other")


def test_forgetting_leaves_nothing(store: Store) -> None:
    """No text was ever in the log; after forgetting, the next turn says only that it was forgotten."""
    happened(store, failed())
    assert WORD in BOOM
    assert not files_with(store.home.log.parent, WORD, "make test")
    (known,) = memories.all_memories(store)
    assert files_with(store.home.root, known.body[:30])
    forget.forget(store, [known.id], AT)
    happened(store, failed())
    assert told(store)[-1] == ("skipped", "failure", "it was forgotten", "s1:c0")
    assert not files_with(store.home.log.parent, WORD, "make test", known.body)
    assert not files_with(store.home.root, known.body)


def test_no_project_no_memory(store: Store) -> None:
    """What belongs to no project is passed over, and said."""
    event = dataclasses.replace(session(failed())[0], project=None)
    journal.append(store, event, tiers.tier(event))
    assert learn(store, "claude-code", "s1", AT) == 0
    assert told(store) == [("skipped", "failure", "it belongs to no project", "s1:c0")]


def test_it_stays_small(tmp_path: Path) -> None:
    """Two files of half a megabyte at most, readable by their owner alone."""
    home = Home(tmp_path)
    for number in range(40):
        steps = [Step("learned", "failure", f"{number}{one:04}", "new", "s:c") for one in range(1000)]
        log.record(home, steps, AT)
    files = list(log.place(home).parent.iterdir())
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 1_200_000
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert log.read(home, 1)[0].id == "390999"


@pytest.mark.parametrize(
    ("session", "call", "where"),
    [
        ("019a3f44-aaaa-bbbb-cccc-123456789abc", "toolu_01ABCDEF", "56789abc:ABCDEF"),
        ("", "", "-:-"),
        ("a b\nc\x1b", "x y", "abc:xy"),
        ("s1", "c", "s1:c"),
    ],
)
def test_where(session: str, call: str, where: str) -> None:
    """Enough to find it again, one word whatever a client sends."""
    assert log.where(session, call) == where


def test_a_full_or_closed_disk_stops_no_learning(store: Store) -> None:
    """Where the log can't be written, what was learned is kept all the same."""
    store.home.log.parent.parent.mkdir(exist_ok=True)
    store.home.log.parent.write_text("in the way")
    assert happened(store, failed()) == 1


def test_the_command(cli: Cli) -> None:
    """`daemon log --learning` prints the steps, newest last; nothing is a sentence."""
    assert "nothing was learned" in cli.run("daemon", "log", "--learning").stderr
    assert cli.json("daemon", "log", "--learning") == {"items": []}
    with opened(cli.home) as store:
        happened(store, failed(), failed("make up", "denied", None))
    items = cli.json("daemon", "log", "--learning")["items"]
    assert items[1] == {
        "step": "skipped", "kind": "failure", "id": "", "reason": "it was denied or interrupted", "session": "s1:c1",
        "at": AT // 1000 * 1000,
    }  # fmt: skip
    lines = cli.run("daemon", "log", "--learning", "--lines", "1").stdout.splitlines()
    assert lines == ["2026-09-21 14:13 UTC  skipped failure - it was denied or interrupted s1:c1"]


def test_a_line_that_is_none_is_passed_over(tmp_path: Path) -> None:
    """A damaged log still shows the rest."""
    home = Home(tmp_path)
    log.record(home, [Step("learned", "fix", "abcdef", "new", "s:c")], AT)
    with log.place(home).open("ab") as file:
        file.write(b"\xff\xfe garbage\n\n2026 learned\n")
    assert [step.id for step in log.read(home, 10)] == ["abcdef"]
