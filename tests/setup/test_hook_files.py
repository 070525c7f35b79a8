"""What lies in the home for the hooks, and which interpreter runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon import __version__
from hardwon.clients.claude_code.messages import HOOKS
from hardwon.hook import install
from hardwon.paths import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_refresh_writes_what_differs(home: Home) -> None:
    """The first time everything, then nothing, then what somebody changed, also its mode."""
    assert install.refresh(home)
    times = {path: path.stat().st_mtime_ns for path in home.hook.iterdir()}
    assert not install.refresh(home)
    assert {path: path.stat().st_mtime_ns for path in home.hook.iterdir()} == times
    (home.hook / "client.py").write_text("old")
    (home.hook / "start").chmod(0o644)
    assert install.refresh(home)
    assert not install.refresh(home)
    assert (home.hook / "start").stat().st_mode & 0o777 == 0o600


def test_the_files_are_private_and_whole(home: Home) -> None:
    """Their user's alone, with the version in the client and nothing left over."""
    old = os.umask(0)
    try:
        install.refresh(home)
    finally:
        os.umask(old)
    modes = {path.name: path.stat().st_mode & 0o777 for path in home.hook.iterdir()}
    read, run = ("client.py", "starting.py", "mcp.py", "start"), ("mcp", "run", "hardwon")
    assert modes == dict.fromkeys(read, 0o600) | dict.fromkeys(run, 0o700)
    assert home.hook.stat().st_mode & 0o777 == 0o700
    for name in ("client.py", "mcp.py"):
        text = (home.hook / name).read_text()
        assert f'VERSION = "{__version__}"' in text
        assert "@VERSION@" not in text


def test_the_daemon_is_started_by_its_own_interpreter(home: Home) -> None:
    """One argument per line, as the client reads it."""
    install.refresh(home)
    words = (home.hook / "start").read_text().strip("\n").split("\n")
    assert words == [sys.executable, "-E", "-P", "-m", "hardwon.daemon", str(home.root)]


def test_the_program_runs_with_this_home(home: Home) -> None:
    """Whatever HARDWON_HOME the caller has."""
    install.refresh(home)
    done = subprocess.run(
        [install.program(home), "status", "--json"],
        env={"PATH": os.defpath, "HOME": str(home.root.parent), "HARDWON_HOME": "/nowhere"},
        cwd=home.root.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f'"home": "{home.root}"' in done.stdout


def test_the_command_succeeds_whatever_is_gone(home: Home) -> None:
    """The script, the interpreter, both: exit 0, nothing printed."""
    command = install.command(home, "claude-code", HOOKS[0])
    for broken in (command, command.replace(install.base_python(), "/nowhere/python3")):
        done = subprocess.run(["/bin/sh", "-c", broken], capture_output=True, env={}, input=b"{}", timeout=20)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_base_interpreter_is_no_environment() -> None:
    """It starts without the package and is the interpreter that this one is made from."""
    python = Path(install.base_python())
    assert python.is_absolute()
    assert sys.prefix == sys.base_prefix or not python.is_relative_to(sys.prefix)
    asked = "import sys; print(sys.version_info[:2], sys.prefix == sys.base_prefix)"
    said = subprocess.run([python, "-I", "-S", "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said == f"{sys.version_info[:2]} True\n"


PATCH = ".".join(map(str, sys.version_info[:3]))
MINOR = ".".join(map(str, sys.version_info[:2]))
NAMES = [
    # what the interpreter calls itself, another name of it, which one lives longer
    (f"Cellar/python@{MINOR}/{PATCH}_1/bin/python{MINOR}", f"opt/python@{MINOR}/bin/python{MINOR}", "second"),
    (f"uv/cpython-{PATCH}-linux/bin/python{MINOR}", f"uv/cpython-{MINOR}-linux/bin/python{MINOR}", "second"),
    ("usr/bin/python3", f"usr/bin/python{MINOR}", "second"),
    (f"pyenv/versions/{PATCH}/bin/python{MINOR}", f"elsewhere/bin/python{MINOR}", "first"),
]


@pytest.mark.parametrize(("real", "other", "better"), NAMES)
def test_the_name_that_lives_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: str, other: str, better: str
) -> None:
    """A patch upgrade of Homebrew or uv removes the folder that the interpreter is in, and keeps a link to the next."""
    for name in (real, other):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / real).write_bytes(b"\x7fELF")
    (tmp_path / other).symlink_to(tmp_path / real)
    monkeypatch.setattr(sys, "_base_executable", str(tmp_path / real))
    assert install.base_python() == str(tmp_path / (other if better == "second" else real))


def test_a_launcher_is_not_an_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shim is a script that would start a shell on every event."""
    shim, python = tmp_path / "shims" / "python3", tmp_path / "real" / "bin" / f"python{MINOR}"
    for path in (shim, python):
        path.parent.mkdir(parents=True)
    shim.write_text("#!/usr/bin/env bash\n")
    python.write_bytes(b"\x7fELF")
    monkeypatch.setattr(sys, "_base_executable", str(shim))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path / "real"))
    assert install.base_python() == str(python)
