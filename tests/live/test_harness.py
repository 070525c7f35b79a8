"""Does the harness see what it must? Each proof is a real session of Claude Code with hooks that only record."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.live.claude_code import ClaudeCode
from tests.live.messages_server import ModelServer
from tests.live.recorder import Recorder, context, deny
from tests.live.steps import Request, Step, agent, bash, fail, say, tool, use

MODELS = ["claude-opus-5-5", "claude-sonnet-5", "claude-sonnet-4-5"]
"""Each gets what hooks say in another place: a system message, a reminder in one, a reminder in the user's."""

LONG = "exec tail -f /dev/null"
"""A command that does not end. The client refuses `sleep 60`."""


@pytest.fixture(autouse=True)
def recorded(claude: ClaudeCode, recorder: Recorder) -> None:
    """Every event is recorded unless a test sets other hooks."""
    claude.settings(recorder.hooks())


def test_a_command_that_works(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """A whole session: the events in order, the result, the transcript, and nothing else asked of the model."""
    model.script(use(bash("echo one; echo two >&2"), thinking="hm"), say("done"))
    run = claude.run("look around")
    assert (run.code, run.result, run.is_error, run.stderr) == (0, "done", False, "")
    assert recorder.names() == [
        *("SessionStart", "UserPromptSubmit"),
        *("PreToolUse", "PostToolUse", "PostToolBatch"),
        *("Stop", "SessionEnd"),
    ]
    (used,) = recorder.events("PostToolUse")
    assert (used["session_id"], used["tool_response"]["stdout"]) == (run.session_id, "one\ntwo")
    assert [hook["hook_event"] for hook in run.hooks] == recorder.names()[:-1]
    assert (len(model.requests), model.left, model.overrun, model.unexpected) == (2, 0, 0, [])
    assert "look around" in model.text_of(model.requests[0])
    assert "one\ntwo" in model.news_of(model.requests[1])
    assert "look around" not in model.news_of(model.requests[1])
    said = [line["message"]["content"] for line in claude.transcript(run.session_id) if line["type"] == "assistant"]
    assert [block["type"] for (block,) in said] == ["thinking", "tool_use", "text"]


def test_a_command_that_fails(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """It is told as a failure, with what was printed."""
    model.script(use(bash("echo out; echo err >&2; exit 3")), say("done"))
    claude.run("go")
    (failed,) = recorder.events("PostToolUseFailure")
    assert failed["error"] == "Exit code 3\nout\nerr"
    assert not recorder.events("PostToolUse")


def test_an_edit_that_is_rejected(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """A call that does not fit is told with its batch alone."""
    file = claude.project / "calc.py"
    file.write_text("x = 1\n")
    edit = tool("Edit", file_path=str(file), old_string="NOT THERE", new_string="y")
    model.script(use(tool("Read", file_path=str(file))), use(edit), say("done"))
    claude.run("go")
    assert [event["tool_name"] for event in recorder.events("PreToolUse")] == ["Read"]
    (call,) = recorder.events("PostToolBatch")[1]["tool_calls"]
    assert call["tool_response"].startswith("<tool_use_error>String to replace not found")
    assert not recorder.events("PostToolUseFailure")


def test_a_call_that_a_hook_denies(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """It is not made, and the model hears why."""
    claude.settings(recorder.hooks({"PreToolUse": deny("use make test instead")}))
    model.script(use(bash("touch made")), say("done"))
    claude.run("go")
    assert "use make test instead" in model.news_of(model.requests[1])
    assert not (claude.project / "made").exists()
    assert not {"PostToolUse", "PostToolUseFailure"} & set(recorder.names())


def test_a_call_that_a_rule_denies(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """A rule of the user's is no failure of the tool either."""
    claude.settings({**recorder.hooks(), "permissions": {"deny": ["Bash(touch *)"]}})
    model.script(use(bash("touch made")), say("done"))
    claude.run("go")
    assert "denied" in model.news_of(model.requests[1])
    assert not {"PostToolUse", "PostToolUseFailure"} & set(recorder.names())


def test_a_tool_of_an_mcp_server(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """Its answers and its errors are told with the server's name."""
    server = Path(__file__).with_name("mcp_server.py")
    servers = {"mem": {"command": sys.executable, "args": ["-I", "-S", str(server)]}}
    model.script(use(tool("mcp__mem__recall")), use(tool("mcp__mem__boom")), say("done"))
    claude.run("go", "--mcp-config", json.dumps({"mcpServers": servers}))
    (used,), (failed,) = recorder.events("PostToolUse"), recorder.events("PostToolUseFailure")
    assert (used["tool_name"], used["tool_response"]) == ("mcp__mem__recall", [{"type": "text", "text": "RECALLED"}])
    assert (failed["mcp_server"]["name"], failed["error"]) == ("mem", "BOOM: no such table")
    assert "mcp__mem__boom" in [offered["name"] for offered in model.requests[0]["tools"]]


def test_a_skill_that_is_loaded(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """The event has its name, the model its body; what the client does not know of its head is no matter."""
    claude.add_skill("deploy-check", "Check the MOON before a deploy.", {"hardwon": {"memory": True}})
    model.script(use(tool("Skill", skill="deploy-check")), say("done"))
    claude.run("go")
    (used,) = recorder.events("PostToolUse")
    assert (used["tool_name"], used["tool_input"]["skill"]) == ("Skill", "deploy-check")
    assert "Check the MOON" in model.news_of(model.requests[1])


def test_a_sub_agent(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """It has a script of its own, and its events its id."""
    model.script(use(agent("DIGGER: find it")), say("done"))
    model.script(use(bash("echo dug")), say("found"), marker="DIGGER")
    run = claude.run("go")
    assert run.result == "done"
    (started,) = recorder.events("SubagentStart")
    within = [event for event in recorder.events() if event.get("agent_id") == started["agent_id"]]
    assert [event["hook_event_name"] for event in within] == [
        *("SubagentStart", "PreToolUse", "PostToolUse", "PostToolBatch", "SubagentStop")
    ]
    assert {event["session_id"] for event in within} == {run.session_id}
    assert (model.left, model.overrun) == (0, 0)


def test_a_session_gone_on_with(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """It keeps its id, its transcript and what was said."""
    model.script(say("one"), say("two"))
    first = claude.run("the first prompt")
    second = claude.run("the second prompt", resume=first.session_id)
    assert second.session_id == first.session_id
    assert [event["source"] for event in recorder.events("SessionStart")] == ["startup", "resume"]
    assert "the first prompt" in model.text_of(model.requests[1])
    assert "the first prompt" not in model.news_of(model.requests[1])


def test_a_fork_of_a_session(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """It has an id of its own, and knows what was said."""
    model.script(say("one"), say("two"))
    first = claude.run("the first prompt")
    second = claude.run("the second prompt", resume=first.session_id, fork=True)
    assert second.session_id != first.session_id
    assert recorder.events("SessionStart")[1]["source"] == "fork"
    assert "the first prompt" in model.text_of(model.requests[1])
    assert claude.transcript(second.session_id)


def test_a_compaction(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """The summary takes the place of what was said, and the start of the session is told again."""
    claude.settings(recorder.hooks({"SessionStart": context("SessionStart", "REMEMBER-THIS")}))
    model.script(say("one"), say("two"))
    model.summary("They counted.")
    first = claude.run("a prompt that is lost")
    claude.compact(first.session_id)
    claude.run("and now", resume=first.session_id)
    assert [event["source"] for event in recorder.events("SessionStart")] == [
        *("startup", "resume", "compact", "resume")
    ]
    assert recorder.events("PostCompact")[0]["compact_summary"] == "<summary>They counted.</summary>"
    after = model.text_of(model.requests[2])
    assert "They counted." in after
    assert "REMEMBER-THIS" in after
    assert "a prompt that is lost" not in after
    assert (model.left, model.overrun) == (0, 0)


def test_two_commands_of_one_turn(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """Each has its events, both are one batch."""
    model.script(use(bash("pwd", id="toolu_first"), bash("whoami", id="toolu_second")), say("done"))
    claude.run("go")
    assert {event["tool_use_id"] for event in recorder.events("PostToolUse")} == {"toolu_first", "toolu_second"}
    (batch,) = recorder.events("PostToolBatch")
    assert [call["tool_use_id"] for call in batch["tool_calls"]] == ["toolu_first", "toolu_second"]


@pytest.mark.parametrize("name", MODELS)
def test_what_hooks_say_comes_with_the_right_request(
    claude: ClaudeCode, model: ModelServer, recorder: Recorder, name: str
) -> None:
    """That of the start and of the prompt with the first, that of a tool with its result, whichever model it is."""
    events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"]
    claude.settings(recorder.hooks({event: context(event, f"<{event} says>") for event in events}))
    model.script(use(bash("true")), use(bash("false")), say("done"))
    claude.run("go", "--model", name)
    said = [[event for event in events if f"<{event} says>" in model.news_of(request)] for request in model.requests]
    assert said == [
        ["SessionStart", "UserPromptSubmit"],
        ["PreToolUse", "PostToolUse"],
        ["PreToolUse", "PostToolUseFailure"],
    ]
    assert all(f"<{event} says>" in model.text_of(model.requests[2]) for event in events)


def test_a_hook_in_the_background(claude: ClaudeCode, model: ModelServer) -> None:
    """Nobody waits for it; what it says comes with the next request after its end."""
    answer = json.dumps(context("PostToolUse", "LATE-WORD"))
    command = f"while [ ! -e asked ]; do sleep 0.05; done; echo '{answer}'; touch told"
    late = {"type": "command", "command": command, "if": "Bash(echo *)", "async": True}
    claude.settings({"hooks": {"PostToolUse": [{"hooks": [late]}]}})

    def asked(request: Request) -> Step:
        (claude.project / "asked").touch()
        return use(bash("while [ ! -e told ]; do sleep 0.05; done; sleep 0.5"))

    model.script(use(bash("echo one")), asked, say("done"))
    claude.run("go")
    assert "LATE-WORD" not in model.text_of(model.requests[1])
    assert "LATE-WORD" in model.news_of(model.requests[2])


def test_the_end_of_a_session(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """The client waits for what is done then, but not long: 1.5 s for hooks that do not ask for more."""
    claude.settings({"hooks": {"SessionEnd": [recorder.hook(delay=0.5)]}})
    model.script(say("done"), say("done"))
    assert claude.run("go").seconds > 0.5
    claude.settings({"hooks": {"SessionEnd": [recorder.hook(delay=20)]}})
    assert claude.run("go").seconds < 15
    assert [event["reason"] for event in recorder.events("SessionEnd")] == ["other", "other"]


def test_two_sessions_at_once(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """Both wait for the model at the same time, each has its script; one is stopped, the other is killed."""
    both = threading.Barrier(3)

    def together(request: Request) -> Step:
        both.wait(20)
        return use(bash(f"touch started-$$; {LONG}"))

    model.script(together, marker="LEFT")
    model.script(together, marker="RIGHT")
    left, right = claude.start("go LEFT"), claude.start("go RIGHT")
    both.wait(20)
    recorder.wait_for("PreToolUse", 2)
    until = time.monotonic() + 20
    while len(list(claude.project.glob("started-*"))) < 2:  # a command that is only being started may be missed
        assert time.monotonic() < until, "the commands were not started"
        time.sleep(0.02)
    assert left.running
    assert right.running
    assert right.kill().code < 0
    assert left.stop().code != 0
    (ended,) = recorder.events("SessionEnd")
    assert ended["session_id"] == left.events[0]["session_id"]


def test_a_model_that_fails(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """The turn ends with an error, and without a Stop. A StopFailure is not waited for, so it may be lost."""
    model.script(fail(403, "NO-LUCK"))
    run = claude.run("go")
    assert run.is_error
    assert "NO-LUCK" in run.result
    assert not recorder.events("Stop")


def test_a_plugin(claude: ClaudeCode, model: ModelServer, recorder: Recorder) -> None:
    """Its hooks work beside those of the settings."""
    claude.plugin_dir = claude.root / "plugin"
    (claude.plugin_dir / ".claude-plugin").mkdir(parents=True)
    (claude.plugin_dir / ".claude-plugin" / "plugin.json").write_text('{"name": "memo"}')
    (claude.plugin_dir / "hooks").mkdir()
    hooks = {"hooks": {"UserPromptSubmit": [recorder.hook(context("UserPromptSubmit", "FROM-PLUGIN"))]}}
    (claude.plugin_dir / "hooks" / "hooks.json").write_text(json.dumps(hooks))
    model.script(say("done"))
    claude.run("go")
    assert "FROM-PLUGIN" in model.text_of(model.requests[0])
    assert len(recorder.events("UserPromptSubmit")) == 2


def test_a_process_that_is_left_is_found(claude: ClaudeCode, model: ModelServer) -> None:
    """Also one that left the client's session; it is ended, and the test fails."""
    model.script(use(bash("setsid sleep 60 >/dev/null 2>&1 & echo $!")), say("done"))
    claude.run("go")
    with pytest.raises(AssertionError, match="outlived the client"):
        claude.close()


def test_a_session_that_hangs(claude: ClaudeCode, model: ModelServer) -> None:
    """It is ended in time, with all that it started."""
    model.script(use(bash(LONG)), say("done"))
    with pytest.raises(AssertionError, match="still running after 2 s"):
        claude.run("go", timeout=2)
