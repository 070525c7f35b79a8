"""Setup and uninstall leave Codex as they found it, and a person's trust is never given for them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.codex import trust
from hardwon.clients.codex.messages import HOOKS
from hardwon.clients.codex.recipe import HOW, RECIPE, SIGN
from hardwon.clients.installing.entries import words
from hardwon.clients.installing.recipe import SetupError
from tests.setup.codex_machine import CodexMachine
from tests.setup.machine import tree

RECORDED = Path(__file__).parents[1] / "clients" / "codex"
OTHERS = {
    "description": "mine",
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard", "timeout": 3}]}],
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    },
}
SETTINGS = {
    "empty": "",
    "comments": '# mine\nmodel = "gpt-5.5" # the old one\n\n# servers\n[mcp_servers.other]\ncommand = "x"\n# the end\n',
    "no last line end": '[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a", # why\n]',
    "CRLF": 'model = "x"\r\n\r\n[projects."/a b"]\r\ntrust_level = "trusted"\r\n',
    "a byte order mark": '\ufeffmodel = "x"\n',
    "dotted keys": 'mcp_servers.other.command = "x"\nnotify = ["a", "b"]\n',
    "other scripts": 'model = "日本 \\" é" # ü\n\n\n',
    "a header alone": "[mcp_servers]\n",
    "trusted hooks of others": '[hooks.state]\n\n[hooks.state."/h/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n',
    "hooks in it": '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n',
}


@pytest.fixture
def machine(tmp_path: Path) -> CodexMachine:
    (tmp_path / ".codex").mkdir()
    return CodexMachine(tmp_path)


def agreed(machine: CodexMachine) -> None:
    """As the client writes it when a person trusts all."""
    text = "".join(
        f'\n[hooks.state."{one.key}"]\ntrusted_hash = "{one.hash}"\n' for one in trust.entries(machine.hooks, SIGN)
    )
    with machine.settings.open("a") as file:
        file.write(("" if "[hooks.state]" in machine.settings.read_text() else "\n[hooks.state]\n") + text)


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_uninstall_gives_back_every_byte(machine: CodexMachine, text: str) -> None:
    """However the files are written, they are the same afterwards, and the home is empty."""
    machine.settings.write_bytes(text.encode())
    machine.hooks.write_text(json.dumps(OTHERS, indent="\t"))
    before = tree(machine.config)
    machine.set_up()
    assert machine.settings.read_bytes().startswith(text.encode())
    assert tomllib.loads(machine.settings.read_text("utf-8-sig"))["mcp_servers"]["hardwon"] == {
        "command": str(machine.home.hook / "mcp"),
        "args": ["codex"],
    }
    assert machine.set_up().changes == ()
    machine.take_out()
    assert tree(machine.config) == before
    assert tree(machine.home.root) == {}


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_what_the_client_wrote_in_between_stays(machine: CodexMachine, text: str) -> None:
    """Its projects and its notices; not what it wrote down about our hooks."""
    machine.settings.write_bytes(text.encode())
    machine.set_up()
    more = '\n[projects."/home/user/project"]\ntrust_level = "trusted"\n'
    ours = machine.settings.read_bytes()
    machine.settings.write_bytes(ours + more.encode())
    agreed(machine)
    machine.set_up()
    assert all(word == "trusted" for word in _states(machine).values())
    machine.take_out()
    ends = b"" if text.endswith("\n") or not text.strip("\ufeff") else b"\n"
    assert machine.settings.read_bytes().replace(b"\r\n", b"\n") == (
        text.encode().replace(b"\r\n", b"\n") + ends + more.encode()
    )


def test_without_any_file(machine: CodexMachine) -> None:
    """What setup made is gone, the folder of a client that was never started, too."""
    machine.config.rmdir()
    machine.set_up()
    assert {path.name for path in machine.config.iterdir()} == {"config.toml", "hooks.json", "skills"}
    machine.take_out()
    assert not machine.config.exists()


def test_a_linked_file_is_changed_where_it_lies(machine: CodexMachine) -> None:
    """Settings may live in a folder of dotfiles."""
    dotfiles = machine.root / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "codex.toml").write_text('model = "x"\n')
    machine.settings.symlink_to("../dotfiles/codex.toml")
    before = tree(dotfiles), tree(machine.config)
    machine.set_up()
    assert machine.settings.is_symlink()
    assert "mcp_servers" in (dotfiles / "codex.toml").read_text()
    machine.take_out()
    assert (tree(dotfiles), tree(machine.config)) == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.toml", "model = \n"),
        ("config.toml", "mcp_servers = 3\n"),
        ("config.toml", 'mcp_servers = { other = { command = "x" } }\n'),
        ("hooks.json", "{"),
        ("hooks.json", '{"hooks": []}'),
    ],
)
def test_what_cannot_be_changed_is_left(machine: CodexMachine, name: str, text: str) -> None:
    """The sentence names the file; nothing was written."""
    (machine.config / name).write_text(text)
    before = tree(machine.root)
    with pytest.raises(SetupError, match=name):
        machine.set_up()
    assert tree(machine.root) == before


def test_a_server_of_this_name_becomes_ours(machine: CodexMachine) -> None:
    """`codex mcp add hardwon` before setup: there is one, and what stands beside it stays."""
    text = '[mcp_servers.hardwon]\ncommand = "hardwon"\n\n[mcp_servers.hardwon.env]\nA = "b"\n\n[tui]\nx = 1\n'
    machine.settings.write_text(text)
    machine.set_up()
    servers = tomllib.loads(machine.settings.read_text())["mcp_servers"]
    assert servers == {"hardwon": {"command": str(machine.home.hook / "mcp"), "args": ["codex"]}}
    machine.take_out()
    assert machine.settings.read_text() == "\n[tui]\nx = 1\n"


def test_our_hooks_stand_behind_all_others(machine: CodexMachine) -> None:
    """A hook is trusted by its place: those of others keep theirs, and ours stay when set up again."""
    machine.hooks.write_text(json.dumps(OTHERS))
    machine.set_up()
    events = json.loads(machine.hooks.read_text())["hooks"]
    assert events["PreToolUse"][0] == OTHERS["hooks"]["PreToolUse"][0]  # type: ignore[index]
    assert [_is_ours(group) for group in events["PreToolUse"]] == [False, True]
    later = {"hooks": [{"type": "command", "command": "later"}]}
    events["PreToolUse"].append(later)
    machine.hooks.write_text(json.dumps({"hooks": events}))
    assert machine.set_up().changes == ()


def _is_ours(group: dict[str, Any]) -> bool:
    return any(SIGN.search(words(hook)) for hook in group["hooks"])


def test_the_words_of_a_hook_change_with_nothing_but_the_home(machine: CodexMachine) -> None:
    """Neither the interpreter nor the version stands in them: else a person would have to trust them again. They are
    run by a server in the background, so they name everything by its whole path."""
    machine.set_up()
    events = json.loads(machine.hooks.read_text())["hooks"]
    run = f"{machine.home.hook}/run"
    for hook in HOOKS:
        ours = events[hook.event][-1]["hooks"][0]
        if hook.fields:
            assert (ours["server"], ours["tool"]) == ("hardwon", "hook")
            assert ours["input"] == {name: f"${{{name}}}" for name in hook.fields}
        else:
            assert ours["command"] == f"{run} codex {hook.event} {hook.limit} 2>/dev/null || :"
    assert os.access(run, os.X_OK)
    for event in ("SessionEnd", "Interrupt"):
        assert events[event][-1]["hooks"][0]["timeout"] <= 3


@pytest.mark.parametrize("gone", ["run", "client.py"])
def test_a_hook_is_silent_whatever_is_gone(machine: CodexMachine, gone: str) -> None:
    """The client would tell its user of anything else."""
    machine.set_up()
    command = json.loads(machine.hooks.read_text())["hooks"]["Stop"][-1]["hooks"][0]["command"]
    (machine.home.hook / gone).unlink()
    done = subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, env={}, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_hash_is_the_clients() -> None:
    """Of hooks in every form that ours could have, as the client listed them (0.169.0)."""
    listed = json.loads((RECORDED / "hooks-list.json").read_text())["result"]["data"][0]["hooks"]
    hashes = {hook["key"].partition(":")[2]: hook["currentHash"] for hook in listed}
    mine = trust.entries(RECORDED / "hooks.json", re.compile(""))
    assert {one.key.partition(":")[2]: one.hash for one in mine} == hashes


def _states(machine: CodexMachine) -> dict[str, str]:
    return trust.written(machine.settings, trust.entries(machine.hooks, SIGN))


def test_what_a_person_has_to_do_is_said_until_it_is_done(machine: CodexMachine) -> None:
    """Setup writes no trust; it and the doctor say which keys to press, until all is trusted as it is now."""
    assert HOW in machine.set_up().remarks
    assert "hooks.state" not in machine.settings.read_text()
    assert set(_states(machine).values()) == {"untrusted"}
    assert "10 of 10 hooks are not trusted" in RECIPE.withheld(machine.config, machine.environ)
    agreed(machine)
    assert machine.set_up().remarks == ()
    assert RECIPE.withheld(machine.config, machine.environ) == ""
    machine.hooks.write_text(machine.hooks.read_text().replace("codex Stop 0", "codex Stop 1"))
    assert _states(machine)[f"{machine.hooks}:stop:0:0"] == "modified"
    assert "1 of 10 hooks are not trusted (stop)" in RECIPE.withheld(machine.config, machine.environ)


@pytest.mark.parametrize("answer", ["", "exit 1", "echo nonsense", "echo '{\"id\": 1}'", "sleep 60"])
def test_a_client_that_cannot_be_asked(machine: CodexMachine, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then what it wrote down counts; nothing is taken for trusted, and nobody waits for long."""
    machine.set_up()
    program = machine.root / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o700)
    environ = {"HOME": str(machine.root), "PATH": f"{program.parent}:{os.defpath}"}
    monkeypatch.setattr(trust, "ANSWERS", 0.5)
    assert "10 of 10" in RECIPE.withheld(machine.config, environ)


def test_hooks_that_are_switched_off(machine: CodexMachine) -> None:
    """Setup says so, and the doctor."""
    machine.settings.write_text("[features]\nhooks = false\n")
    assert any("hooks = false" in remark for remark in machine.set_up().remarks)
    agreed(machine)
    assert "hooks = false" in RECIPE.withheld(machine.config, machine.environ)
