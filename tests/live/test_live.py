"""The real Claude Code with hardwon: it is seen, it is spoken to, and nobody notices a cost."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memory import Anchor, AnchorKind, Kind, Link, LinkKind
from tests.daemon.running import until
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.session import Run
from tests.live.steps import agent, bash, say, tool, use


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def unharmed(run: Run) -> None:
    """The session ended well and no hook was heard of."""
    assert run.code == 0
    assert not run.is_error
    assert run.stderr == ""
    # A client that is about to leave ends what runs in the background; what that was about is made up later.
    ended = [hook for hook in run.hooks if hook.get("outcome") != "cancelled"]
    heard_of = [hook for hook in ended if hook.get("exit_code") != 0 or hook.get("stderr")]
    assert not heard_of


def test_a_prompt_brings_back_what_fits(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The memory is in the first request that the model gets, once; an unrelated prompt gets silence."""
    live.keep("The staging deploy needs the VPN", Kind.LESSON)
    model.script(say("ok"), say("ok"))
    run = claude.run("deploy to staging please")
    unharmed(run)
    assert model.text_of(model.requests[0]).count("The staging deploy needs the VPN") == 1
    live.wait_for("select 1 from journal where type = 'session_ended'")  # within the client's 1.5 seconds
    claude.run("what colour should the logo have")
    assert "VPN" not in model.text_of(model.requests[1])


