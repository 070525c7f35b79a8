"""How the command is started, and what answers before it is loaded."""

from __future__ import annotations

import subprocess
import sys

from tests.commandline import Cli


def test_version(cli: Cli) -> None:
    """The version is printed without loading the command line."""
    assert cli.run("--version").stdout.startswith("hardwon 0.")
    assert cli.run("-V").stdout == cli.run("--version").stdout


def test_the_package_is_the_command(cli: Cli) -> None:
    """`python -m hardwon`, where the command is not on the path: same output, same exit status."""
    for arguments, status in ((["--version"], 0), (["nothing-like-it"], 2)):
        command = [sys.executable, "-m", "hardwon", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=cli.environment(), check=False)
        assert done.returncode == status
        usual = cli.run(*arguments, code=status)
        assert (done.stdout, done.stderr) == (usual.stdout, usual.stderr)
