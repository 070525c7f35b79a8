"""`hardwon setup` and `hardwon uninstall` as a user meets them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.claude_code.messages import HOOKS
from hardwon.paths import Home
from tests.commandline import HARDWON, Cli
from tests.setup.machine import tree

ANSWER = str(Path(__file__).with_name("answer.py"))


@pytest.fixture
def config(cli: Cli) -> Path:
    """Where Claude Code has its settings: with a key and a hook of somebody else."""
    folder = cli.home.parent / ".claude"
    folder.mkdir(mode=0o700)
    (folder / "settings.json").write_text('{\n  "model": "opus",\n  "hooks": {}\n}\n')
    return folder


def answering(cli: Cli, answers: str, *arguments: str, code: int = 0) -> str:
    """Run it at a terminal, and type `y` or `n` at each question."""
    done = subprocess.run(
        [sys.executable, ANSWER, answers, HARDWON, *arguments],
        capture_output=True,
        cwd=cli.folder,
        env=cli.environment(),
        timeout=120,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["code"] == code, answer
    return str(answer["output"])


def hooks(cli: Cli) -> list[tuple[str, dict[str, Any]]]:
    """What the plugin registers."""
    file = cli.home / "clients" / "claude-code" / "plugins" / "hardwon" / "hooks" / "hooks.json"
    return [(event, group) for event, groups in json.loads(file.read_text())["hooks"].items() for group in groups]


def registered(cli: Cli, config: Path) -> list[tuple[str, dict[str, Any]]]:
    """What the client runs: the user's hooks, or the plugin's."""
    settings = json.loads((config / "settings.json").read_text())
    found = [(event, group) for event, groups in settings.get("hooks", {}).items() for group in groups]
    return found or hooks(cli)


def test_setup_and_uninstall(cli: Cli, config: Path) -> None:
    """What is done is said, and undone to the byte; the memory stays."""
    cli.run("note", "the tests need redis")
    before = tree(config)
    done = cli.run("setup", "--yes")
    assert "settings.json" in done.stdout
    assert '+    "hardwon@hardwon-local": true' in done.stdout
    assert "is set up" in done.stdout
    assert cli.run("setup").stdout == "Claude Code is set up already: nothing to change\n"
    done = cli.run("uninstall", "--yes")
    assert tree(config) == before
    assert not (cli.home / "hook").exists()
    assert not (cli.home / "clients").exists()
    assert f"The memory stays in {cli.home}" in done.stdout
    assert cli.json("recall", "redis")["silent"] is False


def test_what_matters_comes_first(cli: Cli, config: Path) -> None:
    """The client's own files, line by line; of hardwon's own how many there are, and each of them in a dry run."""
    whole = cli.run("setup", "--dry-run").stdout.splitlines()
    listed = [line for line in whole if str(cli.home) in line and line.startswith("  create")]
    assert len(listed) > 10
    shown = cli.run("setup", "--yes").stdout.splitlines()
    changes = [line for line in shown if line.startswith(("  create", "  edit"))]
    assert [line.split()[1] for line in changes[:2]] == [
        str(config / "plugins" / "known_marketplaces.json"),
        str(config / "settings.json"),
    ]
    assert changes[2:] == [f"  create  {len(listed)} files of hardwon's own in {cli.home} (--dry-run lists each)"]
    assert whole.index(listed[0]) > whole.index(next(line for line in whole if "settings.json" in line))


def test_without_a_person_setup_needs_yes(cli: Cli, config: Path) -> None:
    """Nobody to ask means no."""
    before = tree(cli.home.parent)
    assert "Nothing was changed. Say --yes" in cli.run("setup", code=1).stderr
    assert tree(cli.home.parent) == before


def test_a_person_is_asked(cli: Cli, config: Path) -> None:
    """`n` changes nothing, `y` does it; a second time there is nothing to ask."""
    before = tree(cli.home.parent)
    answering(cli, "n", "setup", code=1)
    assert tree(cli.home.parent) == before
    answering(cli, "y", "setup")
    assert "nothing to change" in answering(cli, "", "setup")
    answering(cli, "n", "uninstall", code=1)
    assert "enabledPlugins" in (config / "settings.json").read_text()
    answering(cli, "y", "uninstall")
    assert tree(cli.home.parent) == before


@pytest.mark.parametrize("options", [[], ["--user-hooks"]])
def test_a_dry_run_changes_nothing(cli: Cli, config: Path, options: list[str]) -> None:
    """Neither does it make the home."""
    before = tree(cli.home.parent)
    shown = cli.json("setup", "claude-code", "--dry-run", *options)
    assert shown["dry_run"] is True
    assert tree(cli.home.parent) == before
    changes = {change["path"]: change for change in shown["clients"][0]["changes"]}
    assert changes[str(config / "settings.json")]["change"] == "edit"
    cli.run("setup", "--yes", *options)
    before = tree(cli.home.parent)
    assert "dry run" in cli.run("uninstall", "--dry-run").stdout
    assert tree(cli.home.parent) == before


def test_keys_are_not_shown(cli: Cli, config: Path) -> None:
    """A diff has lines of the user's own around it."""
    key = "gh" + "p_" + "a1B2" * 9
    (config / "settings.json").write_text(json.dumps({"env": {"TOKEN": key}}, indent=1))
    assert key not in cli.run("setup", "--dry-run").stdout
    assert key not in cli.run("setup", "--dry-run", "--json").stdout


