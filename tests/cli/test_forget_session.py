"""`hardwon forget --session`: what was said and done in a session goes from every file, and does not come back."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from hardwon.daemon import spool
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Tier
from hardwon.paths import Home
from hardwon.store.log import copies
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal, memories, passages
from hardwon.store.tables.showings import Showing, record
from tests.cli.test_search_sessions import DAY, MAY, talk
from tests.commandline import HARDWON, PERSON, Cli
from tests.support import bodies, files_with, note, now, opened

PRIVATE = "0b5e7f7e-1111-4c8e-9d0b-4f1f3e0f6a11"
OTHER = "0b5e7f7e-2222-4c8e-9d0b-4f1f3e0f6a22"
WORDS = ("Quibblewick", "bassoon", "glockenspiel")


@pytest.fixture
def talked(cli: Cli) -> Cli:
    """Two sessions, of one of which a memory was learned, an event waits, and a copy is there."""
    talk(cli, PRIVATE, 1, "why did Quibblewick GmbH leave?", "Their bassoon was never delivered.", "and the invoice?")
    talk(cli, OTHER, 2, "which linter do we use?", "ruff, since May.")
    with opened(cli.home) as store:
        failed = Event(
            EventType.TOOL_FAILED, "claude-code", PRIVATE, MAY + DAY + 9, call="c1", tool="Bash",
            target="play glockenspiel", error="no glockenspiel", exit_status=1,
        )  # fmt: skip
        journal.append(store, failed, Tier.FULL)
        passages.index_new(store, 100)
        lesson = note(store, "an instrument is insured", evidence=(f"claude-code:{PRIVATE}:c1",))
        note(store, "noted by the agent meanwhile", evidence=(f"session {PRIVATE}",))
        note(store, "of the other session", evidence=(f"claude-code:{OTHER}:c2",))
        record(store, [Showing(lesson, "prompt", now(), 30)], ("claude-code", PRIVATE))
        copies.refresh(store)
        for session, text in ((PRIVATE, "the bassoon again"), (OTHER, "the linter again")):
            payload = {"session_id": session, "prompt": text, "cwd": "/srv"}
            message = Message("", "claude-code", "UserPromptSubmit", 0, json.dumps(payload).encode())
            assert spool.put(Home(cli.home), message, store.settings, now())
    return cli


def test_not_one_byte_of_a_session_stays(talked: Cli) -> None:
    """Journal, passages, index, spool and copies; the other session is as it was."""
    assert files_with(talked.home, *WORDS)
    said = talked.person("forget", "--session", PRIVATE, "--yes")
    assert "why did Quibblewick GmbH leave?" in said, "by which it is known again"
    assert "learned from it: 2 memories, which stay; --memories forgets them too" in said
    assert "forgotten: 5 events; 2 memories learned from it stay" in said
    assert files_with(talked.home, *WORDS) == {}
    assert talked.json("search", "--sessions", "Quibblewick bassoon")["items"] == []
    assert "ruff, since May." in talked.run("search", "--sessions", "linter").stdout
    assert bodies(talked.home) == ["an instrument is insured", "noted by the agent meanwhile", "of the other session"]
    with opened(talked.home) as store:
        assert repair.differences(store) == []
        assert repair.damage(store) == []
        ((_, message, _),) = spool.waiting(store.home)
        assert b"linter" in message.payload


def test_what_was_learned_goes_when_that_is_asked_for(talked: Cli) -> None:
    said = talked.person("forget", "--session", PRIVATE, "--memories", "--yes")
    assert "forgotten: 5 events and 2 memories" in said
    assert bodies(talked.home) == ["of the other session"]
    assert files_with(talked.home, *WORDS, "insured") == {}


def test_a_session_that_is_told_again_stays_forgotten(talked: Cli) -> None:
    """Its transcript may be read anew; what happens from now on is kept."""
    talked.person("forget", "--session", PRIVATE, "--yes")
    talk(talked, PRIVATE, 1, "why did Quibblewick GmbH leave?", "Their bassoon was never delivered.")
    assert files_with(talked.home, *WORDS) == {}
    with opened(talked.home) as store:
        later = Event(EventType.PROMPT_SUBMITTED, "claude-code", PRIVATE, now() + 1_000, prompt="p9", text="go on")
        assert journal.append(store, later, Tier.FULL)


def test_the_id_that_is_shown_is_the_id_to_type(talked: Cli) -> None:
    """As long as it has to be to mean one session."""
    shown = talked.person("search", "--sessions", "Quibblewick")
    match = re.search(r"claude-code (\S+)", shown)
    assert match
    assert match[1] == PRIVATE[: len(match[1])]
    assert not OTHER.startswith(match[1])
    assert "Quibblewick" in talked.person("forget", "--session", match[1], "--yes")
    assert files_with(talked.home, "Quibblewick") == {}


@pytest.mark.parametrize(
    ("call", "says", "code"),
    [
        (["--session", "0b5e"], "fits 2 sessions (claude-code:0b5e7f7e-111, claude-code:0b5e7f7e-222)", 1),
        (["--session", "0b"], "at least four", 1),
        (["--session", "ffffffff"], "`hardwon search --sessions QUERY` shows their ids", 1),
        (["--session", PRIVATE, "abcdef"], "exclude each other", 2),
        (["abcdef", "--memories"], "--memories goes with --session", 2),
        ([], "Say what to forget", 2),
    ],
)
def test_what_is_asked_wrongly_forgets_nothing(talked: Cli, call: list[str], says: str, code: int) -> None:
    assert says in " ".join(talked.person("forget", *call, code=code).split())
    assert files_with(talked.home, *WORDS)


def test_a_script_has_to_say_yes(talked: Cli) -> None:
    """At a person's terminal, but with nobody who could answer."""
    call = [sys.executable, PERSON, "/bin/sh", "-c", f"{HARDWON} forget --session {PRIVATE} </dev/null"]
    done = subprocess.run(call, capture_output=True, env=talked.environment(), timeout=60, check=True)
    assert "Say --yes to forget without a question" in json.loads(done.stdout)["output"]
    assert files_with(talked.home, *WORDS)


def test_an_agent_is_refused(talked: Cli) -> None:
    said = talked.run("forget", "--session", PRIVATE, "--yes", code=1).stderr
    assert "comes from an agent" in said
    assert "hardwon forget --session 0b5e7f7e-111" in said
    assert files_with(talked.home, *WORDS)


def test_the_json_says_what_is_left(talked: Cli) -> None:
    said = talked.person("forget", "--session", f"claude-code:{PRIVATE[:13]}", "--yes", "--json")
    assert json.loads(said[said.index("{") :]) == {
        "session": PRIVATE, "client": "claude-code", "journal_entries": 5, "forgotten": 0, "memories_left": 2,
    }  # fmt: skip
    with opened(talked.home) as store:
        assert len(list(memories.all_memories(store))) == 3
