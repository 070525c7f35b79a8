"""The quiet line: a person who wants to see it is shown that the agent was told something."""

from __future__ import annotations

import json
from typing import Any

from tests.commandline import Cli
from tests.daemon.running import Daemon, framed
from tests.daemon.session import Session

QUESTION = "why does make test fail without redis"


def prompted(daemon: Daemon, session: str, text: str, **about: Any) -> dict[str, Any]:
    """The whole answer to a prompt."""
    message = Session(daemon, session, **about).message("UserPromptSubmit", prompt=text)
    reply = daemon.exchange(framed("UserPromptSubmit", json.dumps(message).encode()))
    return json.loads(reply) if reply else {}


def settings(daemon: Daemon, text: str) -> None:
    daemon.home.root.mkdir(mode=0o700, exist_ok=True)
    daemon.home.settings.write_text(text)


def test_nobody_is_shown_a_line_unasked(daemon: Daemon) -> None:
    Cli(daemon.home.root, daemon.folder).run("note", "`make test` fails without Redis")
    daemon.start()
    said = prompted(daemon, "s1", QUESTION)
    assert "without Redis" in said["hookSpecificOutput"]["additionalContext"]
    assert "systemMessage" not in said


def test_one_line_when_something_is_said_and_none_when_nothing_is(daemon: Daemon) -> None:
    """What it says is what the agent was told first; the agent itself is told nothing of the line."""
    Cli(daemon.home.root, daemon.folder).run("note", "`make test` fails without Redis")
    settings(daemon, "[recall]\nshow_person = true\n")
    daemon.start()
    said = prompted(daemon, "s1", QUESTION)
    line, told = said["systemMessage"], said["hookSpecificOutput"]["additionalContext"]
    assert line.startswith("hardwon told the agent: `make test` fails without Redis (")
    assert "\n" not in line
    assert "told the agent" not in told
    assert prompted(daemon, "s2", "which colour should the logo have") == {}


def test_a_sub_agents_notes_are_not_the_persons(daemon: Daemon) -> None:
    Cli(daemon.home.root, daemon.folder).run("note", "`make test` fails without Redis")
    settings(daemon, "[recall]\nshow_person = true\n")
    daemon.start()
    said = prompted(daemon, "s1", QUESTION, agent="reviewer")
    assert "systemMessage" not in said
