"""A decision for what was turned down does not stand beside the decision against it: it waits for the person."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Tier
from hardwon.learn.session import learn
from hardwon.memory import Kind, Memory, Rejected, Status, Trust
from hardwon.recall.moments import brief
from hardwon.store import changes, journal, memories, projects
from hardwon.store.connection import Store
from tests.learn.test_prompts import AT, DAY, said, session
from tests.support import note, opened

AGAINST = "Let's go with Postgres, not MySQL, because we need JSONB"
FOR = "let's use MySQL for the orders table"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


@pytest.fixture
def project(store: Store, tmp_path: Path) -> str:
    (tmp_path / "app").mkdir()
    return projects.claim(store, str(tmp_path / "app"), AT)[1].id


def say(store: Store, project: str, name: str, *prompts: str, at: int = AT) -> None:
    """One session, kept and learned from."""
    for event in session(*map(said, prompts), at=at, name=name):
        journal.append(store, dataclasses.replace(event, project=project), Tier.FULL)
    learn(store, "claude-code", name, at + 60_000)


def decided(store: Store) -> dict[str, Memory]:
    return {one.body: one for one in memories.listed(store, memories.Filter(kinds=(Kind.DECISION,)), 10)[0]}


def holding(store: Store, project: str) -> list[str]:
    """The decisions that are told after compaction."""
    told = [item.ranked.memory for item in brief(store, project, compacted=True)]
    return [one.body for one in told if one.kind is Kind.DECISION]


def test_what_was_turned_down_and_is_chosen_again_waits(store: Store, project: str) -> None:
    say(store, project, "s1", AGAINST)
    say(store, project, "s2", FOR, at=AT + DAY)
    found = decided(store)
    reason = f"it chooses MySQL, which {found[AGAINST].short_id} has turned down: which one holds?"
    assert (found[FOR].status, found[FOR].complaints) == (Status.CANDIDATE, (reason,))
    assert (found[AGAINST].status, found[AGAINST].complaints) == (Status.ACTIVE, ())
    assert holding(store, project) == [AGAINST]


def test_in_one_session_and_read_again(store: Store, project: str) -> None:
    for _ in range(2):
        say(store, project, "s1", AGAINST, FOR)
        assert len(decided(store)[FOR].complaints) == 1
        assert holding(store, project) == [AGAINST]


def test_what_the_person_accepts_stays_accepted(store: Store, project: str) -> None:
    """Reading the session again asks no second time."""
    say(store, project, "s1", AGAINST, FOR)
    one = decided(store)[FOR]
    changes.edit(store, one.id, {"complaints": []}, AT + DAY)
    changes.move(store, one.id, Status.ACTIVE, AT + DAY, reason="accepted in review")
    say(store, project, "s1", AGAINST, FOR)
    assert (decided(store)[FOR].status, decided(store)[FOR].complaints) == (Status.ACTIVE, ())


@pytest.mark.parametrize(
    ("later", "status"),
    [
        ("we settled on MySQL 8 for reporting", Status.CANDIDATE),
        ("let's use `MySQL` for the orders table because it is there", Status.CANDIDATE),
        ("let's use DuckDB for the orders table", Status.ACTIVE),
        ("let's use MySQLTuner for the load tests because it is there", Status.ACTIVE),
        ("let's use Postgres for the orders table, not MySQL", Status.ACTIVE),
        ("we decided to use MySQL after all", Status.ACTIVE),  # of the same subject: it takes its place
    ],
)
def test_what_is_chosen(store: Store, project: str, later: str, status: Status) -> None:
    say(store, project, "s1", AGAINST)
    say(store, project, "s2", later, at=AT + DAY)
    assert decided(store)[later].status is status


def test_an_agents_decision_keeps_no_person_waiting(store: Store, project: str) -> None:
    turned_down = (Rejected("MySQL"),)
    note(store, "Use Postgres", at=AT, project=project, kind=Kind.DECISION, trust=Trust.AGENT, rejected=turned_down)
    say(store, project, "s1", FOR, at=AT + DAY)
    assert decided(store)[FOR].status is Status.ACTIVE


def test_another_project_has_its_own_decisions(store: Store, project: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    say(store, project, "s1", AGAINST)
    say(store, projects.claim(store, str(tmp_path / "other"), AT)[1].id, "s2", FOR, at=AT + DAY)
    assert decided(store)[FOR].status is Status.ACTIVE
