"""Where the output goes: a full disk, a closed pipe, an encoding that lacks the letters."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.commandline import HARDWON, Cli

FULL = Path("/dev/full")
on_a_full_disk = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")


def shell(cli: Cli, line: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", f"set -o pipefail; hardwon() {{ '{HARDWON}' \"$@\"; }}; {line}"]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cli.folder, env=cli.environment(env), timeout=120, check=False
    )


@on_a_full_disk
@pytest.mark.parametrize(
    "call",
    ["export", "list", "list --json", "config example", "--help", "show abcdef --json", "export /dev/full --force"],
)
@pytest.mark.parametrize("texts", [1, 60], ids=["little", "much"])
def test_a_full_disk_is_told(cli: Cli, call: str, texts: int) -> None:
    """Output that does not arrive is one sentence and a status, never silence: a script would keep the empty file."""
    for number in range(0, texts, 20):
        cli.run("note", f"{number} " + "long enough to fill a buffer " * 2000)
    cli.run("note", "a lesson about redis")
    done = shell(cli, f"hardwon {call} > /dev/full")
    assert done.returncode == 1
    if "abcdef" in call:  # the sentence that was to be printed as JSON is said all the same
        assert "No memory has the id" in done.stderr
    else:
        assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_closed_output_is_told(cli: Cli) -> None:
    """Without anywhere to print to nothing is done, and a sentence says so."""
    done = shell(cli, "hardwon note 'a lesson about redis' >&-")
    assert done.returncode == 1
    assert "Standard output is closed" in done.stderr
    assert cli.json("list")["total"] == 0


def test_closed_remarks_and_input(cli: Cli) -> None:
    """Remarks that nobody wants are dropped and do not end up in the output."""
    cli.run("note", "a lesson about redis")
    done = shell(cli, "hardwon list <&- 2>&-")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1


def test_a_reader_that_leaves(cli: Cli) -> None:
    """`| head` is no error."""
    for number in range(3):
        cli.run("note", f"{number} " + "long enough to fill a pipe " * 2000)
    done = shell(cli, "hardwon export | head -c 10 > /dev/null")
    assert (done.returncode, done.stderr) == (0, "")


def test_letters_that_the_output_lacks(cli: Cli) -> None:
    """What can't be printed is replaced; JSON and an export keep every letter."""
    cli.run("note", "Rockets 🚀 and café")
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    assert "Rockets ? and caf?" in cli.run("list", env=ascii_only).stdout
    answer = cli.run("list", "--json", env=ascii_only).stdout
    assert answer.isascii()
    assert json.loads(answer)["items"][0]["body"] == "Rockets 🚀 and café"
    assert cli.run("export", env=ascii_only).stdout == cli.run("export").stdout


@pytest.mark.parametrize(
    "call",
    [
        [b"recall", b"caf\xe9 err"],
        [b"search", b"caf\xe9", b"--sessions"],
        [b"list", b"--project", b"caf\xe9"],
        [b"recall", b"x", b"--skill", b"caf\xe9"],
        [b"note", b"x", b"--title", b"caf\xe9"],
    ],
)
def test_arguments_that_are_no_text(cli: Cli, call: list[bytes]) -> None:
    """An argument that is not UTF-8 is refused, whichever it is: it would be kept in another form."""
    done = subprocess.run(
        [os.fsencode(HARDWON), *call], capture_output=True, cwd=cli.folder, env=cli.environment(), check=False
    )
    assert done.returncode == 2
    assert b"is not UTF-8 (byte 3 is 0xe9)" in done.stderr
    assert b"Traceback" not in done.stderr
    assert cli.json("list")["total"] == 0
