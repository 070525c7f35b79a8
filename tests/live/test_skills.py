"""What a skill taught, on the real Claude Code: kept in one session, there when the skill is loaded in the next."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Iterator

import pytest

from hardwon.hook import install
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.session import Run
from tests.live.steps import Request, bash, say, tool, use
from tests.live.test_live import unharmed

SKILL = "deploy-check"
TOOL = "mcp__plugin_hardwon_memory__"


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    claude.add_skill(SKILL, "Check the deploy.")
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def load_skill(claude: ClaudeCode, model: ModelServer, name: str = SKILL) -> tuple[Run, Request]:
    """A session that loads the skill, and the request that follows its loading."""
    model.script(use(tool("Skill", skill=name)), say("ok"))
    run = claude.run("use the skill")
    unharmed(run)
    return run, model.requests[-1]


def places(request: Request, text: str) -> dict[str, int]:
    """How often a text stands in the parts of a request: what is cached before, and the messages at the end."""
    messages = [json.dumps(message, ensure_ascii=False) for message in request["messages"]]
    return {
        "prefix": json.dumps([request.get("system"), request.get("tools"), messages[:-1]]).count(text),
        "tail": messages[-1].count(text),
    }


def test_noted_by_the_agent(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Both tools are offered from the first request on; a lesson that a call kept rides with the skill's result."""
    note = tool(f"{TOOL}note", text="The region must be given first", skill=SKILL, type="gotcha")
    model.script(use(note), use(tool(f"{TOOL}recall", query="deploy region given first", skill=SKILL)), say("ok"))
    run = claude.run("remember it")
    unharmed(run)
    assert {f"{TOOL}note", f"{TOOL}recall"} <= {one["name"] for one in model.requests[-1]["tools"]}
    assert "Kept as " in model.text_of(model.requests[-2])
    assert "The region must be given first" in model.news_of(model.requests[-1])
    ((session, author),) = live.rows("select evidence, author from memories")
    assert run.session_id in session
    assert author == "claude-code"
    _, request = load_skill(claude, model)
    assert places(request, "The region must be given first") == {"prefix": 0, "tail": 1}
    assert f'<skill-memory skill=\\"{SKILL}\\">' in json.dumps(request["messages"][-1])


def test_noted_and_flushed_by_command(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """From inside the session, as an agent without MCP does."""
    program = shlex.quote(str(install.program(live.home)))
    (claude.project / "summary.md").write_text("# Done\n\n## Lessons\n\n- The dry run hides the quota error\n")
    note = f"{program} note 'Ask for the release ticket' --skill {SKILL}"
    flush = f"{program} flush --skill {SKILL} --summary-file summary.md"
    model.script(use(bash(note)), use(bash(flush)), say("ok"))
    unharmed(claude.run("keep it"))
    assert [trust for (trust,) in live.rows("select trust from memories")] == ["agent", "agent"]
    _, request = load_skill(claude, model)
    assert places(request, "Ask for the release ticket") == {"prefix": 0, "tail": 1}
    assert places(request, "The dry run hides the quota error") == {"prefix": 0, "tail": 1}


@pytest.mark.parametrize(
    "frontmatter", [{"skill-memory": {"enabled": False}}, {"metadata": {"skill-memory": {"enabled": False}}}]
)
def test_a_skill_that_opted_out(
    claude: ClaudeCode, model: ModelServer, live: Live, frontmatter: dict[str, object]
) -> None:
    """Nothing comes with it; the lessons of the others do."""
    claude.add_skill("quiet", "Be quiet.", frontmatter)
    live.keep("Not to be shown", skill="quiet")
    live.keep("To be shown", skill=SKILL)
    _, request = load_skill(claude, model, "quiet")
    assert "Not to be shown" not in model.text_of(request)
    assert "skill-memory skill=" not in model.text_of(request)
    _, request = load_skill(claude, model)
    assert places(request, "To be shown") == {"prefix": 0, "tail": 1}


def test_what_holds_everywhere_comes_with_the_first_skill(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Once per session."""
    claude.add_skill("review", "Review it.")
    live.hardwon("note", "Read the changelog before an upgrade", "--global")
    model.script(use(tool("Skill", skill=SKILL)), use(tool("Skill", skill="review")), say("ok"))
    unharmed(claude.run("use both"))
    assert model.text_of(model.requests[-1]).count("Read the changelog before an upgrade") == 1


def test_learned_by_itself(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """A check fails while the skill is at work, and passes after a command: the next session's load tells of it."""
    (claude.project / "check.sh").write_text("test -f token || { echo 'Error: token file is missing' >&2; exit 1; }\n")
    check, mend = use(bash("sh check.sh")), use(bash("touch token"))
    model.script(use(tool("Skill", skill=SKILL)), check, mend, check, say("checked"))
    unharmed(claude.run("is the deploy ready?"))
    live.settled()
    live.awake()
    assert {skill for (skill,) in live.rows("select skill from memories where kind in ('failure', 'fix')")} == {SKILL}
    _, request = load_skill(claude, model)
    assert places(request, "touch token") == {"prefix": 0, "tail": 1}
    assert f'<skill-memory skill=\\"{SKILL}\\">' in json.dumps(request["messages"][-1])


@pytest.mark.slow
def test_ten_sessions_at_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Each with a server of its own in front of one daemon: every note is there, no session notices the others."""
    for number in range(10):
        note = tool(f"{TOOL}note", text=f"Fact of session {number} is worth keeping", skill=SKILL)
        model.script(use(note), say("ok"), marker=f"SESSION-{number}-")
    sessions = [claude.start(f"SESSION-{number}- begins") for number in range(10)]
    for session in sessions:
        # Ten clients at once write one settings file of theirs, and may complain about that: it is not about us.
        unharmed(dataclasses.replace(session.wait(120), stderr=""))
    assert live.rows("select count(*) from memories where source = 'agent'") == [(10,)]
