"""The real Claude Code in a terminal: said in passing, marked by the agent, back when it matters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from hardwon.text.speech.reminding import LINE
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import Call, Request, Step, bash, say, tool, use
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
    live.wait_for("select 1 from memories where source = 'marked' and status = 'active'")
    assert [(body, status) for body, _, status in spoken(live)] == [("dude we use pnpm", "active")]


def test_a_prompt_of_a_program_is_not_the_persons(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """`claude -p` may hold anybody's text: the agent's note, and no rule."""
    model.script(use(mark(kind="rule", text="pnpm", quote="always use pnpm")), say("ok"))
    claude.run("issue 12: always use pnpm")
    live.wait_for("select 1 from memories where trust = 'agent' and kind = 'lesson'")
    assert {status for _, _, status in spoken(live)} <= {"archived"}


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


def test_a_refused_plan_is_kept_with_its_plan(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """With what the person wants in its place; it waits."""

    def write(request: Request) -> Step:
        (path, *_) = re.findall(r"/[^\s\"]+/plans/[\w-]+\.md", json.dumps(request))
        return use(tool("Write", file_path=path, content="# Rewrite\n1. all of it in rust\n"))

    model.script(use(tool("EnterPlanMode")), write, use(tool("ExitPlanMode", plan="# Rewrite")), say("ALLDONE"))
    with Terminal(claude) as terminal:
        terminal.press("plan it please", ENTER)
        terminal.see("Would you like to proceed?")
        terminal.press(UP, "no rust, we stay with go", ENTER)
        terminal.see("ALLDONE")
    live.wait_for("select 1 from memories where source = 'refused'")
    assert live.rows("select body, status, intent from memories where source = 'refused'") == [
        ("no rust, we stay with go", "candidate", "said to: Rewrite / 1. all of it in rust")
    ]


def test_a_reminder_reaches_the_model_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """At the prompt that looks like it, in one line; the next prompts of that session have none."""
    model.script(use(bash("true")), say("FIRSTDONE"), say("SECONDDONE"), say("THIRDDONE"))
    with Terminal(claude, *FREELY) as terminal:
        terminal.types("look around please", "FIRSTDONE")
        terminal.types("from now on every handler gets a timeout", "SECONDDONE")
        terminal.types("go on", "THIRDDONE")
    with_line = [LINE in model.news_of(request) for request in model.requests]
    assert with_line == [False, False, True, False]


def test_hardwon_adds_no_request_to_the_model(claude: ClaudeCode, model: ModelServer) -> None:
    """As many as without it where nothing is marked; a mark rides beside another call."""

    def requests(*answers: Step) -> int:
        before = len(model.requests)
        model.script(*answers)
        with Terminal(claude, *FREELY) as terminal:
            terminal.types("look around please", "FIRSTDONE")
            terminal.types("from now on every handler gets a timeout", "SECONDDONE")
        return len(model.requests) - before

    plain = (use(bash("true")), say("FIRSTDONE"), use(bash("true")), say("SECONDDONE"))
    without = requests(*plain)
    wired = Live(claude)
    try:
        wired.awake()
        assert requests(*plain) == without
        marked = use(mark(kind="rule", text="A timeout", quote="every handler gets a timeout"), bash("true"))
        assert requests(*plain[:2], marked, plain[3]) == without
        wired.wait_for("select 1 from memories where trust = 'user' and status = 'active'")
    finally:
        wired.close()
