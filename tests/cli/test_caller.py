from __future__ import annotations

import pytest

from tests.commandline import Cli

MARKS = [{"CLAUDECODE": "1"}, {"AI_AGENT": "claude-code"}, {"CODEX_SANDBOX": "seatbelt"}, {"OPENCODE": "1"}]


def test_a_person_at_a_terminal_is_a_user(cli: Cli) -> None:
    """A call from a person's terminal is trusted as that person."""
    cli.person("note", "use tabs")
    assert cli.json("list")["items"][0]["trust"] == "user"


def test_no_terminal_is_an_agent(cli: Cli) -> None:
    """A call without a terminal can't be told from an agent's."""
    cli.run("note", "use tabs")
    assert cli.json("list")["items"][0]["trust"] == "agent"


@pytest.mark.parametrize("mark", MARKS, ids=[next(iter(mark)) for mark in MARKS])
def test_a_client_marks_its_calls(cli: Cli, mark: dict[str, str]) -> None:
    """Inside a client a call is an agent's, also at a terminal."""
    cli.person("note", "use tabs", env=mark)
    assert cli.json("list")["items"][0]["trust"] == "agent"


def test_an_agent_does_not_change_what_a_person_said(cli: Cli) -> None:
    """edit, archive, supersede, forget, pin: refused with a sentence; wrong is heard in the review."""
    cli.person("note", "use tabs")
    id = cli.json("list")["items"][0]["id"]
    for call in (
        ["edit", id, "use blanks"],
        ["archive", id],
        ["supersede", id, "x"],
        ["forget", id, "--yes"],
        ["pin", id],
    ):
        assert "was said by a person" in cli.run(*call, code=1).stderr
    cli.run("wrong", id, "blanks are used here")
    assert cli.json("show", id)["status"] == "active"
    assert cli.json("review", "list")["items"][0]["complaints"] == ["blanks are used here"]
    assert "Only a person" in cli.run("review", "reject", id, code=1).stderr
    cli.person("review", "reject", id)
    assert cli.json("show", id)["status"] == "archived"


def test_an_agent_does_not_take_back_what_a_person_did(cli: Cli) -> None:
    """undo by an agent is refused when the last command was about a person's memory."""
    cli.person("note", "use tabs", "--kind", "rule")
    id = cli.json("list")["items"][0]["id"]
    assert "a person said" in cli.run("undo", code=1).stderr
    assert "was said by a person" in cli.run("resolve", id, code=1).stderr
    cli.person("undo")
    assert cli.json("list")["items"] == []


def test_a_person_dismisses_a_complaint(cli: Cli) -> None:
    """Accepted in the review, a memory is no longer accused."""
    cli.person("note", "use tabs")
    id = cli.json("list")["items"][0]["id"]
    cli.run("wrong", id, "blanks are used here")
    assert cli.json("status")["to_review"] == 1
    cli.person("review", "accept", id)
    assert cli.json("show", id)["complaints"] == []
    assert cli.json("status")["to_review"] == 0


def test_a_person_vouches_for_what_an_agent_said(cli: Cli) -> None:
    """The same text said by a person is trusted more, and an agent's repetition takes nothing away."""
    cli.run("note", "use tabs")
    cli.person("note", "use tabs")
    cli.run("note", "use tabs")
    (item,) = cli.json("list")["items"]
    assert (item["trust"], item["hits"]) == ("user", 2)