def test_a_session_begins_with_a_brief(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Handoff, open tasks and rules of this project are there from the start."""
    live.keep("Half of the parser is rewritten; lexer next", Kind.HANDOFF)
    live.keep("Write the migration guide", Kind.TASK)
    model.script(say("ok"))
    unharmed(claude.run("hello"))
    said = model.text_of(model.requests[0])
    assert "lexer next" in said
    assert "migration guide" in said


def test_a_known_failure_is_told_with_the_result(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Before exactly this command: what failed, and what worked."""
    failure = live.keep(
        "`make test` failed: KeyError: 'REDIS_URL'", Kind.FAILURE, anchors=(Anchor(AnchorKind.COMMAND, "make test"),)
    )
    live.keep("`make test` works after: `cp .env.example .env`", Kind.FIX, links=(Link(LinkKind.FIXES, failure),))
    (claude.project / "Makefile").write_text("test:\n\t@echo fine\n")
    model.script(use(bash("make test")), say("ok"))
    unharmed(claude.run("run it"))
    told = [model.text_of(request).count("cp .env.example .env") for request in model.requests]
    assert told[-1] == 1


def test_learned_in_one_session_and_stopped_in_the_next(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Fails and is fixed, twice; when it failed once more it is stopped with the fix, and runs when issued again."""
    (claude.project / "check.sh").write_text("test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n")
    model.script(use(bash("sh check.sh")), use(bash("touch .ready")), use(bash("sh check.sh")), say("fixed"))
    unharmed(claude.run("make the check pass"))
    live.wait_for("select 1 from memories where kind = 'fix'")
    (claude.project / ".ready").unlink()
    model.script(use(bash("sh check.sh")), use(bash("touch .ready")), use(bash("sh check.sh")), say("fixed again"))
    claude.run("check again")
    assert "touch .ready" in model.text_of(model.requests[-3])
    live.wait_for("select 1 from showings where outcome = 'helped'")
    (claude.project / ".ready").unlink()
    model.script(use(bash("sh check.sh")), say("it fails again"))
    claude.run("and here")
    live.wait_for("select 1 from memories where kind = 'failure' and status = 'active'")
    model.script(use(bash("sh check.sh")), use(bash("sh check.sh")), say("done"))
    run = claude.run("and once more")
    unharmed(run)
    refused, repeated = model.requests[-2:]
    assert "was not run" in model.text_of(refused)
    assert "touch .ready" in model.text_of(refused)
    assert "fatal: .ready is missing" in model.text_of(repeated)


def test_lessons_come_with_their_skill(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """With the Skill tool, with a typed /skill, and with reading its SKILL.md."""
    path = claude.add_skill("deploy-check", "Check the deploy.")
    live.keep("Ask for the release ticket first", skill="deploy-check")
    model.script(use(tool("Skill", skill="deploy-check")), say("ok"))
    unharmed(claude.run("check the deploy"))
    assert model.text_of(model.requests[-1]).count("Ask for the release ticket first") == 1
    model.script(say("ok"))
    claude.run("/deploy-check now")
    assert "Ask for the release ticket first" in model.text_of(model.requests[-1])
    model.script(use(tool("Read", file_path=str(path))), say("ok"))
    claude.run("read it")
    assert "Ask for the release ticket first" in model.text_of(model.requests[-1])


def test_each_failure_is_journalled_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W2: A failing Bash, a rejected Edit, an MCP error and a denied call, each exactly once, with what was printed."""
    claude.settings({**_settings(claude), "permissions": {"deny": ["Bash(curl *)"]}})
    (claude.project / "a.txt").write_text("hello\n")
    model.script(
        use(bash("exit 3")),
        use(tool("Read", file_path=str(claude.project / "a.txt"))),
        use(tool("Edit", file_path=str(claude.project / "a.txt"), old_string="not there", new_string="x")),
        use(bash("curl http://127.0.0.1:9")),
        use(tool("mcp__mem__boom")),
        use(bash("echo fine")),
        say("done"),
    )
    server = {"mem": {"command": sys.executable, "args": [str(Path(__file__).with_name("mcp_server.py"))]}}
    tools = ["Bash", "Edit", "Read", "mcp__mem__boom"]
    config = ["--mcp-config", json.dumps({"mcpServers": server})]
    run = claude.run("go", "--permission-mode", "default", *config, "--allowedTools", *tools)
    failed = live.journal(run.session_id, "tool_failed")
    assert sorted(row[0] for row in failed) == ["Bash", "Bash", "Edit", "mcp__mem__boom"]
    assert ("Bash", "exit 3") in [row[:2] for row in failed]
    assert [row[1] for row in live.journal(run.session_id, "tool_finished") if row[0] == "Bash"] == ["echo fine"]


def test_parallel_calls_are_told_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Two calls at the same time don't both bring the same memory."""
    live.keep("`make all` is slow", anchors=(Anchor(AnchorKind.COMMAND, "make all"),))
    (claude.project / "Makefile").write_text("all:\n\t@echo fine\n")
    model.script(use(bash("make all", "toolu_a"), bash("make  all", "toolu_b")), say("ok"))
    unharmed(claude.run("go"))
    assert model.text_of(model.requests[-1]).count("`make all` is slow") == 1


def test_resume_and_fork_are_not_told_again(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """What was said is still in the window after a resume."""
    live.keep("The staging deploy needs the VPN", Kind.CONSTRAINT)
    model.script(say("ok"), say("ok"), say("ok"))
    first = claude.run("deploy to staging")
    claude.run("deploy to staging again", resume=first.session_id)
    assert model.text_of(model.requests[1]).count("The staging deploy needs the VPN") == 1


def test_sub_agents_are_labelled(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """What a sub-agent did is kept as its own."""
    model.script(use(bash("false")), say("sub done"), marker="SUBTASK")
    model.script(use(agent("SUBTASK do it")), say("ok"))
    run = claude.run("delegate")
    rows = live.journal(run.session_id, "tool_failed")
    assert [row[0] for row in rows] == ["Bash"]
    assert rows[0][3] != ""


def test_after_compaction_what_holds_comes_back(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """What must hold in the project is said again when the window is new."""
    live.keep("Sessions are kept in PostgreSQL", Kind.CONSTRAINT)
    model.script(say("ok"), say("ok"))
    first = claude.run("hello there")
    claude.compact(first.session_id)
    claude.run("go on", resume=first.session_id)
    assert "Sessions are kept in PostgreSQL" in model.text_of(model.requests[-1])


def test_a_compaction_is_told_by_a_short_name(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """The client prints what it ran before and after: no command with all of its paths. What was summed up is kept."""
    model.script(say("ok"), say("ok"))
    model.summary("They counted.")
    first = claude.run("hello there")
    claude.compact(first.session_id)
    assert len(live.journal(first.session_id, "compacting")) == 1
    assert live.rows("select text from journal where type = 'compacted'") == [("<summary>They counted.</summary>",)]
    told = "".join(file.read_text("utf-8") for file in claude.config.rglob("*.jsonl"))
    shown = re.findall(r"(Pre|Post)Compact \[(.*?)\] completed successfully", told)
    assert shown == [("Pre", "plugin:hardwon:memory/hook"), ("Post", "plugin:hardwon:memory/hook")]


def test_two_sessions_at_once(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """Each is kept as its own."""
    model.script(use(bash("echo one")), say("ok"), marker="FIRST")
    model.script(use(bash("echo two")), say("ok"), marker="SECOND")
    one, two = claude.start("FIRST"), claude.start("SECOND")
    runs = [one.wait(), two.wait()]
    live.settled()
    for run, said in zip(runs, ("echo one", "echo two"), strict=True):
        unharmed(run)
        assert [row[1] for row in live.journal(run.session_id, "tool_finished")] == [said]


def test_what_hooks_missed_is_made_up(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """W20: A session without hooks is read from its transcript, in the folder that the client named after the project,
    when the next one begins; nothing counts twice."""
    model.script(use(bash("exit 4")), say("ok"))
    unseen = claude.run("quietly", "--settings", '{"disableAllHooks": true}')
    model.script(use(bash("exit 5")), say("ok"))
    seen = claude.run("hello")
    live.wait_for("select 1 from journal j join sessions s on s.row = j.session where s.id = ?", unseen.session_id)
    model.script(say("ok"))
    claude.run("again")
    assert [row[1] for row in live.journal(unseen.session_id, "tool_failed")] == ["exit 4"]
    assert [row[1] for row in live.journal(seen.session_id, "tool_failed")] == ["exit 5"]


def test_nothing_is_left(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """After the session and the idle time: no process of ours; after uninstall: no hook fires."""
    live.hardwon("config", "set", "daemon.idle_seconds", "1")
    live.settled()  # the one that runs was started with another time
    model.script(say("ok"), say("ok"))
    unharmed(claude.run("hello"))
    until(lambda: live.processes() == [], "nothing of ours runs any more")
    ours = [path for path in claude.root.rglob("*hardwon*") if live.home.root not in (path, *path.parents)]
    cache = claude.home / ".cache" / "claude-cli-nodejs"  # where the client keeps a log for each MCP server
    assert [path for path in ours if not {claude.config, cache} & set(path.parents)] == []
    live.hardwon("uninstall", "claude-code", "--yes")
    run = claude.run("hello again")
    assert run.hooks == []
    assert live.processes() == []


def _settings(claude: ClaudeCode) -> dict[str, object]:
    path = claude.config / "settings.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}
