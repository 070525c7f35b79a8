"""What waits for a person's decision, and the lines that are offered for their instructions."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.memory import Status
from hardwon.store import projects
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.learn.test_prompts import DAY, keep, ran, said, session
from tests.support import now, opened


@pytest.fixture
def rule(cli: Cli) -> str:
    """The id of a rule that was said on three days."""
    cli.run("note", "begins the project")
    with opened(cli.home) as store:
        (project,) = projects.listed(store)
        for day in range(3):
            events = session(ran("npm i"), said("always use pnpm, not npm"), at=now() - (5 - day) * DAY, name=f"s{day}")
            (kept,) = keep(store, [dataclasses.replace(event, project=project.id) for event in events])
    return kept.id


def test_a_rule_said_on_three_days_is_offered_with_its_line(cli: Cli, rule: str) -> None:
    """Beside the candidates; in the status it is counted. Nothing is written into the project."""
    found = cli.json("review", "list")
    assert found["items"] == []
    (offer,) = found["offers"]
    assert offer == {"id": rule, "kind": "rule", "project": "app", "days": 3, "line": "- Always use pnpm, not npm"}
    printed = cli.run("review", "list")
    assert f"{rule[-6:]}  app, on 3 days; you could write down:\n    - Always use pnpm, not npm\n" in printed.stdout
    assert printed.stderr == "1 line for CLAUDE.md or AGENTS.md\n"
    assert cli.json("status")["offers"] == 1
    assert "to write down" in cli.run("status").stdout
    assert list(cli.folder.iterdir()) == []


def test_accepting_an_offer_makes_it_a_hard_rule(cli: Cli, rule: str) -> None:
    """Active, pinned, and not offered again."""
    cli.person("review", "accept", rule)
    with opened(cli.home, write=False) as store:
        found = memories.get(store, rule)
        assert found is not None
        assert (found.status, found.pinned) == (Status.ACTIVE, True)
    assert cli.json("review", "list") == {"items": [], "total": 0, "offers": []}
    assert cli.run("review", "list").stderr == "nothing waits for a decision\n"


def test_rejecting_an_offer_puts_it_away(cli: Cli, rule: str) -> None:
    """It is neither told nor offered, also when it is said again."""
    cli.person("review", "reject", rule)
    assert cli.json("review", "list")["offers"] == []


def test_an_agent_decides_nothing(cli: Cli, rule: str) -> None:
    """Only a person accepts a rule that is about what agents may do."""
    assert "Only a person decides" in cli.run("review", "accept", rule, code=1).stderr
    assert len(cli.json("review", "list")["offers"]) == 1


def test_accepting_what_neither_waits_nor_is_offered_is_refused(cli: Cli) -> None:
    """It says what the memory is."""
    id = cli.json("note", "plain")["id"]
    assert "nobody complained" in cli.person("review", "accept", id, code=1)


def test_what_a_person_reopens_waits_for_nobody(cli: Cli) -> None:
    """They called it wrong, and say that it holds again: there is nothing left to decide, and nothing against it."""
    id = cli.json("note", "the port is 5432")["id"]
    cli.person("wrong", id, "it is 5433")
    cli.person("reopen", id)
    assert cli.json("review", "list")["items"] == []
    assert cli.json("status")["to_review"] == 0
    assert cli.json("show", id)["complaints"] == []
    cli.person("undo")
    assert cli.json("show", id)["status"] == "stale"
    assert cli.json("show", id)["complaints"] == ["it is 5433"]


def test_what_an_agent_reopens_still_waits_for_a_person(cli: Cli) -> None:
    """A person called it wrong: an agent's word does not dismiss that."""
    id = cli.json("note", "the port is 5432")["id"]
    cli.person("wrong", id, "it is 5433")
    cli.run("reopen", id)
    assert [item["id"] for item in cli.json("review", "list")["items"]] == [id]
