"""A home of an earlier version, with a client set up by it, goes on as if nothing had happened."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.hook import install
from tests.commandline import HARDWON, Cli
from tests.golden.build import SETTINGS, make_project

ARCHIVE = Path(__file__).with_name("golden.tar.gz")
LENGTH = len("/tmp/golden-12345678")
"""Of the folder that it was made in: the way back to the client's settings counts characters."""


@pytest.fixture
def user() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="golden-", dir="/tmp"))
    assert len(str(folder)) == LENGTH
    words = {"@USER@": str(folder), "@PYTHON@": install.base_python(), "@VENV@": sys.executable,
             "@HARDWON@": str(HARDWON)}  # fmt: skip
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes())) as archive:
        for entry in archive.getmembers():
            path, content = folder / entry.name, archive.extractfile(entry)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read() if content else b"")
            path.chmod(entry.mode)
    for path in filter(Path.is_file, folder.rglob("*")):
        data = path.read_bytes()
        if b"\0" not in data and b"@" in data:
            for word, meaning in words.items():
                data = data.replace(word.encode(), meaning.encode())
            path.write_bytes(data)
    _sign(folder)
    (folder / ".hardwon").chmod(0o700)
    make_project(folder / "shop")
    yield folder
    Cli(folder / ".hardwon", folder / "shop").run("daemon", "stop", code=None)
    shutil.rmtree(folder)


def _sign(folder: Path) -> None:
    """The record of what was left in the client's files, for the paths that stand in them now."""
    record = folder / ".hardwon" / "clients" / "claude-code.json"
    known = json.loads(record.read_bytes())
    for name, one in known["files"].items():
        one["left"] = hashlib.sha256(Path(name).read_bytes()).hexdigest()
    record.write_text(json.dumps(known, indent=1) + "\n")


def cli(user: Path) -> Cli:
    return Cli(user / ".hardwon", user / "shop")


def hooked(user: Path, event: str, **fields: Any) -> str:
    """What the installed command says to a message, when it has the time."""
    file = next((user / ".hardwon" / "clients").rglob("hooks.json"))
    hooks = json.loads(file.read_bytes())["hooks"]
    (command,) = [one["command"] for group in hooks[event] for one in group["hooks"]]
    wire = {"session_id": "golden", "cwd": str(user / "shop"), "hook_event_name": event, **fields}
    environ = {"PATH": os.defpath, "HOME": str(user), "HARDWON_STRICT_BORDERS": "1", "HARDWON_VECTORS_MODEL": "off"}
    patient = command.replace(" 800 2>", " 9000 2>").replace(" 250 2>", " 9000 2>")
    assert patient != command
    message = json.dumps(wire).encode()
    done = subprocess.run(["/bin/sh", "-c", patient], input=message, capture_output=True, env=environ, timeout=60)
    assert done.returncode == 0
    return done.stdout.decode()


def test_hooks_that_it_installed_are_answered(user: Path) -> None:
    """Nobody runs `setup` again after an upgrade: the old commands start the new daemon, which knows the old memory."""
    assert "PostgreSQL" in hooked(user, "UserPromptSubmit", prompt="shall we keep the carts in Redis?", prompt_id="1")


def test_everything_in_it_is_found(user: Path) -> None:
    """Kinds, settings and what was learned are what they were."""
    kept = cli(user).json("list", "--all", "--limit", "500")["items"]
    kinds = {one["kind"] for one in kept}
    assert {"rule", "constraint", "decision", "task", "lesson", "failure", "fix"} <= kinds
    assert "PostgreSQL" in cli(user).run("recall", "where are carts stored").stdout
    assert cli(user).json("config", "show")["settings"]["recall.budget_tokens"]["value"] == 500


def test_what_it_learned_is_not_learned_again(user: Path) -> None:
    """The keys by which one happening is known have not changed."""
    before = cli(user).json("list", "--all", "--every-status", "--limit", "500")["items"]
    cli(user).run("learn", "--yes", "--again", str(user / ".claude" / "projects"))
    after = cli(user).json("list", "--all", "--every-status", "--limit", "500")["items"]
    assert {one["id"] for one in after} == {one["id"] for one in before}


def test_the_client_gets_its_settings_back(user: Path) -> None:
    """Set up by the old one, brought up to date and taken out by the new one: byte for byte what was there before."""
    environ = {"CLAUDE_CONFIG_DIR": str(user / ".claude")}
    cli(user).run("setup", "claude-code", "--yes", env=environ)
    assert json.loads((user / ".claude" / "settings.json").read_bytes())["enabledPlugins"]
    cli(user).run("uninstall", "--yes", env=environ)
    assert (user / ".claude" / "settings.json").read_text() == SETTINGS
    assert not (user / ".claude" / "plugins").exists()
