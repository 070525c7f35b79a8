from __future__ import annotations

from pathlib import Path

import pytest

from tests.commandline import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line with an empty home, run in a project folder called app."""
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "home", folder)
