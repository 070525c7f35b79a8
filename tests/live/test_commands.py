"""hardwon's slash commands, its skill and the tools `check` and `mark`, on the real Claude Code.

`why`, `wrong`, `forget` and `status` are in `tests/setup/test_real_client.py`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from hardwon.hook import install
from hardwon.memory import Anchor, AnchorKind, Kind, Link, LinkKind
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import bash, say, tool, use
from tests.live.test_live import unharmed

TOOL = "mcp__plugin_hardwon_memory__"
ENDED = "select 1 from journal where type = 'session_ended'"


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def keep_failure(live: Live) -> None:
    """`make test` has failed, and what helped is known."""
    failed = "`make test` failed: KeyError: 'REDIS_URL'"
    failure = live.keep(failed, Kind.FAILURE, anchors=(Anchor(AnchorKind.COMMAND, "make test"),))
    live.keep("`make test` works after: `cp .env.example .env`", Kind.FIX, links=(Link(LinkKind.FIXES, failure),))


def test_the_check_command(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """What the user typed and how to look it up reach the model; what it then runs needs no permission, and names the
    failure with what worked."""
    keep_failure(live)
    program = shlex.quote(str(install.program(live.home)))
    model.script(use(bash(f'{program} check --command "make test"')), say("ok"))
    run = claude.run("/hardwon:check make test", "--permission-mode", "default")
    unharmed(run)
    asked, answered = model.requests[-2:]
    assert f'{program} check --command "COMMAND"' in model.text_of(asked)
    assert "about exactly this:\n\nmake test\n" in model.text_of(asked)
    assert "REDIS_URL" not in model.text_of(asked), "only when it is asked"
    assert "What worked: `make test` works after: `cp .env.example .env`" in model.news_of(answered)


def test_the_mark_command(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """A decision that the user typed is kept with its reason and what was turned down, and comes back."""
    program = shlex.quote(str(install.program(live.home)))
    kept = f"{program} mark decision 'Sessions live in PostgreSQL' --because 'one store to back up'"
    model.script(use(bash(f"{kept} --rejected 'Redis: loses data' --subject 'session store'")), say("ok"))
    typed = "decision Sessions live in PostgreSQL, one store to back up; not Redis, it loses data"
    run = claude.run(f"/hardwon:mark {typed}", "--permission-mode", "default")
    unharmed(run)
    asked = model.text_of(model.requests[-2])
    assert typed in asked
    assert f'{program} mark KIND "TEXT"' in asked
    rows = live.rows("select kind, body, because, status from memories")
    assert rows == [("decision", "Sessions live in PostgreSQL", "one store to back up", "active")]
    live.wait_for(ENDED)
    model.script(say("ok"))
    claude.run("let us use Redis for the sessions")
    assert "one store to back up" in model.text_of(model.requests[-1])


def test_the_model_calls_check(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W49: the tools are offered to the model, and `check` names what failed in an earlier session and what helped."""
    (claude.project / "check.sh").write_text("test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n")
    model.script(use(bash("sh check.sh")), use(bash("touch .ready")), use(bash("sh check.sh")), say("fixed"))
    unharmed(claude.run("make the check pass"))
    live.wait_for("select 1 from memories where kind = 'fix'")
    asked = [
        use(tool(f"{TOOL}check", command="sh check.sh")),
        use(tool(f"{TOOL}check", error="fatal: .ready is missing")),
        use(tool(f"{TOOL}check", command="sh another.sh")),
    ]
    model.script(*asked, say("ok"))
    unharmed(claude.run("what do we know"))
    by_command, by_error, by_nothing = model.requests[-3:]
    assert {f"{TOOL}check", f"{TOOL}mark", f"{TOOL}note", f"{TOOL}recall"} <= {
        one["name"] for one in by_command["tools"]
    }
    for request in (by_command, by_error):
        assert "fatal: .ready is missing" in model.news_of(request)
        assert "touch .ready" in model.news_of(request)
    assert "Nothing is known about this." in model.news_of(by_nothing)


def test_the_model_calls_mark(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The memory is there afterwards, as the agent's word and with the session that it is from, and a later session
    is told of it."""
    mark = tool(
        f"{TOOL}mark", kind="decision", text="Use pnpm in the frontend", because="the lock file is pnpm's",
        rejected=["npm: it writes a second lock file"],
    )  # fmt: skip
    model.script(use(mark), say("ok"))
    run = claude.run("remember what we decided")
    unharmed(run)
    ((kind, trust, because, evidence),) = live.rows("select kind, trust, because, evidence from memories")
    assert (kind, trust, because) == ("decision", "agent", "the lock file is pnpm's")
    assert run.session_id in evidence
    live.wait_for(ENDED)
    model.script(say("ok"))
    claude.run("why not use npm in the frontend?")
    assert "Use pnpm in the frontend" in model.text_of(model.requests[-1])


def test_the_skill_tells_of_the_tools(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The client offers it by its description; loaded, it names the tools by what they are for."""
    model.script(use(tool("Skill", skill="hardwon:hardwon")), say("ok"))
    unharmed(claude.run("how do I use the memory"))
    said = model.text_of(model.requests[-1])
    assert "hardwon:hardwon" in said
    for name in ("check", "mark", "recall", "note"):
        assert f"`{name}`" in said