def test_without_the_client(cli: Cli) -> None:
    """No folder and no program: there is nothing to set up."""
    before = tree(cli.home.parent)
    said = cli.run("setup", "--yes", code=1).stderr
    assert "Claude Code was not found" in said
    assert str(cli.home.parent / ".claude") in said
    assert tree(cli.home.parent) == before


def test_a_client_that_was_never_started(cli: Cli, tmp_path: Path) -> None:
    """The program on the PATH is enough; CLAUDE_CONFIG_DIR says where its settings go."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    env = {"PATH": f"{program.parent}:{os.defpath}", "CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    cli.run("setup", "--yes", env=env)
    assert (tmp_path / "elsewhere" / "settings.json").exists()
    cli.run("uninstall", "--yes")
    assert not (tmp_path / "elsewhere").exists()


def test_an_unknown_client(cli: Cli) -> None:
    """The ones that are known are named."""
    said = cli.run("setup", "codec", code=2).stderr
    assert 'There is no client "codec". Known: claude-code, codex, opencode, kilo, pi.' in said


def test_settings_that_cannot_be_read(cli: Cli, config: Path) -> None:
    """One sentence, no traceback, no change."""
    (config / "settings.json").write_text("{ // mine\n}")
    before = tree(cli.home.parent)
    said = cli.run("setup", "--yes", code=1).stderr
    assert said.count("\n") == 1
    assert "mend it and run this again. Nothing was changed." in said
    assert tree(cli.home.parent) == before


def test_uninstall_without_setup(cli: Cli, config: Path) -> None:
    """There is nothing to do, and that is no failure."""
    before = tree(cli.home.parent)
    assert "has nothing of hardwon" in cli.run("uninstall").stdout
    assert tree(cli.home.parent) == before


def test_uninstall_with_another_home(cli: Cli, config: Path) -> None:
    """The client stays connected to its memory, and nobody is told that it is not."""
    cli.run("setup", "--yes")
    before = tree(config)
    done = cli.elsewhere(cli.home.parent / "other").run("uninstall", "--yes")
    assert tree(config) == before
    assert done.stdout == ""
    assert f"`HARDWON_HOME={cli.home} hardwon uninstall`" in done.stderr


def test_uninstall_stops_the_daemon(cli: Cli, config: Path) -> None:
    """Nothing of it runs afterwards."""
    cli.run("setup", "--yes")
    cli.run("daemon", "start")
    assert cli.json("uninstall", "--yes")["daemon_stopped"] is True
    assert not (cli.home / "daemon.sock").exists()


def test_purge_asks_again(cli: Cli, config: Path) -> None:
    """Taking it out is one question, erasing the memory another; what is not ours stays."""
    cli.run("note", "the tests need redis")
    cli.run("setup", "--yes")
    answering(cli, "yn", "uninstall", "--purge")
    assert (cli.home / "memory.db").exists()
    assert not (cli.home / "hook").exists()
    (cli.home / "mine.txt").write_text("mine")
    said = answering(cli, "y", "uninstall", "--purge")
    assert "not ours: mine.txt" in said
    assert [path.name for path in cli.home.iterdir()] == ["mine.txt"]
    (cli.home / "mine.txt").unlink()
    cli.run("note", "the tests need redis")
    cli.person("uninstall", "--purge", "--yes")
    assert not cli.home.exists()


def test_an_agent_cannot_purge(cli: Cli, config: Path) -> None:
    """The memory holds what a person said."""
    cli.run("note", "the tests need redis")
    before = tree(cli.home.parent)
    assert "for a person at a terminal" in cli.run("uninstall", "--purge", "--yes", code=1).stderr
    assert tree(cli.home.parent) == before


@pytest.mark.parametrize("options", [[], ["--user-hooks"]])
def test_every_hook_is_registered(cli: Cli, config: Path, options: list[str]) -> None:
    """Each with its matcher and a timeout; a command in the background where no answer is due."""
    cli.run("setup", "--yes", *options)
    there = registered(cli, config)
    calls = {event for event, group in there if group["hooks"][0]["type"] == "mcp_tool"}
    expected = [
        (hook.event, hook.matcher, not hook.limit and not hook.waits and hook.event not in calls) for hook in HOOKS
    ]
    found = [(event, group.get("matcher", ""), group["hooks"][0].get("async", False)) for event, group in there]
    assert sorted(found) == sorted(expected)
    assert all(group["hooks"][0]["timeout"] >= 1 for _, group in there)
    commands = [(event, json.dumps(group["hooks"][0])) for event, group in there]
    assert len(set(commands)) == len(HOOKS), "the client runs equal commands once"


def test_in_a_plugin_some_hooks_are_calls_to_our_server(cli: Cli, config: Path) -> None:
    """They cost no process. Those that come before the server is connected, or when it has left, are commands."""
    cli.run("setup", "--yes")
    calls = {event: group["hooks"][0] for event, group in hooks(cli) if group["hooks"][0]["type"] == "mcp_tool"}
    each = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"}
    assert set(calls) == each | {"PreCompact", "PostCompact"}
    assert {call["server"] for call in calls.values()} == {"plugin:hardwon:memory"}
    for call in calls.values():
        assert call["input"]["session_id"] == "${session_id}"
        assert set(call["input"].values()) == {f"${{{name}}}" for name in call["input"]}
    plugin = cli.home / "clients" / "claude-code" / "plugins" / "hardwon"
    server = json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["memory"]
    assert server == {"command": str(cli.home / "hook" / "mcp"), "args": ["claude-code"]}


@pytest.mark.parametrize("options", [[], ["--user-hooks"]])
def test_the_command_needs_nothing_but_the_interpreter(cli: Cli, config: Path, options: list[str]) -> None:
    """W1: what was installed runs by itself: no launcher, no environment, no login shell, no PATH; also with blanks and
    quotes in the home."""
    other = cli.elsewhere(cli.home.parent / 'it\'s a "home" $HOME `x`')
    other.run("setup", "--yes", *options)
    client = other.home / "hook" / "client.py"
    client.write_text("import sys; print(*sys.argv[3:], flush=True); raise SystemExit(3)")
    ran = [group["hooks"][0] for _, group in registered(other, config)]
    for command in (hook["command"] for hook in ran if hook["type"] == "command"):
        words = shlex.split(command)
        assert words[1:3] == ["-I", "-S"]
        assert words[3:6] == [str(client), str(Home(other.home).socket), "claude-code"]
        assert words[-3:] == ["2>/dev/null", "||", ":"]
        python = Path(words[0])
        assert python.is_absolute()
        assert not python.is_relative_to(sys.prefix)
        assert python.read_bytes()[:2] != b"#!"
        done = subprocess.run(["/bin/sh", "-c", command], env={}, capture_output=True, timeout=20, check=True)
        assert done.stdout == f"{words[6]} {words[7]}\n".encode(), "it ran, and its failure is nobody's"
    other.run("uninstall", "--yes")
    assert json.loads((config / "settings.json").read_text()) == {"model": "opus", "hooks": {}}


def test_what_the_agent_is_given_runs(cli: Cli, config: Path) -> None:
    """The skill and the commands call the command line by its path, with this memory, from any environment."""
    other = cli.elsewhere(cli.home.parent / "it's a home")
    other.run("setup", "--yes")
    plugin = other.home / "clients" / "claude-code" / "plugins" / "hardwon"
    texts = [path.read_text() for path in plugin.rglob("*.md")]
    assert not any("@" in text for text in texts)
    program = shlex.quote(str(other.home / "hook" / "hardwon"))
    assert sum(program in text for text in texts) == 8
    done = subprocess.run(
        ["/bin/sh", "-c", f"{program} note 'kept from an agent' && {program} list --all"],
        env={"PATH": os.defpath},
        cwd=cli.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "kept from an agent" in done.stdout
    assert (other.home / "memory.db").exists()
    other.run("uninstall", "--yes")


def test_the_doctor_asks_the_server(cli: Cli, config: Path) -> None:
    """Before anything is remembered, too; a script that is broken is mended by whichever command comes next."""
    cli.run("setup", "--yes")
    (found,) = [one for one in cli.json("doctor")["findings"] if one["what"] == "server"]
    assert found["ok"]
    assert "note, recall" in found["says"]
    script = cli.home / "hook" / "mcp"
    right = script.read_text()
    script.write_text(right.replace("-x /", "-x /nowhere/"))
    (found,) = [one for one in cli.json("doctor")["findings"] if one["what"] == "server"]
    assert found["ok"]
    assert script.read_text() == right
    cli.run("uninstall", "--yes")


def test_the_doctor_removes_what_was_left_half_written(cli: Cli, config: Path) -> None:
    """By a process that was killed long ago; never what may be being written just now."""
    cli.run("setup", "--yes")
    spool = cli.home / "spool"
    spool.mkdir(mode=0o700, exist_ok=True)
    for name in ("old.draft", "new.draft"):
        (spool / name).touch(mode=0o600)
    os.utime(spool / "old.draft", (0, 0))
    cli.json("doctor", "--fix")
    assert [path.name for path in spool.iterdir()] == ["new.draft"]
    cli.run("uninstall", "--yes")


def test_the_doctor_names_a_socket_folder_that_is_not_ours_alone(cli: Cli, config: Path) -> None:
    """Nobody speaks to whoever listens there, so it is said why nothing is answered."""
    far = Cli(cli.home.with_name("h" * 100), cli.folder)
    folder = Home(far.home).socket.parent
    (cli.home.parent / "elsewhere").mkdir(mode=0o700)
    far.run("setup", "--yes")
    folder.symlink_to(cli.home.parent / "elsewhere")
    try:
        found = {one["what"]: one for one in far.json("doctor", code=1)["findings"]}
        assert not found["daemon"]["ok"]
        assert f"{folder} is not a folder of yours alone" in found["daemon"]["says"]
        far.run("uninstall", "--yes")
    finally:
        folder.unlink()


def test_hooks_and_commands_meet_whatever_the_session(cli: Cli, config: Path) -> None:
    """A home with a long path: set up after a login, used from cron, where XDG_RUNTIME_DIR is another or none."""
    far = Cli(cli.home.with_name("h" * 100), cli.folder)
    login = {"XDG_RUNTIME_DIR": str(cli.home.parent)}
    far.run("setup", "--yes", env=login)
    far.run("daemon", "start")
    assert far.json("daemon", "status", env=login)["running"]
    found = {one["what"]: one for one in far.json("doctor")["findings"]}
    assert found["claude-code"]["ok"]
    assert "a call takes" in found["hook"]["says"]
    assert far.json("daemon", "status", env=login)["messages"] > 0
    far.run("uninstall", "--yes", env=login)
    assert not Home(far.home).socket.parent.exists()


def test_settings_with_nothing_but_a_byte_order_mark(cli: Cli, config: Path) -> None:
    """They are as good as empty, also where they are looked at for a remark and for settings of earlier tools."""
    (config / "settings.json").write_bytes(b"\xef\xbb\xbf")
    before = tree(config)
    assert "is set up" in cli.run("setup", "--yes").stdout
    cli.run("uninstall", "--yes")
    assert tree(config) == before
