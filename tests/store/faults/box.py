"""A disk of one's own for the commands of a test: full, small or read-only."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

import pytest

from tests.commandline import HARDWON, Cli
from tests.store.faults.said import Said


@dataclass(frozen=True, slots=True)
class Box:
    """A mount namespace of its own, in which the commands run: root ignores permission bits, but not a mount."""

    process: subprocess.Popen[str]
    namespaces: tuple[str, ...]
    cli: Cli

    def run(self, *command: str) -> Said:
        inside = ["nsenter", f"--target={self.process.pid}", *self.namespaces, "--preserve-credentials"]
        return subprocess.run(
            [*inside, f"--wd={self.cli.folder}", *command],
            capture_output=True,
            text=True,
            env=self.cli.environment(),
            timeout=60,
            check=False,
        )

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def hardwon(self, *arguments: str) -> Said:
        return self.run(HARDWON, *arguments)

    def bodies(self) -> list[str]:
        found = self.hardwon("list", "-g", "--every-status", "-n", "10000")
        assert found.returncode == 0, found
        return sorted(line.split("\t")[-1] for line in found.stdout.splitlines())


def boxed(cli: Cli, mount: str) -> Box:
    """A box in which this shell command has been run; the test is skipped where nobody may mount."""
    for options, namespaces in (("-rm", ("--mount", "--user")), ("-m", ("--mount",))):
        try:
            process = subprocess.Popen(
                ["unshare", options, "sh", "-c", f"{mount} && echo mounted && exec sleep 300"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except FileNotFoundError:
            pytest.skip("unshare is not installed")
        assert process.stdout is not None
        answer = process.stdout.readline()
        if answer == "mounted\n":
            return Box(process, namespaces, cli)
        process.communicate()
    pytest.skip(f"mounting is not permitted: {answer.strip()}")
