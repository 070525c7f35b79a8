from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardwon.store import belt
from tests.commandline import Cli

# They assert for the tests: what a failure there shows is as detailed as in a test.
pytest.register_assert_rewrite("tests.hook.runs", "tests.daemon.health", "tests.daemon.running")

# What a border lets pass is an error here, also in the processes that tests start.
os.environ[belt.STRICT] = "1"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line with an empty home, run in a project folder called app."""
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "home", folder)
