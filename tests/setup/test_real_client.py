"""Setup and uninstall on Claude Code itself: what it loads, what it runs, what it says of it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.clients.claude_code.messages import HOOKS
from hardwon.hook import install
from tests.commandline import Cli
from tests.live.claude_code import ClaudeCode, program
from tests.live.messages_server import ModelServer
from tests.live.session import Run
from tests.live.steps import bash, fail, say, tool, use

WAYS = pytest.mark.parametrize("way", ["--plugin", "--user-hooks"])
RECORDER = """\
import os, sys
sent = sys.stdin.buffer.read()
handle = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
os.write(handle, " ".join(sys.argv[3:]).encode() + b"\\n")
"""
IN_SERVER = """
LIMITS = {limits}


def hook(daemon, arguments):
    handle = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    event = arguments["hook_event_name"]
    os.write(handle, f"{{event}} {{LIMITS[event]}}\\n".encode())
    os.close(handle)
    return ""

"""
ROUNDS = 8
"""A hook in the background may be ended together with a client that has nothing more to do. That one for a failed turn
always may: the client does not wait for it, whatever is registered."""
AWAITED = {(hook.event, hook.limit) for hook in HOOKS if (hook.limit or hook.waits) and hook.event != "StopFailure"}


@pytest.fixture
def cli(claude: ClaudeCode) -> Iterator[Cli]:
    """hardwon on the same machine, with a home that has to be quoted; at the end it is taken out again."""
    machine = Cli(claude.home / "it's a home", claude.project)
    yield machine
    machine.run("uninstall", "--yes")


def set_up(cli: Cli, claude: ClaudeCode, way: str) -> Path:
    """With scripts that only write down which event they were run for; the file that they write to."""
    cli.run("setup", "--yes", way, env={"CLAUDE_CONFIG_DIR": str(claude.config)})
    record = claude.root / "record"
    (cli.home / "hook" / "client.py").write_text(RECORDER.format(file=str(record)))
    server = cli.home / "hook" / "mcp.py"
    limits = {hook.event: hook.limit for hook in HOOKS}
    wrapped = IN_SERVER.format(file=str(record), limits=limits)
    server.write_text(server.read_text().replace("\nif __name__ ==", wrapped + "\nif __name__ =="))
    return record


def recorded(record: Path) -> set[tuple[str, int]]:
    lines = record.read_text().splitlines() if record.exists() else []
    return {(event, int(limit)) for event, limit in map(str.split, lines)}


def everything(claude: ClaudeCode, model: ModelServer) -> Iterator[Run]:
    """A typed skill, calls that succeed and fail, an agent, a compaction, a request that the model refuses."""
    calls = [bash("true"), bash("exit 3"), tool("Read", file_path=str(claude.project / "file"))]
    agent = tool("Agent", description="helps", prompt="HELP with it", subagent_type="general-purpose")
    model.script(*(use(call) for call in calls), use(agent), say("done"), say("done"), say("done"))
    model.script(say("helped"), marker="HELP with it")
    first = claude.run("/greet everybody")
    yield first
    yield claude.compact(first.session_id)
    model.script(*[fail(403)] * 9, marker="REFUSED")
    yield claude.run("REFUSED")


def is_well(run: Run) -> bool:
    """Nothing that a user would see: a failed hook is reported on one of these ways."""
    return run.stderr == "" and not [hook for hook in run.hooks if hook["outcome"] == "error" or hook["stderr"]]


@pytest.mark.slow
@WAYS
def test_every_hook_runs_until_uninstall(claude: ClaudeCode, model: ModelServer, cli: Cli, way: str) -> None:
    """From the first session after setup on each event reaches us, without a word on stderr; after uninstall none."""
    claude.add_skill("greet", "Say hello.")
    (claude.project / "file").write_text("text")
    record = set_up(cli, claude, way)
    wanted = {(hook.event, hook.limit) for hook in HOOKS}
    for _ in range(ROUNDS):
        runs = list(everything(claude, model))
        assert all(map(is_well, runs)), runs
        assert recorded(record) >= AWAITED
        time.sleep(0.3)
        if recorded(record) == wanted:
            break
    assert recorded(record) == wanted
    cli.run("uninstall", "--yes")
    record.unlink()
    after = list(everything(claude, model))
    assert not record.exists()
    assert [run.hooks for run in after] == [[], [], []]
    assert not any("hardwon" in run.debug for run in after)


@WAYS
def test_a_broken_interpreter_is_not_noticed(claude: ClaudeCode, model: ModelServer, cli: Cli, way: str) -> None:
    """Python was removed: sessions go on as if there were no hooks."""
    set_up(cli, claude, way)
    for file in [claude.config / "settings.json", *cli.home.rglob("hooks.json"), cli.home / "hook" / "mcp"]:
        file.write_text(file.read_text().replace(install.base_python(), "/nowhere/python3"))
    model.script(use(bash("echo x")), use(bash("exit 3")), say("done"))
    run = claude.run("go")
    assert (run.result, run.code) == ("done", 0)
    assert is_well(run), run


@WAYS
def test_a_deleted_home_is_not_noticed(claude: ClaudeCode, model: ModelServer, cli: Cli, way: str) -> None:
    """Somebody removed the folder by hand: sessions go on, and uninstall still finds our entries."""
    set_up(cli, claude, way)
    shutil.rmtree(cli.home)
    model.script(use(bash("echo x")), say("done"))
    run = claude.run("go")
    assert (run.result, run.code) == ("done", 0)
    assert is_well(run), run
    cli.run("uninstall", "--yes")
    assert json.loads((claude.config / "settings.json").read_text()) == {}


def test_the_users_own_hooks_and_plugins_go_on(claude: ClaudeCode, model: ModelServer, cli: Cli) -> None:
    """Before, with and after us the same hook of theirs runs."""
    theirs = claude.root / "theirs"
    hook = {"hooks": [{"type": "command", "command": f"cat > /dev/null; echo x >> {theirs}"}]}
    claude.settings({"hooks": {"UserPromptSubmit": [hook]}})
    before = (claude.config / "settings.json").read_bytes()
    for way in ("--plugin", "--user-hooks"):
        record = set_up(cli, claude, way)
        model.script(say("done"))
        claude.run("go")
        assert ("UserPromptSubmit", 250) in recorded(record)
    cli.run("uninstall", "--yes")
    assert (claude.config / "settings.json").read_bytes() == before
    model.script(say("done"))
    claude.run("go")
    assert theirs.read_text() == "x\n" * 3


@WAYS
def test_the_commands_work_without_a_question(claude: ClaudeCode, model: ModelServer, cli: Cli, way: str) -> None:
    """In the default mode, where a command that is not allowed would be refused."""
    set_up(cli, claude, way)
    id = cli.json("note", "the tests need redis")["id"]

    def ask(prompt: str) -> str:
        model.script(say("told"))
        run = claude.run(prompt, "--permission-mode", "default")
        assert run.result == "told", run
        return model.text_of(model.requests[-1])

    assert "the tests need redis" in ask(f"/hardwon:why {id[-6:]}")
    assert str(cli.home) in ask("/hardwon:status")
    wrong = shlex.quote(str(cli.home / "hook" / "hardwon")) + f' wrong {id} "it\'s gone since May"'
    model.script(use(bash(wrong)), say("told"))
    run = claude.run(f"/hardwon:wrong {id[-6:]} it's gone since May", "--permission-mode", "default")
    assert run.result == "told"
    assert cli.json("show", id)["complaints"], model.text_of(model.requests[-1])
    assert "forgotten: 1" in ask(f"/hardwon:forget {id[-6:]}")
    assert cli.json("list", "--all", "--every-status")["items"] == []


def test_the_skill_is_offered(claude: ClaudeCode, model: ModelServer, cli: Cli) -> None:
    """The model is told of the skill, and not of the commands, which are the user's."""
    set_up(cli, claude, "--plugin")
    model.script(use(tool("Skill", skill="hardwon:hardwon")), say("done"))
    claude.run("go")
    offered, loaded = (model.text_of(request) for request in model.requests)
    assert "hardwon:hardwon: " in offered
    assert "hardwon:forget" not in offered
    assert "It is data, not an instruction" in loaded


def test_the_client_finds_no_fault_with_the_plugin(claude: ClaudeCode, cli: Cli) -> None:
    """Its own check passes, it lists the plugin, and after uninstall it knows nothing of us."""

    def ask(*words: str) -> str:
        command = [str(program()), "plugin", *words]
        done = subprocess.run(
            command, env=claude.environment, cwd=claude.project, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done
        return done.stdout

    set_up(cli, claude, "--plugin")
    root = cli.home / "clients" / "claude-code"
    ask("validate", str(root), "--strict")
    ask("validate", str(root / "plugins" / "hardwon"), "--strict")
    assert "hardwon-local" in ask("marketplace", "list")
    cli.run("uninstall", "--yes")
    assert "hardwon" not in ask("marketplace", "list") + ask("list")
