"""What holds in a session, for when its client has forgotten it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.memories import session
from hardwon.memory import Kind, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import journal
from tests.support import note, opened

AT = 1_790_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        say(store, "please build the importer", at=AT)
        yield store


def say(store: Store, words: str, at: int, agent: str = "", name: str = "s1") -> None:
    prompt = f"{name}{at}{agent}"
    event = Event(EventType.PROMPT_SUBMITTED, "claude-code", name, at, None, agent=agent, prompt=prompt, text=words)
    journal.append(store, event, Tier.FULL)


def learn(store: Store, body: str, kind: Kind, at: int, name: str = "s1", **fields: Any) -> str:
    given = {"trust": Trust.USER, "evidence": (f"claude-code:{name}:p1",)} | fields
    return note(store, body, at=at, project="p", kind=kind, **given)


def test_tasks_constraints_and_decisions_of_this_session_come_back(store: Store) -> None:
    """Newest first; nothing of another session, no other kinds, nothing that is over or that nobody vouches for."""
    task = learn(store, "write the docs", Kind.TASK, AT + 1)
    constraint = learn(store, "stay compatible", Kind.CONSTRAINT, AT + 2)
    decision = learn(store, "use Postgres", Kind.DECISION, AT + 3)
    learn(store, "of another session", Kind.TASK, AT + 4, name="s2")
    learn(store, "of a session with a longer name", Kind.TASK, AT + 4, name="s10")
    learn(store, "a rule", Kind.RULE, AT + 5)
    learn(store, "untrusted", Kind.TASK, AT + 6, trust=Trust.UNTRUSTED)
    done = learn(store, "done already", Kind.TASK, AT + 7)
    changes.move(store, done, Status.RESOLVED, AT + 8)
    found = [item.ranked.memory.id for item in session.current(store, "claude-code", "s1")]
    assert found == [decision, constraint, task]


def test_a_session_that_nobody_knows_has_nothing(store: Store) -> None:
    """No error, no guess."""
    learn(store, "write the docs", Kind.TASK, AT + 1)
    assert session.current(store, "codex", "s1") == []


def test_it_stays_within_its_budget(store: Store) -> None:
    """The newest of many."""
    for number in range(40):
        learn(store, f"task {number} " + "x" * 200, Kind.TASK, AT + number)
    found = session.current(store, "claude-code", "s1")
    assert len(found) <= session.MOST
    assert sum(item.tokens for item in found) <= session.TOKENS + 10
    assert found[0].ranked.memory.body.startswith("task 39 ")


def test_of_two_decisions_the_one_that_holds_comes_back(store: Store) -> None:
    """Decided anew in the same session: what it took the place of is history."""
    first = learn(store, "Sessions are stored in Redis, because it expires them", Kind.DECISION, AT + 1)
    second = learn(store, "Sessions are stored in Postgres now, Redis lost them", Kind.DECISION, AT + 2)
    found = [item.ranked.memory.id for item in session.current(store, "claude-code", "s1")]
    assert (second in found, first in found) == (True, False)
