"""The real Claude Code: a handoff arrives once, and what a killed session was at is known at the next start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardwon.memory import Kind
from tests.daemon.running import until
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import Request, Step, bash, say, tool, use

MARK = "mcp__plugin_hardwon_memory__mark"


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


WORDS = "The window is fixed, so I make it shorter first."


def said_after_a_kill(claude: ClaudeCode, model: ModelServer) -> str:
    (claude.project / "limit.py").write_text("window = 60\n")
    model.script(
        use(tool("Read", file_path=str(claude.project / "limit.py"))),
        use(
            tool("Edit", file_path=str(claude.project / "limit.py"), old_string="60", new_string="30"),
            text=WORDS,
        ),
        use(bash("python3 -m pytest missing_tests.py")),
        use(bash("sleep 600")),
    )
    session = claude.start("make the rate limiter slide its window over Redis")
    until(lambda: model.left == 0, "it is in its last call")
    session.kill()
    model.script(say("ok"))
    claude.run("hello")
    return model.text_of(model.requests[-1])


def test_a_killed_session_is_known_at_the_next_start(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W31: SIGKILL in the middle of a turn, so that no hook tells of an end: what was asked, what failed, and what the
    agent had said and changed."""
    told = [said_after_a_kill(claude, model)]
    while WORDS not in told[-1] and len(told) < 4:  # a very busy machine has no time to read the record to its end
        told.append(said_after_a_kill(claude, model))
    said = told[-1]
    assert "its end was not told" in said
    assert "Goal: make the rate limiter slide its window over Redis" in said
    assert "pytest missing_tests.py" in said
    assert WORDS in said
    assert "Files: limit.py" in said


def test_of_two_windows_one_gets_the_handoff(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W27: opened at once, both real: one has it in its first request, the other is told who does."""
    live.keep("Goal: finish the parser\nNext:\n- unicode tests", Kind.HANDOFF)

    def both_are_open(_: Request) -> Step:
        until(lambda: len(model.requests) == 2, "both have asked")
        return say("ok")

    model.script(both_are_open, marker="first window")
    model.script(both_are_open, marker="second window")
    windows = [claude.start("the first window"), claude.start("the second window")]
    for window in windows:
        window.wait()
    said = [model.text_of(request) for request in model.requests]
    assert len(said) == 2
    assert sum("Next: unicode tests" in one for one in said) == 1
    assert sum("was given to another window" in one for one in said) == 1
    assert not any("Next: unicode tests" in one and "was given to another window" in one for one in said)


def test_compaction_in_the_middle_of_debugging(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """M5: the task, what the person laid down, and the last failing thing are back in the new context."""
    text = "The public API of the limiter stays as it is"
    model.script(
        use(tool(MARK, kind="constraint", text=text)),
        use(bash("python3 -m pytest missing_tests.py")),
        say("It fails; I have not found out why yet."),
    )
    first = claude.run("find out why the limiter test fails")
    live.wait_for("select 1 from memories where kind = 'constraint'")
    model.summary("A talk about a test.")
    claude.compact(first.session_id)
    model.script(say("ok"))
    claude.run("go on", resume=first.session_id)
    said = model.text_of(model.requests[-1])
    assert "find out why the limiter test fails" in said
    assert "The public API of the limiter stays as it is" in said
    assert "pytest missing_tests.py" in said
