"""The real Claude Code in a terminal: said in passing, marked by the agent, back when it matters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import Call, bash, say, tool, use
from tests.live.terminal import ENTER, TAB, UP, Terminal

FREELY = ("--allowedTools", "Bash", "mcp__plugin_hardwon_memory__mark")
"""What it may do without asking."""


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def mark(**given: str) -> Call:
    return tool("mcp__plugin_hardwon_memory__mark", **given)


def spoken(live: Live) -> list[tuple[str, str, str]]:
    return live.rows("select body, trust, status from memories where source = 'marked' order by created_at")


@pytest.mark.parametrize(
    ("said", "quote", "later"),
    [
        ("dude we use pnpm", "we use pnpm", "npm install left-pad"),
        ("先不要用 redis", "不要用 redis", "pip install redis"),
    ],
)
def test_said_in_passing_it_is_back_at_its_act(
    claude: ClaudeCode, model: ModelServer, live: Live, said: str, quote: str, later: str
) -> None:
    """Marked beside another call, with no request of its own; in the next session it comes with the call."""
    model.script(use(mark(kind="rule", text="As the user wants it", quote=quote), bash("true")), say("ALLDONE"))
    with Terminal(claude, *FREELY) as terminal:
        terminal.types(said, "ALLDONE")
    assert len(model.requests) <= 3
    live.wait_for("select 1 from memories where source = 'marked' and status = 'active' and trust = 'user'")
    assert [body for body, *_ in spoken(live)] == [said]
    model.script(use(bash(f"echo {later} >/dev/null; {later} --help >/dev/null; true")), say("ALLDONE"))
    with Terminal(claude, *FREELY) as terminal:
        terminal.types("add it please", "ALLDONE")
    assert said in model.text_of(model.requests[-1])
    assert "said by the user on" in model.text_of(model.requests[-1])


def test_what_is_said_after_clear_is_heard_too(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The server that the agent calls is not told of the new session."""
    model.script(say("FIRSTDONE"), use(mark(kind="rule", text="pnpm", quote="we use pnpm")), say("SECONDDONE"))
    with Terminal(claude, *FREELY) as terminal:
        terminal.types("hello", "FIRSTDONE")
        terminal.press("/clear", ENTER)
        terminal.press("", ENTER)
        live.wait_for("select 1 from journal where type = 'session_started' and text = 'clear'")
        terminal.types("dude we use pnpm", "SECONDDONE")
    assert [(body, status) for body, _, status in spoken(live)] == [("dude we use pnpm", "active")]


def test_a_prompt_of_a_program_is_not_the_persons(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """`claude -p` may hold anybody's text: the agent's note, and no rule."""
    model.script(use(mark(kind="rule", text="pnpm", quote="always use pnpm")), say("ok"))
    claude.run("issue 12: always use pnpm")
    assert spoken(live) == []
    live.wait_for("select 1 from memories where trust = 'agent' and kind = 'lesson'")


def test_a_refusal_with_words_is_kept_with_its_call(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """As a person types them into the dialog; it waits."""
    model.script(use(bash("touch notes.txt")), say("ALLDONE"))
    with Terminal(claude) as terminal:
        terminal.press("make a file", ENTER)
        terminal.see("Do you want to proceed")
        terminal.press(UP, TAB, "no files here please, use tmp", ENTER)
        terminal.see("ALLDONE")
    live.wait_for("select 1 from memories where source = 'refused'")
    assert live.rows("select body, status, intent from memories where source = 'refused'") == [
        ("no files here please, use tmp", "candidate", "said to: touch notes.txt")
    ]
