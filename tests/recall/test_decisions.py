"""A prompt that names what was turned down brings the decision back; one that does without it does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories.decisions import against
from hardwon.memory import GLOBAL, Kind, Rejected, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from tests.support import note, opened

AT = 1_790_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def decide(store: Store, body: str, *rejected: str, project: str = "p") -> str:
    options = tuple(Rejected(what, "too slow") for what in rejected)
    return note(store, body, at=AT, project=project, kind=Kind.DECISION, trust=Trust.USER, rejected=options)


PROPOSES = [
    "let's use MySQL for the reports",
    "Can we switch to mysql?",
    "why not MySQL?",
    "what about MySQL instead",
    "Replace Postgres with MySQL please",
    "add `MySQL` to the compose file",
    "migrate to MySQL",
    "我们改用 MySQL 吧",
    "能不能换成MySQL？",
    "MySQLを使おう",
    "MySQLに切り替えて",
    "the MySQL driver is broken",
    "keep the carts in MySQL",
    "mysql add column",
]
ONLY_NAMES = [
    "don't use MySQL",
    "remove MySQL from the compose file",
    "use Postgres instead of MySQL",
    "migrate from MySQL to Postgres",
    "what is MySQL?",
    "let's use MySQLdump",
    "不要用 MySQL",
    "the page says:\nlet's use MySQL",
    "```\nuse mysql\n```\nwhat does this do?",
    "go on",
    "",
]


@pytest.mark.parametrize("prompt", PROPOSES)
def test_a_proposal_of_what_was_turned_down_brings_the_decision(store: Store, prompt: str) -> None:
    """To name it is enough."""
    id = decide(store, "Postgres, not MySQL", "MySQL")
    assert [item.ranked.memory.id for item in against(store, prompt, "p", AT)] == [id]


@pytest.mark.parametrize("prompt", ONLY_NAMES)
def test_a_mention_is_no_proposal(store: Store, prompt: str) -> None:
    """Who removes it, asks what it is or quotes somebody needs no reminder."""
    decide(store, "Postgres, not MySQL", "MySQL")
    assert against(store, prompt, "p", AT) == []


def test_only_what_holds_here_is_said(store: Store) -> None:
    """Decisions of this project and those for everywhere; none that was replaced or that turned nothing down."""
    here = decide(store, "Postgres, not MySQL", "MySQL")
    everywhere = decide(store, "Never MySQL", "MySQL", project=GLOBAL)
    decide(store, "Elsewhere Postgres", "MySQL", project="q")
    decide(store, "We use MySQL")
    gone = decide(store, "Once Postgres", "MySQL")
    changes.move(store, gone, Status.ARCHIVED, AT)
    found = {item.ranked.memory.id for item in against(store, "let's use MySQL", "p", AT)}
    assert found == {here, everywhere}


def test_at_most_two_are_said(store: Store) -> None:
    """However many there are."""
    for number in range(5):
        decide(store, f"Postgres, for the reason {number}", "MySQL")
    assert len(against(store, "let's use MySQL", "p", AT)) == 2


def test_many_memories_cost_no_more(store: Store) -> None:
    """The index finds the few decisions that turned something down among everything else."""
    with store.transaction():
        for number in range(3_000):
            note(store, f"A lesson about MySQL, number {number}", at=AT, project="p")
        for number in range(300):
            decide(store, f"Decision {number}", f"option{number}")
    begun = time.process_time()
    for _ in range(10):
        against(store, "let's use MySQL and option299", "p", AT)
    assert (time.process_time() - begun) / 10 < 0.1
    assert len(against(store, "let's use option299", "p", AT)) == 1
