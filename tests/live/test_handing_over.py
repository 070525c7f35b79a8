"""The real Claude Code: a handoff arrives once, and what a killed session was at is known at the next start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardwon.memory import Kind
from tests.daemon.running import until
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import bash, say, use


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def test_a_handoff_arrives_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W27: in the first request of the next session, and in no later session; taken when that one has answered."""
    live.keep("Goal: finish the parser\nNext:\n- unicode tests", Kind.HANDOFF)
    model.script(say("ok"), say("ok"))
    claude.run("hello")
    assert "Next: unicode tests" in model.text_of(model.requests[0])
    until(lambda: live.rows("select 1 from handoffs where taken_at is not null"), "it was taken")
    claude.run("hello again")
    assert "unicode tests" not in model.text_of(model.requests[1])


def test_what_a_session_left_is_told_to_the_next(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """M4: the check that stood red, and what was asked."""
    model.script(
        use(bash("python3 -m pytest missing_tests.py")), say("Next I will write the missing tests."), say("ok")
    )
    claude.run("make the rate limiter use Redis")
    live.wait_for("select 1 from session_notes where kind = 'summary'")
    claude.run("hello")
    said = model.text_of(model.requests[-1])
    assert "Goal: make the rate limiter use Redis" in said
    assert "pytest missing_tests.py" in said
